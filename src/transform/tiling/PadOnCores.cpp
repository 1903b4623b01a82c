// air-pad-on-cores: copies into a filled buffer, to places that no DMA reaches, become loops, which cores run.
//
// Matches, in a function, a copy of a buffer of the host into a subview of another one that the function has filled with a constant before anything else, as programs pad images, where the rows of the subview begin or end inside of words of 4 bytes. The rounds of the outer
// loop each fill and copy what one element of a dimension has; air-share-loops shares them out.
//
//   fill P, 0; copy X -> P[0, 1, 1, 0] [1, 32, 32, 3]   ->   fill P, 0; for i: (fill P[:, i + 1], 0; copy X[:, i] -> P[:, i + 1, 1:33])
//
// The dimension has enough elements for all cores where there is one, and nothing around them that is filled.
//
// Declines, with a remark: where no dimension has parts of whole words that have room in L1. Without one: rows of whole words, which
// DMAs copy.
#include "RowMover.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace airlite {

namespace {

using aie::kWordBytes;

int64_t bytesOf(std::span<const int64_t> shape, Type element) {
  int64_t bytes = element.bitWidth() / 8;
  for (int64_t size : shape)
    bytes *= size;
  return bytes;
}

bool isPlainOfHost(Value buffer) {
  return tiling::isWholeOfHost(buffer) && elementTypeOrSelf(buffer.type()).bitWidth() % 8 == 0;
}

/// A copy that pads, with the fill before it.
struct Padding {
  Operation *fill = nullptr, *copy = nullptr;
  memref::SubViewOp view;
  Value from, to;
};

std::optional<Padding> match(Operation& op) {
  if (!op.is("linalg.copy") && !op.is("memref.copy")) return std::nullopt;
  Padding found{nullptr, &op, {}, op.operand(0), {}};
  Operation* made = op.operand(1).definingOp();
  if (!made || !isa<memref::SubViewOp>(made) || !op.operand(1).hasOneUse()) return std::nullopt;
  found.view = memref::SubViewOp(made);
  found.to = found.view.source();
  const Operation* alloc = found.to.definingOp();
  const bool isWhole =
      (!alloc || isa<memref::AllocOp>(alloc)) && found.to.parentBlock() == op.block();
  if (!isWhole || found.from == found.to || made->block() != op.block() ||
      !isPlainOfHost(found.from) || !isPlainOfHost(found.to) || !tiling::isPlainPart(found.view))
    return std::nullopt;
  found.fill = tiling::fillBeforeCopy(found.to, op);
  return found.fill ? std::optional(found) : std::nullopt;
}

/// Writes the loops. One class: its steps share the shapes and the dimension that is shared out.
class PaddingWriter {
 public:
  PaddingWriter(const Padding& padding, int64_t room)
      : padding_(padding),
        from_(padding.from.type().cast<MemRefType>()),
        to_(padding.to.type().cast<MemRefType>()),
        offsets_(padding.view.staticOffsets().begin(), padding.view.staticOffsets().end()),
        location_(padding.copy->location()),
        builder_(Builder::before(*padding.copy)) {
    for (unsigned dim = 0; dim < from_.rank(); ++dim)
      if (isPossible(dim, room) && (!dim_ || isBetter(dim, *dim_))) dim_ = dim;
  }

  /// Empty when it is possible.
  std::string_view obstacle() const {
    return dim_ ? "" : "no DMA pads it, and no dimension has parts of whole words with room in L1";
  }

  void run() {
    loop(from_.dim(*dim_), [&](Value round) {
      std::vector<Value> at(to_.rank());
      at[*dim_] = sum(round, offsets_[*dim_]);
      nest(to_, at, [&] { store(padding_.fill->operand(0), at); });
      at.assign(to_.rank(), Value());
      at[*dim_] = round;
      nest(from_, at, [&] {
        std::vector<Value> operands = {padding_.from}, to;
        operands.insert(operands.end(), at.begin(), at.end());
        for (unsigned dim = 0; dim < to_.rank(); ++dim)
          to.push_back(sum(at[dim], offsets_[dim]));
        const Type element[] = {from_.elementType()};
        store(builder_.create(location_, "memref.load", operands, element)->result(), to);
      });
    });
    padding_.copy->erase();
    padding_.view->erase();
    if (isWhole(*dim_)) padding_.fill->erase();
  }

 private:
  /// Whether nothing is filled beside the rounds along the dimension.
  bool isWhole(unsigned dim) const { return from_.dim(dim) == to_.dim(dim); }
  /// Enough rounds for all cores, or those that leave the fewest elements to each.
  bool isBetter(unsigned dim, unsigned than) const {
    constexpr int64_t kCores = 8;
    const bool isMany = from_.dim(dim) >= kCores, wasMany = from_.dim(than) >= kCores;
    if (isMany != wasMany) return isMany;
    if (isMany && isWhole(dim) != isWhole(than)) return isWhole(dim);
    return from_.dim(dim) > from_.dim(than);
  }
  /// Of one round both parts have to be whole words, of which L1 holds two.
  bool isPossible(unsigned dim, int64_t room) const {
    const int64_t in = bytesOf(from_.shape(), from_.elementType()) / from_.dim(dim),
                  out = bytesOf(to_.shape(), to_.elementType()) / to_.dim(dim);
    const bool isLast = dim + 1 == to_.rank();
    return !isLast && in % kWordBytes == 0 && out % kWordBytes == 0 && 2 * (in + out) <= room;
  }

  Value sum(Value index, int64_t offset) {
    if (offset == 0) return index;
    const Type type[] = {index.type()};
    const Value operands[] = {index, builder_.constantIndex(location_, offset)};
    return builder_.create(location_, "arith.addi", operands, type)->result();
  }
  void store(Value value, const std::vector<Value>& at) {
    std::vector<Value> operands = {value, padding_.to};
    operands.insert(operands.end(), at.begin(), at.end());
    builder_.create(location_, "memref.store", operands, {});
  }
  void loop(int64_t count, FunctionRef<void(Value)> body) {
    const auto made =
        scf::ForOp::create(builder_, location_, builder_.constantIndex(location_, 0),
                           builder_.constantIndex(location_, count),
                           builder_.constantIndex(location_, 1));
    const InsertPoint after = builder_.insertPoint();
    builder_.setBefore(made.body().back());
    body(made.inductionVar());
    builder_.setInsertPoint(after);
  }
  /// A loop along each dimension of `type` that has no place in `at` yet.
  void nest(MemRefType type, std::vector<Value>& at, FunctionRef<void()> body) {
    const auto open = std::ranges::find_if(at, [](Value place) { return !place; });
    if (open == at.end()) return body();
    loop(type.dim(unsigned(open - at.begin())), [&](Value index) {
      *open = index;
      nest(type, at, body);
      *open = Value();
    });
  }

  const Padding padding_;
  MemRefType from_, to_;
  std::vector<int64_t> offsets_;
  Location location_;
  Builder builder_;
  std::optional<unsigned> dim_;
};

class PadOnCores : public Pass {
 public:
  PadOnCores() : Pass("air-pad-on-cores", "Cores pad what DMAs cannot") {
    anchor("func.func");
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-pad-on-cores in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> copies;
    if (function.region().empty()) return PassResult::Unchanged;  // only declared
    for (Operation& op : function.region().front().ops())
      if (op.is("linalg.copy") || op.is("memref.copy")) copies.push_back(&op);
    bool changed = false;
    for (Operation* op : copies) {
      const auto padding = match(*op);
      if (!padding || tiling::isInWords(padding->view.resultType())) continue;
      PaddingWriter writer(*padding, l1Bytes_);
      if (const std::string_view why = writer.obstacle(); !why.empty()) {
        context.remark(*op, std::string(why));
        continue;
      }
      context.declareEffectChange(CountedEffect::Store, "a core pads");
      writer.run();
      changed = true;
    }
    return changedIf(changed);
  }

 private:
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerPadOnCores(PassRegistry& registry) { registry.add<PadOnCores>(); }

}  // namespace airlite
