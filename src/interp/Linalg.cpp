// Structured linalg ops: a nest of loops, one per iterator, around loads, the body and stores. On
// tensors the results are copies of the outputs that are written so.
#include "airlite/dialect/Linalg.hpp"

#include "Access.hpp"
#include "LinalgRounds.hpp"
#include "MatrixSum.hpp"
#include "airlite/dialect/Evaluate.hpp"

#include <algorithm>

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

/// in: pairs of factors, then the sum; imm: the linalg::FloatUnit.
Step doAddProducts(Run& run, const Inst& inst) {
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    const Slot& slot = run.in(inst, i);
    if (!slot.isBits() && !slot.isPoison()) return Step::Retry;
    lanes.push_back(slot.isPoison() ? Lane{0, slot.bits()} : Lane{slot.bits(), 0});
  }
  const Lane sum = addProducts(std::span(lanes).first(lanes.size() - 1), lanes.back(),
                               static_cast<linalg::FloatUnit>(inst.imm));
  if (sum.origin)
    run.out(inst).setPoison(sum.origin);
  else
    run.out(inst).setBits(sum.bits);
  return Step::Next;
}

/// in: a bf16. out: the same as f32.
Step doWidenSum(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  if (slot.isPoison())
    run.out(inst).setPoison(slot.bits());
  else if (slot.isBits())
    run.out(inst).setBits(slot.bits() << 16);
  else
    return Step::Retry;
  return Step::Next;
}

/// in: an f32; imm: which of its pieces of bf16 is wanted.
Step doPiece(Run& run, const Inst& inst) {
  const Slot& slot = run.in(inst, 0);
  if (slot.isPoison()) {
    run.out(inst).setPoison(slot.bits());
  } else if (slot.isBits()) {
    run.out(inst).setBits(bf16PieceOf(slot.bits(), static_cast<unsigned>(inst.imm)));
  } else {
    return Step::Retry;
  }
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
    for (size_t loop = 0; loop < counters_.size(); ++loop)
      (depth_ && isReduction(loop) ? reductions_ : order_).push_back(loop);
    if (auto counts = depth_ ? bf16PiecesOf(*op_.op()) : std::nullopt) terms_ = bf16Terms(*counts);
    step_ = b_.constant(*op_, depth_);
    rounds_ = makeRounds();
    const uint32_t first = rounds_ ? emitRounds(b_, *op_, rounds_) : 0;
    loop(0);
    if (rounds_) patchRounds(b_, first);
  }

 private:
  bool isReduction(size_t loop) const {
    return op_.iterators()[loop] == linalg::IteratorKind::Reduction;
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

  /// Null: the loops take one round after the other.
  Rounds* makeRounds() {
    Rounds rounds{counters_, sizes_, order_, reductions_, {}, RoundSums{}, 0};
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      const Type type = op_->operand(i).type();
      if (type.isa<VectorType>()) return nullptr;
      auto operand = isShaped(i) ? roundOperand(maps_[i], operands_[i], type) : RoundOperand{};
      if (!operand) return nullptr;
      operand->isWritten = i >= op_.numInputs();
      rounds.operands.push_back(std::move(*operand));
    }
    if (depth_) {
      rounds.work =
          RoundSums{depth_, terms_, linalg::floatUnitOf(*op_.op()), elementOf(2).isBF16()};
    } else if (auto products = roundProducts(op_)) {
      rounds.work = *products;
    } else {
      auto body = roundBody(b_, op_);
      if (!body) return nullptr;
      rounds.work = std::move(*body);
    }
    return b_.arena().make<Rounds>(std::move(rounds));
  }

  void loop(size_t depth) {
    if (depth == order_.size()) {
      if (rounds_) rounds_->resume = b_.here();
      return depth_ ? sumUp() : body();
    }
    const size_t at = order_[depth];
    b_.forLoop(*op_, zero_, sizes_[at], one_, 64, counters_[at], [&] { loop(depth + 1); });
  }

  // -- Sums at once (linalg::kSumDepth) --

  /// One result: all of its sums, for one pair of pieces after the other.
  void sumUp() {
    sum_ = load(2);
    const bool isNarrow = elementOf(2).isBF16();
    if (isNarrow) sum_ = converted(doWidenSum, sum_, 0);
    if (terms_.empty()) reduce(0, nullptr);
    for (const Bf16Step::Term& term : terms_)
      reduce(0, &term);
    if (isNarrow) sum_ = converted(doPiece, sum_, 0);
    emitStore(b_, *op_, sum_, operands_[2], indicesOf(2), elementOf(2));
  }

  uint32_t converted(Handler step, uint32_t value, unsigned number) {
    const uint32_t out = b_.temporary();
    b_.emit(step, *op_, {value}, out).imm = number;
    return out;
  }

  void reduce(size_t depth, const Bf16Step::Term* term) {
    const size_t at = reductions_[depth];
    if (depth + 1 == reductions_.size()) return reduceLast(at, term);
    b_.forLoop(*op_, zero_, sizes_[at], one_, 64, counters_[at], [&] { reduce(depth + 1, term); });
  }

  /// The loop over the products of a sum, and those that are left.
  void reduceLast(size_t at, const Bf16Step::Term* term) {
    const int64_t size = op_.loopSizes()[at], whole = size / depth_ * depth_;
    if (whole)
      b_.forLoop(*op_, zero_, b_.constant(*op_, whole), step_, 64, counters_[at],
                 [&] { addProducts(at, depth_, term); });
    if (whole == size) return;
    const uint32_t counter = counters_[at];
    counters_[at] = b_.constant(*op_, whole);
    addProducts(at, size - whole, term);
    counters_[at] = counter;
  }

  /// Of `count` rounds of the loop.
  void addProducts(size_t at, int64_t count, const Bf16Step::Term* term) {
    const uint32_t first = counters_[at];
    AffineExpr round = AffineExpr::dim(op_->context(), 0);
    Builder::Registers in;
    for (int64_t i = 0; i < count; ++i) {
      counters_[at] = applyExpr(b_, *op_, round + i, 1, {first});
      const uint32_t a = load(0), b = load(1);
      in.push_back(term ? converted(doPiece, a, term->a) : a);
      in.push_back(term ? converted(doPiece, b, term->b) : b);
    }
    counters_[at] = first;
    in.push_back(sum_);
    b_.emit(doAddProducts, *op_, in, sum_).imm =
        static_cast<int64_t>(linalg::floatUnitOf(*op_.op()));
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
  std::vector<size_t> order_, reductions_;  // loops, outermost first; `order_` has all but sums'
  std::vector<Bf16Step::Term> terms_;
  uint32_t zero_ = 0, one_ = 0, step_ = 0, sum_ = 0;
  Rounds* rounds_ = nullptr;
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
