// Words as ops of arith, see SoftWord.hpp.
#include "SoftWord.hpp"

#include "Routines.hpp"

namespace airlite::npu::soft {

IrMachine::Bit IrMachine::Bit::binary(std::string_view name, Bit other) const {
  Builder& builder = machine->builder();
  Operation* op = builder.create(machine->location(), name, {value, other.value}, {value.type()});
  return {machine, op->result()};
}

IrMachine::Bit IrMachine::Bit::operator!() const {
  Attribute one = IntegerAttr::getBool(machine->builder().context(), true);
  Value constant = machine->builder().constant(machine->location(), one);
  return binary("arith.xori", {machine, constant});
}

IrMachine::Word IrMachine::Word::binary(std::string_view name, Word other) const {
  Builder& builder = machine->builder();
  Operation* op = builder.create(machine->location(), name, {value, other.value}, {value.type()});
  return {machine, op->result()};
}

IrMachine::Word IrMachine::word(uint32_t number) {
  Attribute attr = builder_->i32Attr(static_cast<int32_t>(number));
  return {this, builder_->constant(location_, attr)};
}

IrMachine::Word IrMachine::word(Bit bit) {
  Type type = builder_->intType(32);
  return {this, builder_->create(location_, "arith.extui", {bit.value}, {type})->result()};
}

IrMachine::Word IrMachine::select(Bit condition, Word yes, Word no) {
  Type type = yes.value.type();
  Operation* op =
      builder_->create(location_, "arith.select", {condition.value, yes.value, no.value}, {type});
  return {this, op->result()};
}

IrMachine::Word IrMachine::leadingZeros(Word word) {
  Type type = word.value.type();
  return {this, builder_->create(location_, "math.ctlz", {word.value}, {type})->result()};
}

std::array<IrMachine::Word, 2> IrMachine::upperProduct(std::array<Word, 4> numbers) {
  std::vector<Value> operands;
  for (Word number : numbers)
    operands.push_back(number.value);
  Operation* call = callRoutine(*builder_, location_, *table_, "__air_mul64", operands);
  return {wordOf(call->result(0)), wordOf(call->result(1))};
}

IrMachine::Bit IrMachine::compare(arith::CmpIPredicate predicate, Word a, Word b) {
  Attribute attr = builder_->i64Attr(static_cast<int64_t>(predicate));
  Operation* op = builder_->create(location_, "arith.cmpi", {a.value, b.value},
                                   {builder_->intType(1)}, {builder_->named("predicate", attr)});
  return {this, op->result()};
}

scf::ForOp IrMachine::beginLoop(uint32_t count, const Word* state, size_t size) {
  std::vector<Value> values;
  for (size_t i = 0; i < size; ++i)
    values.push_back(state[i].value);
  Value zero = builder_->constantIndex(location_, 0);
  Value end = builder_->constantIndex(location_, count);
  Value one = builder_->constantIndex(location_, 1);
  scf::ForOp loop = scf::ForOp::create(*builder_, location_, zero, end, one, values);
  builder_->setToEnd(loop.body());
  return loop;
}

void IrMachine::endLoop(scf::ForOp loop, const Word* state, size_t size) {
  std::vector<Value> values;
  for (size_t i = 0; i < size; ++i)
    values.push_back(state[i].value);
  scf::YieldOp::create(*builder_, location_, values);
  builder_->setAfter(*loop);
}

}  // namespace airlite::npu::soft
