// Words as ops of arith, see SoftWord.hpp.
#include "SoftWord.hpp"

#include "Routines.hpp"
#include "airlite/ir/Symbols.hpp"

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

std::array<IrMachine::Word, 2> IrMachine::callFor(std::string_view routine,
                                                  std::span<const Word> words) {
  std::vector<Value> operands;
  for (Word word : words)
    operands.push_back(word.value);
  Operation* call = callRoutine(*builder_, location_, *table_, routine, operands);
  return {wordOf(call->result(0)), wordOf(call->result(1))};
}

MemRefType ensureGlobal(Operation& table, std::string_view name, std::span<const uint32_t> words) {
  Context& context = table.context();
  Type word = IntegerType::get(context, 32);
  auto size = static_cast<int64_t>(words.size());
  MemRefType type = MemRefType::get(context, std::span(&size, 1), word);
  if (lookupSymbolIn(table, name)) return type;
  std::vector<Attribute> values;
  for (uint32_t bits : words)
    values.push_back(IntegerAttr::get(word, static_cast<int32_t>(bits)));
  Block& block = table.region().front();
  Builder builder = Builder::atEnd(block);
  if (block.terminator()) builder.setBefore(block.back());
  Attribute initial =
      DenseElementsAttr::get(RankedTensorType::get(context, std::span(&size, 1), word), values);
  builder.create(
      table.location(), "memref.global", {}, {},
      {builder.named("sym_name", builder.stringAttr(name)),
       builder.named("sym_visibility", builder.stringAttr("private")),
       builder.named("type", TypeAttr::get(type)), builder.named("initial_value", initial),
       builder.named("constant", builder.unitAttr())});
  return type;
}

IrMachine::Word IrMachine::lookup(std::string_view table, std::span<const uint32_t> words,
                                  Word index) {
  MemRefType type = ensureGlobal(*table_, table, words);
  NamedAttribute name = builder_->named("name", SymbolRefAttr::get(builder_->context(), table));
  Value memory = builder_->create(location_, "memref.get_global", {}, {type}, {name})->result();
  Value at = builder_->create(location_, "arith.index_cast", {index.value}, {builder_->indexType()})
                 ->result();
  return wordOf(
      builder_->create(location_, "memref.load", {memory, at}, {builder_->intType(32)})->result());
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
