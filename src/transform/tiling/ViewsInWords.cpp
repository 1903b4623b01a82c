// air-views-in-words: what ops read and write of buffers of the host inside of words goes through copies that begin at words.
//
// Matches, in a function, structured ops on a subview of a buffer of the host, of elements of 8 or 16 bits, of which rows begin or end
// inside of words of 4 bytes, or which leaves elements out: no DMA reaches them. What is smaller than the buffer along one
// dimension is read as rows (RowMover.hpp), all else as boxes (BoxMover.hpp). Copies go to where they are wanted at once.
//
//   copy X[0, 1] [64, 256] -> Y                        ->   cores: row i of Y = X[i, 1 ... 256]
//   generic(X[0, 1] [64, 256], X[0, 0] [64, 256])      ->   cores: row i of X' = X[i, 1 ... 256], of X'' = X[i, 0 ... 255]; generic(X', X'')
//   fill(z, Y[0, 3] [8, 5])                            ->   fill(z, Y'); cores: row i of Y = Y[i, 0 ... 2], Y'[i], Y[i, 8 ...]
//
// Declines: views of which the places are not known before the run, and buffers of which the fewest rows that are whole words have no room in L1.
#include "BoxMover.hpp"
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
using tiling::isOddPart;
using tiling::RowMove;

/// A part of a buffer that an op reads: some of each row, where dimensions from one on are the row.
struct OddView {
  memref::SubViewOp view;
  MemRefType base, type;
  int64_t row = 1, first = 0, length = 1;  ///< elements of a row of the buffer, and which of these

  int64_t elementBytes() const { return base.elementType().bitWidth() / 8; }
};

bool isOfHost(Value buffer) {
  return tiling::isWholeOfHost(buffer) && tiling::isPartOfWord(elementTypeOrSelf(buffer.type()));
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
  if (!isOfHost(view.source()) || !tiling::isPlainPart(view)) return std::nullopt;
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
      changed |= copyRows(*op) || copyBox(*op) || useCopies(*op);
    if (changed) context.declareEffectChange(CountedEffect::Store, "cores copy parts of rows");
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
    if (!odd || !isOfHost(op.operand(1)) || op.operand(1) == odd->view.source()) return false;
    RowMove move = moveOf(*odd);
    move.to = op.operand(1);
    if (!tiling::canMoveRows(move, l1Bytes_)) return false;
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    tiling::moveRows(rewriter, op.location(), {&move, 1}, cores());
    rewriter.eraseOp(op);
    return true;
  }

  bool copyBox(Operation& op) const {
    const bool isOdd =
        op.is("linalg.copy") && (isOddPart(op.operand(0)) || isOddPart(op.operand(1)));
    auto move = isOdd ? tiling::boxMove(op.operand(0), op.operand(1)) : std::nullopt;
    if (!move) return false;
    move->rest = restOf(*move, op);
    const auto shares = tiling::sharesOf(*move, cores());
    if (shares.empty()) return false;
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    tiling::moveBox(rewriter, op.location(), *move, shares);
    rewriter.eraseOp(op);
    return true;
  }

  /// The constant that the buffer which a copy writes to is filled with, and nothing else so far.
  static Value restOf(const tiling::BoxMove& move, Operation& copy) {
    const Value buffer = move.to.memory;
    if (!buffer.definingOp() || !isa<memref::AllocOp>(buffer.definingOp()) ||
        buffer.definingOp()->block() != copy.block())
      return {};
    const Operation* fill = tiling::fillBeforeCopy(buffer, copy);
    return fill ? fill->operand(0) : Value();
  }

  bool useCopies(Operation& op) const {
    bool changed = false;
    const StructuredOp structured(&op);
    const unsigned inputs = structured.numInputs();
    for (unsigned i = 0; i < inputs; ++i) {
      const auto odd = oddViewOf(op.operand(i));
      if (odd && readRows(op, i, *odd))
        changed = true;
      else if (isOddPart(op.operand(i)))
        changed |= readBox(op, i);
    }
    for (unsigned i = 0; i < structured.numOutputs(); ++i)
      if (isOddPart(op.operand(inputs + i)))
        changed |= writeBox(op, inputs + i, structured.readsOutput(i));
    return changed;
  }

  bool readRows(Operation& op, unsigned operand, const OddView& odd) const {
    RowMove move = moveOf(odd);
    if (!tiling::canMoveRows(move, l1Bytes_)) return false;
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    move.to = allocLike(rewriter, op.location(), odd.type);
    tiling::moveRows(rewriter, op.location(), {&move, 1}, cores());
    replaceBy(rewriter, op, operand, move.to);
    return true;
  }

  bool readBox(Operation& op, unsigned operand) const {
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    const Value view = op.operand(operand),
                own = allocLike(rewriter, op.location(), view.type().cast<MemRefType>());
    const auto in = plannedMove(view, own);
    if (!in) return giveUp(rewriter, own);
    write(rewriter, op.location(), *in);
    replaceBy(rewriter, op, operand, own);
    return true;
  }

  bool writeBox(Operation& op, unsigned operand, bool reads) const {
    Rewriter rewriter(op.context());
    rewriter.setBefore(op);
    const Value view = op.operand(operand),
                own = allocLike(rewriter, op.location(), view.type().cast<MemRefType>());
    const auto in = reads ? plannedMove(view, own) : std::nullopt, out = plannedMove(own, view);
    if (!out || (reads && !in)) return giveUp(rewriter, own);
    if (in) write(rewriter, op.location(), *in);
    op.setOperand(operand, own);
    rewriter.setAfter(op);
    write(rewriter, op.location(), *out);
    memref::DeallocOp::create(rewriter, op.location(), own);
    return true;
  }

  struct PlannedBox {
    tiling::BoxMove move;
    std::vector<tiling::BoxShare> shares;
  };
  /// None: no core can do it.
  std::optional<PlannedBox> plannedMove(Value from, Value to) const {
    const auto move = tiling::boxMove(from, to);
    if (!move) return std::nullopt;
    PlannedBox planned{*move, tiling::sharesOf(*move, cores())};
    return planned.shares.empty() ? std::nullopt : std::optional(std::move(planned));
  }
  static void write(Rewriter& rewriter, Location location, const PlannedBox& planned) {
    tiling::moveBox(rewriter, location, planned.move, planned.shares);
  }
  static bool giveUp(Rewriter& rewriter, Value own) {
    rewriter.eraseOp(*own.definingOp());
    return false;
  }

  static Value allocLike(Rewriter& rewriter, Location location, MemRefType type) {
    return memref::AllocOp::create(
               rewriter, location,
               MemRefType::get(rewriter.context(), type.shape(), type.elementType()))
        .result();
  }

  static void replaceBy(Rewriter& rewriter, Operation& op, unsigned operand, Value own) {
    op.setOperand(operand, own);
    rewriter.setAfter(op);
    memref::DeallocOp::create(rewriter, op.location(), own);
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerViewsInWords(PassRegistry& registry) { registry.add<ViewsInWords>(); }

}  // namespace airlite
