// arith and math: scalars, vectors and tensors. What an element computes is in
// dialect/Evaluate.hpp.
#include "Compiler.hpp"
#include "Machine.hpp"
#include "VectorInternal.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

namespace {

constexpr uint32_t kMaxOperands = 3;

uint64_t poisonOrigin(Run& run, const Inst& inst) {
  return run.machine.origins.of(
      inst.op, "the result of '" + std::string(inst.op->name()) + "' on these operands is poison");
}

Step undefined(Run& run, const Inst& inst, const uint64_t* in) {
  std::string_view name = inst.op->name();
  InFlightDiagnostic error = run.machine.error(run, *inst.op);
  error << "'" << name << "' is undefined on these operands: ";
  if (inst.numIn > 1 && in[1] == 0)
    error << "division by zero";
  else
    error << "the result does not fit";
  return Step::Fail;
}

/// A divisor without a value may be zero; everything else passes the poison on.
bool divides(Operation& op) {
  std::string_view name = op.name();
  return !op.operand(0).type().isFloat() &&
         (name.find("div") != name.npos || name.starts_with("arith.rem"));
}

Step withPoison(Run& run, const Inst& inst) {
  uint64_t origin = 0;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    const Slot& slot = run.in(inst, i);
    if (slot.isPoison()) origin = slot.bits();
    if (!slot.isBits() && !slot.isPoison()) return Step::Retry;
  }
  bool divisor = inst.numIn > 1 && run.in(inst, 1).isPoison() && divides(*inst.op);
  if (divisor) return run.machine.poisonError(run, inst, run.in(inst, 1), "the divisor");
  for (unsigned i = 0; i < inst.op->numResults(); ++i)
    run.out(inst, i).setPoison(origin);
  return Step::Next;
}

/// Of `kCount` operands, all scalars.
template <uint32_t kCount> Step doScalar(Run& run, const Inst& inst) {
  uint64_t in[kMaxOperands], out[2];
  for (uint32_t i = 0; i < kCount; ++i) {
    const Slot& slot = run.in(inst, i);
    if (!slot.isBits()) [[unlikely]]
      return withPoison(run, inst);
    in[i] = slot.bits();
  }
  const auto& op = *static_cast<const ElementOp*>(inst.data);
  Evaluation result = op.compute(op, in, out);
  if (result == Evaluation::Undefined) return undefined(run, inst, in);
  for (int64_t i = 0; i < inst.imm; ++i) {
    Slot& slot = run.out(inst, static_cast<uint32_t>(i));
    result == Evaluation::Poison ? slot.setPoison(poisonOrigin(run, inst)) : slot.setBits(out[i]);
  }
  return Step::Next;
}

/// Both results of an op are needed at once only in registers, so `out` has room for two.
Step computeLane(Run& run, const Inst& inst, const ElementOp& op, const Lane* in, Lane* out) {
  uint64_t bits[kMaxOperands] = {}, computed[2];
  auto results = static_cast<uint32_t>(inst.imm);
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    bits[i] = in[i].bits;
    if (!in[i].origin) continue;
    for (uint32_t r = 0; r < results; ++r)
      out[r] = {0, in[i].origin};
    return Step::Next;
  }
  Evaluation result = op.compute(op, bits, computed);
  if (result == Evaluation::Undefined) return undefined(run, inst, bits);
  uint64_t origin = result == Evaluation::Poison ? poisonOrigin(run, inst) : 0;
  for (uint32_t r = 0; r < results; ++r)
    out[r] = {computed[r], origin};
  return Step::Next;
}

Step doVector(Run& run, const Inst& inst) {
  size_t count = 0;
  for (uint32_t i = 0; i < inst.numIn; ++i) {
    SlotKind kind = run.in(inst, i).kind();
    if (kind == SlotKind::View || kind == SlotKind::Pending) return Step::Retry;
    if (kind == SlotKind::Array) count = run.in(inst, i).as<Array>().lanes.size();
  }
  auto* first = new Array;
  auto* second = new Array;
  Slot results[2];
  results[0].set(SlotKind::Array, first);
  results[1].set(SlotKind::Array, second);
  for (size_t lane = 0; lane < count; ++lane) {
    Lane in[kMaxOperands], out[2];
    for (uint32_t i = 0; i < inst.numIn; ++i)
      in[i] = laneOf(run.in(inst, i), lane);
    const auto& op = *static_cast<const ElementOp*>(inst.data);
    if (Step step = computeLane(run, inst, op, in, out); step != Step::Next) return step;
    first->lanes.push_back(out[0]);
    if (inst.imm > 1) second->lanes.push_back(out[1]);
  }
  for (uint32_t r = 0; r < inst.imm; ++r)
    run.out(inst, r) = results[r];
  return Step::Next;
}

/// An op on tensors of one shape.
struct TensorOp {
  ElementOp element;
  ElementLayout in[kMaxOperands], out[2];
};

/// Element by element; a result is a tensor of its own.
class TensorRun {
 public:
  TensorRun(Run& run, const Inst& inst) : run_(run), inst_(inst) {}

  Step compute() {
    for (uint32_t i = 0; i < inst_.numIn; ++i)
      if (run_.in(inst_, i).kind() != SlotKind::View) return Step::Retry;
    const View& first = run_.in(inst_, 0).as<View>();
    for (uint32_t i = 1; i < inst_.numIn; ++i)
      if (run_.in(inst_, i).as<View>().sizes != first.sizes) return refuseShapes();
    Slot results[2];
    for (uint32_t r = 0; r < results_; ++r)
      results[r].set(SlotKind::View, newView(first.sizes, op_.out[r], inst_.op));
    for (uint32_t i = 0; i < inst_.numIn; ++i)
      bytes_[i] = bytesOf(run_.in(inst_, i).as<View>(), op_.in[i]);
    for (size_t n = 0; n < bytes_[0].size(); ++n)
      if (Step s = element(n, results); s != Step::Next) return s;
    for (uint32_t r = 0; r < results_; ++r)
      run_.out(inst_, r) = results[r];
    return Step::Next;
  }

 private:
  /// Where each element lies, in row-major order.
  static std::vector<size_t> bytesOf(const View& view, const ElementLayout& layout) {
    std::vector<size_t> bytes;
    forEachOffset(view.sizes, view.strides, view.offset, [&](int64_t at) {
      bytes.push_back(static_cast<size_t>(view.base + at * layout.bytes));
      return true;
    });
    return bytes;
  }

  Step refuseShapes() {
    run_.machine.error(run_, *inst_.op) << "the operands have different sizes";
    return Step::Fail;
  }

  Step element(size_t n, Slot* results) {
    Lane in[kMaxOperands], out[2];
    for (uint32_t i = 0; i < inst_.numIn; ++i) {
      Slot slot;
      loadSlot(run_, inst_, run_.in(inst_, i).as<View>(), bytes_[i][n], op_.in[i], slot);
      in[i] = laneOf(slot, 0);
    }
    if (Step s = computeLane(run_, inst_, op_.element, in, out); s != Step::Next) return s;
    for (uint32_t r = 0; r < results_; ++r)
      storeLane(*results[r].as<View>().memory, n * op_.out[r].bytes, op_.out[r].bytes, out[r]);
    return Step::Next;
  }

  Run& run_;
  const Inst& inst_;
  const TensorOp& op_ = *static_cast<const TensorOp*>(inst_.data);
  uint32_t results_ = static_cast<uint32_t>(inst_.imm);
  std::vector<size_t> bytes_[kMaxOperands];
};

Step doTensor(Run& run, const Inst& inst) { return TensorRun(run, inst).compute(); }

bool compileOnTensors(Builder& b, Operation& op, const ElementOp& element) {
  TensorOp tensors{element, {}, {}};
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    auto type = op.operand(i).type().dynCast<RankedTensorType>();
    if (!type) return false;
    tensors.in[i] = layoutOf(type.elementType());
    if (!tensors.in[i].bytes) return false;
  }
  for (unsigned i = 0; i < op.numResults(); ++i)
    tensors.out[i] = layoutOf(elementTypeOrSelf(op.result(i).type()));
  if (!tensors.out[0].bytes) return false;
  Builder::Registers in = b.useAll(op.operands());
  Inst& inst = b.emit(doTensor, op, in, b.defineResults(op));
  inst.data = b.arena().make<TensorOp>(tensors);
  inst.imm = op.numResults();
  return true;
}

bool compileElementwise(Builder& b, Operation& op) {
  std::optional<ElementOp> element = elementOp(op);
  if (op.is("vector.fma"))
    element = namedElementOp("math.fma", op.operand(0).type(), op.result().type());
  if (!element || op.numOperands() > kMaxOperands || op.numResults() > 2) return false;
  bool isVector = false;
  for (Value value : op.operands()) {
    if (value.type().isa<VectorType>())
      isVector = true;
    else if (value.type().isa<ShapedType>())
      return compileOnTensors(b, op, *element);
  }
  constexpr Handler kScalar[] = {nullptr, doScalar<1>, doScalar<2>, doScalar<3>};
  Handler handler = isVector ? doVector : kScalar[op.numOperands()];
  Builder::Registers in = b.useAll(op.operands());
  Inst& inst = b.emit(handler, op, in, b.defineResults(op));
  inst.data = b.arena().make<ElementOp>(*element);
  inst.imm = op.numResults();
  return true;
}

// -- arith.select and constants -------------------------------------------------------------------

Step doSelect(Run& run, const Inst& inst) {
  const Slot& condition = run.in(inst, 0);
  if (condition.isPoison()) {
    SlotKind kind = run.in(inst, 1).kind();
    if (kind == SlotKind::View)
      return run.machine.poisonError(run, inst, condition, "the condition");
    run.out(inst).setPoison(condition.bits());
    return Step::Next;
  }
  if (!condition.isBits()) return Step::Retry;
  Slot chosen = run.in(inst, condition.bits() ? 1 : 2);
  run.out(inst) = std::move(chosen);
  return Step::Next;
}

bool compileSelect(Builder& b, Operation& op) {
  if (op.operand(0).type().isa<ShapedType>()) return compileElementwise(b, op);
  Builder::Registers in = b.useAll(op.operands());
  b.emit(doSelect, op, in, b.defineResults(op));
  return true;
}

Step doCopySlot(Run& run, const Inst& inst) {
  run.out(inst) = *static_cast<const Slot*>(inst.data);
  return Step::Next;
}

/// The elements of a constant; empty for other attributes.
std::optional<Slot> constantSlot(Attribute value, Type type) {
  std::optional<folding::ConstantBits> bits = folding::ConstantBits::get(value);
  if (!bits) return std::nullopt;
  Slot slot;
  auto vector = type.dynCast<VectorType>();
  if (!vector) {
    if (type.isa<ShapedType>()) return std::nullopt;
    slot.setBits(bits->at(0));
    return slot;
  }
  auto* array = new Array;
  slot.set(SlotKind::Array, array);
  for (int64_t i = 0, end = vector.numElements(); i < end; ++i)
    array->lanes.push_back({bits->at(bits->isSplat() ? 0 : i), 0});
  return slot;
}

bool compileConstant(Builder& b, Operation& op) {
  std::optional<Slot> slot = constantSlot(op.attr("value"), op.result().type());
  if (!slot) return compileTensorConstant(b, op);
  b.emit(doCopySlot, op, {}, b.defineResults(op)).data = b.arena().make<Slot>(*slot);
  return true;
}

Step doPoison(Run& run, const Inst& inst) {
  run.out(inst).setPoison(run.machine.origins.of(inst.op, "poison"));
  return Step::Next;
}

bool compilePoison(Builder& b, Operation& op) {
  if (op.result().type().isa<ShapedType>()) return false;
  b.emit(doPoison, op, {}, b.defineResults(op));
  return true;
}

}  // namespace

void addElementwise(CompileTable& table) {
  for (std::string_view name : elementOpNames())
    table[name] = compileElementwise;
  table["vector.fma"] = compileElementwise;
  table["arith.select"] = compileSelect;
  table["arith.constant"] = compileConstant;
  table["ub.poison"] = compilePoison;
}

}  // namespace airlite::interp
