// air-views-in-words: what ops read of buffers of the host from inside of words comes from copies that begin at words.
//
// Matches, in a function, structured ops that read a subview of a buffer of the host, of elements of 8 or 16 bits and with steps of
// one, of which rows begin or end inside of words of 4 bytes: no DMA reaches them. It is smaller than the buffer along one
// dimension. Cores copy it first (RowMover.hpp), to where a copy wants it at once.
//
//   copy X[0, 1] [64, 256] -> Y                        ->   cores: row i of Y = X[i, 1 ... 256]
//   generic(X[0, 1] [64, 256], X[0, 0] [64, 256])      ->   cores: row i of X' = X[i, 1 ... 256], of X'' = X[i, 0 ... 255]; generic(X', X'')
//
// Declines: views of which dimensions are left out, and buffers of which the fewest rows that are whole words have no room in L1.
// What an op writes inside of words stays as it is, since the rest of such words would have to be kept.
#include "RowMover.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite {

namespace {

using linalg::StructuredOp;
using tiling::RowMove;

/// A part of a buffer that an op reads: some of each row, where dimensions from one on are the row.
struct OddView {
  memref::SubViewOp view;
  MemRefType base, type;
  int64_t row = 1, first = 0, length = 1;  ///< elements of a row of the buffer, and which of these

  int64_t elementBytes() const { return base.elementType().bitWidth() / 8; }
};

bool isOfHost(MemRefType type) {
  const unsigned width = type.elementType().bitWidth();
  return type.rank() > 0 && type.hasStaticShape() && type.hasIdentityLayout() &&
         (width == 8 || width == 16) && air::memoryLevel(type) == air::MemoryLevel::L3;
}

/// False: the view is smaller along several dimensions, or along none.
bool readRow(OddView& odd) {
  const std::span<const int64_t> offsets = odd.view.staticOffsets();
  unsigned dim = 0;
  for (; dim < odd.base.rank() && odd.type.dim(dim) == odd.base.dim(dim); ++dim) {
  }
  if (dim == odd.base.rank()) return false;
  odd.first = offsets[dim];
  odd.row = odd.base.dim(dim), odd.length = odd.type.dim(dim);
  for (++dim; dim < odd.base.rank(); ++dim) {
    if (odd.type.dim(dim) != odd.base.dim(dim)) return false;
    for (int64_t* elements : {&odd.row, &odd.first, &odd.length})
      *elements *= odd.base.dim(dim);
  }
  return true;
}

std::optional<OddView> oddViewOf(Value value) {
  Operation* made = value.definingOp();
  if (!made || !isa<memref::SubViewOp>(made)) return std::nullopt;
  const memref::SubViewOp view(made);
  if (!isOfHost(view.sourceType()) || !tiling::isPlainPart(view)) return std::nullopt;
  OddView odd{view, view.sourceType(), view.resultType()};
  return readRow(odd) && !tiling::isInWords(odd.type) ? std::optional(odd) : std::nullopt;
}

/// To a buffer of its own.
RowMove moveOf(const OddView& odd) {
  RowMove move;
  move.from = odd.view.source();
  move.elementBytes = odd.elementBytes();
  move.fromRow = odd.row, move.fromFirst = odd.first;
  move.toRow = move.length = odd.length;
  move.rows = move.fromRows = move.toRows = odd.base.numElements() / odd.row;
  return move;
}

class ViewsInWords : public Pass {
 public:
  ViewsInWords() : Pass("air-views-in-words", "Cores copy what DMAs cannot read") {
    anchor("func.func");
    option("herd", herd_, "cores that copy: columns, rows");
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-views-in-words in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> ops;
    if (function.region().empty()) return PassResult::Unchanged;  // only declared
    for (Operation& op : function.region().front().ops())
      if (const StructuredOp structured = linalg::asStructured(&op);
          structured && structured.onBuffers())
        ops.push_back(&op);
    bool changed = false;
    for (Operation* op : ops)
      changed |= copyRows(*op) || readCopies(*op);
    if (changed) context.declareEffectChange(CountedEffect::Store, "cores copy rows");
    return changedIf(changed);
  }

 private:
  tiling::RowCores cores() const {
    return {herd_.empty() ? 1 : herd_[0], herd_.size() > 1 ? herd_[1] : 1, l1Bytes_};
  }

  /// Of a copy: the rows go where they are wanted at once.
  bool copyRows(Operation& op) const {
    if (!op.is("linalg.copy")) return false;
    const auto odd = oddViewOf(op.operand(0));
    const auto to = op.operand(1).type().dynCast<MemRefType>();
    if (!odd || !to || !isOfHost(to) || op.operand(1) == odd->view.source()) return false;
    RowMove move = moveOf(*odd);
    move.to = op.operand(1);
    if (!tiling::canMoveRows(move, l1Bytes_)) return false;
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    tiling::moveRows(rewriter, op.location(), move, cores());
    rewriter.eraseOp(op);
    return true;
  }

  bool readCopies(Operation& op) const {
    bool changed = false;
    const size_t inputs = StructuredOp(&op).numInputs();
    for (size_t i = 0; i < inputs; ++i)
      if (const auto odd = oddViewOf(op.operand(i))) changed |= readCopy(op, i, *odd);
    return changed;
  }

  bool readCopy(Operation& op, size_t operand, const OddView& odd) const {
    RowMove move = moveOf(odd);
    if (!tiling::canMoveRows(move, l1Bytes_)) return false;
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    const MemRefType type = MemRefType::get(op.context(), odd.type.shape(), odd.base.elementType());
    move.to = memref::AllocOp::create(rewriter, op.location(), type).result();
    tiling::moveRows(rewriter, op.location(), move, cores());
    op.setOperand(static_cast<unsigned>(operand), move.to);
    rewriter.setAfter(op);
    memref::DeallocOp::create(rewriter, op.location(), move.to);
    return true;
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerViewsInWords(PassRegistry& registry) { registry.add<ViewsInWords>(); }

}  // namespace airlite
