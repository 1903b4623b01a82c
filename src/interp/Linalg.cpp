// Structured linalg ops: a nest of loops, one per iterator, around loads, the body and stores. On
// tensors the results are copies of the outputs that are written so.
#include "airlite/dialect/Linalg.hpp"

#include "Access.hpp"
#include "MatrixSum.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::interp {

Step doCopyTensor(Run& run, const Inst& inst) {
  const auto& layout = *static_cast<const ElementLayout*>(inst.data);
  const Slot& slot = run.in(inst, 0);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  const View& from = slot.as<View>();
  View* view = newView(from.sizes, layout, inst.op);
  Slot made;
  made.set(SlotKind::View, view);
  size_t next = 0;
  Step result = Step::Next;
  forEachOffset(from.sizes, from.strides, 0, [&](int64_t at) {
    size_t address = 0;
    result = addressOf(run, inst, from, at, layout.stride(), address);
    if (result != Step::Next) return false;
    for (uint32_t i = 0; i < layout.lanes; ++i) {
      Lane lane = loadLane(*from.memory, address + i * layout.bytes, layout.bytes);
      storeLane(*view->memory, next, layout.bytes, lane);
      next += layout.bytes;
    }
    return true;
  });
  if (result == Step::Next) run.out(inst) = std::move(made);
  return result;
}

uint32_t emitCopyTensor(Builder& b, Operation& op, uint32_t tensor, Type type, uint32_t out) {
  b.emit(doCopyTensor, op, {tensor}, out).data =
      b.arena().make<ElementLayout>(layoutOf(elementTypeOrSelf(type)));
  return out;
}

namespace {

/// in: the shaped operand; imm: which dimension.
Step doSizeOf(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  if (slot.kind() != SlotKind::View) return Step::Retry;
  run.out(inst).setBits(
      static_cast<uint64_t>(slot.as<View>().sizes[static_cast<size_t>(inst.imm)]));
  return Step::Next;
}

}  // namespace

uint32_t emitSizeOf(Builder& b, Operation& op, uint32_t shaped, unsigned dim) {
  uint32_t out = b.temporary();
  b.emit(doSizeOf, op, {shaped}, out).imm = dim;
  return out;
}

namespace {

/// in: pairs of factors, then the sum.
Step doAddProducts(Run& run, const Inst& inst) {
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    const Slot& slot = run.in(inst, i);
    if (!slot.isBits() && !slot.isPoison()) return Step::Retry;
    lanes.push_back(slot.isPoison() ? Lane{0, slot.bits()} : Lane{slot.bits(), 0});
  }
  const Lane sum = addProducts(std::span(lanes).first(lanes.size() - 1), lanes.back());
  if (sum.origin)
    run.out(inst).setPoison(sum.origin);
  else
    run.out(inst).setBits(sum.bits);
  return Step::Next;
}

class Nest {
 public:
  Nest(Builder& b, linalg::StructuredOp op)
      : b_(b), op_(op), maps_(op.indexingMaps()), depth_(linalg::sumDepth(*op.op())) {}

  void emit() {
    bindOperands();
    std::vector<linalg::StructuredOp::LoopSource> sources = op_.loopSources();
    zero_ = b_.constant(*op_, 0);
    one_ = b_.constant(*op_, 1);
    for (const auto& source : sources) {
      uint32_t size = b_.temporary();
      b_.emit(doSizeOf, *op_, {operands_[source.operand]}, size).imm = source.dim;
      sizes_.push_back(size);
      counters_.push_back(b_.temporary());
    }
    op_.op()->walk([&](Operation& inner) {
      if (inner.is("linalg.index"))
        b_.bind(inner.result(),
                counters_[static_cast<size_t>(inner.attrOf<IntegerAttr>("dim").value())]);
    });
    order_.resize(counters_.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    if (depth_) sumInnermost();
    loop(0);
  }

 private:
  /// The last reduction loop goes inside of all others, which changes no order of sums.
  void sumInnermost() {
    std::vector<linalg::IteratorKind> kinds = op_.iterators();
    auto last = order_.end() - 1;
    while (kinds[*last] != linalg::IteratorKind::Reduction)
      --last;
    std::rotate(last, last + 1, order_.end());
    step_ = b_.constant(*op_, depth_);
  }

  /// Outputs that are tensors are copied: the copy is the result.
  void bindOperands() {
    uint32_t results = b_.defineResults(*op_);
    unsigned made = 0;
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      Value operand = op_->operand(i);
      uint32_t reg = b_.use(operand);
      bool isResult = i >= op_.numInputs() && operand.type().isa<RankedTensorType>();
      if (isResult) reg = emitCopyTensor(b_, *op_, reg, operand.type(), results + made++);
      operands_.push_back(reg);
    }
  }

  void loop(size_t depth) {
    if (depth == order_.size()) return depth_ ? sumBody() : body();
    const size_t at = order_[depth];
    const bool isSum = depth_ && depth + 1 == order_.size();
    b_.forLoop(*op_, zero_, sizes_[at], isSum ? step_ : one_, 64, counters_[at],
               [&] { loop(depth + 1); });
  }

  /// Of `depth_` rounds of the innermost loop.
  void sumBody() {
    uint32_t& counter = counters_[order_.back()];
    const uint32_t first = counter;
    AffineExpr round = AffineExpr::dim(op_->context(), 0);
    Builder::Registers in;
    for (int64_t i = 0; i < depth_; ++i) {
      counter = applyExpr(b_, *op_, round + i, 1, {first});
      for (unsigned operand : {0u, 1u})
        in.push_back(load(operand));
    }
    counter = first;
    in.push_back(load(2));
    const uint32_t sum = b_.temporary();
    b_.emit(doAddProducts, *op_, in, sum);
    emitStore(b_, *op_, sum, operands_[2], indicesOf(2), elementOf(2));
  }

  Type elementOf(unsigned operand) const { return elementTypeOrSelf(op_->operand(operand).type()); }
  Builder::Registers indicesOf(unsigned operand) {
    return applyMap(b_, *op_, maps_[operand], counters_);
  }
  uint32_t load(unsigned operand) {
    if (!isShaped(operand)) return operands_[operand];
    const uint32_t out = b_.temporary();
    emitLoad(b_, *op_, operands_[operand], indicesOf(operand), elementOf(operand), out);
    return out;
  }

  bool isShaped(unsigned i) const {
    return op_->operand(i).type().isa<ShapedType>() && !op_->operand(i).type().isa<VectorType>();
  }

  void body() {
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      Value argument = op_.bodyArgument(i);
      if (!argument || !argument.hasUses()) continue;
      if (!isShaped(i)) {
        b_.bind(argument, operands_[i]);
        continue;
      }
      emitLoad(b_, *op_, operands_[i], indicesOf(i), elementOf(i), b_.define(argument));
    }
    b_.block(op_.body(), [&](Operation& end) { store(end); });
  }

  void store(Operation& end) {
    Builder::Registers values = b_.useAll(end.operands());
    for (unsigned i = 0; i < op_.numOutputs(); ++i) {
      unsigned at = op_.numInputs() + i;
      emitStore(b_, *op_, values[i], operands_[at], indicesOf(at), elementOf(at));
    }
  }

  Builder& b_;
  linalg::StructuredOp op_;
  std::vector<AffineMap> maps_;
  int64_t depth_;  // products that are added at once; 0: each alone
  Builder::Registers operands_, sizes_, counters_;
  std::vector<size_t> order_;  // of the loops, outermost first
  uint32_t zero_ = 0, one_ = 0, step_ = 0;
};

bool compileStructured(Builder& b, Operation& op) {
  linalg::StructuredOp structured = linalg::asStructured(&op);
  if (!structured || structured.loopSources().size() != structured.numLoops() ||
      structured.numLoops() > kMaxRank)
    return false;
  for (Value operand : op.operands())
    if (!layoutOf(elementTypeOrSelf(operand.type())).bytes) return false;
  Nest(b, structured).emit();
  return true;
}

bool compileNoStep(Builder&, Operation&) { return true; }

}  // namespace

void addLinalg(CompileTable& table) {
  // The keys of the table are views.
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (std::string_view mnemonic : linalg::namedOpNames())
      names.push_back("linalg." + std::string(mnemonic));
    return names;
  }();
  for (std::string_view name : kNames)
    table[name] = compileStructured;
  for (std::string_view name : {"linalg.generic", "linalg.map", "linalg.reduce", "linalg.broadcast",
                                "linalg.transpose", "linalg.contract", "linalg.elementwise"})
    table[name] = compileStructured;
  table["linalg.index"] = compileNoStep;
}

}  // namespace airlite::interp
