// Structured linalg ops: a nest of loops, one per iterator, around loads, the body and stores. On
// tensors the results are copies of the outputs that are written so.
#include "airlite/dialect/Linalg.hpp"

#include "Access.hpp"

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

class Nest {
 public:
  Nest(Builder& b, linalg::StructuredOp op) : b_(b), op_(op), maps_(op.indexingMaps()) {}

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
    loop(0);
  }

 private:
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
    if (depth == counters_.size()) return body();
    b_.forLoop(*op_, zero_, sizes_[depth], one_, 64, counters_[depth], [&] { loop(depth + 1); });
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
      emitLoad(b_, *op_, operands_[i], applyMap(b_, *op_, maps_[i], counters_),
               elementTypeOrSelf(op_->operand(i).type()), b_.define(argument));
    }
    b_.block(op_.body(), [&](Operation& end) { store(end); });
  }

  void store(Operation& end) {
    Builder::Registers values = b_.useAll(end.operands());
    for (unsigned i = 0; i < op_.numOutputs(); ++i) {
      unsigned at = op_.numInputs() + i;
      emitStore(b_, *op_, values[i], operands_[at], applyMap(b_, *op_, maps_[at], counters_),
                elementTypeOrSelf(op_->operand(at).type()));
    }
  }

  Builder& b_;
  linalg::StructuredOp op_;
  std::vector<AffineMap> maps_;
  Builder::Registers operands_, sizes_, counters_;
  uint32_t zero_ = 0, one_ = 0;
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
