#include "Select.hpp"

#include "airlite/dialect/Func.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Form;

uint32_t CoreState::calleeNumber(Operation& function) {
  for (uint32_t i = 0; i < callees.size(); ++i)
    if (callees[i].function == &function) return i;
  callees.push_back({std::string(func::FuncOp(&function).symName()), &function});
  return static_cast<uint32_t>(callees.size() - 1);
}

Selector::Handler Selector::handlerOf(Operation& op) {
  auto find = [&](std::span<const OpRow> table) -> Handler {
    for (const OpRow& row : table)
      if (op.is(row.name)) return row.handler;
    return nullptr;
  };
  for (auto table : {controlOps(), callOps()})
    if (Handler handler = find(table)) return handler;
  if (isVectorOp(op)) return find(vectorOps());
  Handler handler = find(integerOps());
  return handler ? handler : find(memoryOps());
}

bool Selector::select(Operation& op) {
  enter(newBlock());
  location_ = op.location();
  if (auto function = dynCast<func::FuncOp>(&op))
    if (!takeArguments(op)) return false;
  return selectRegion(op.region()) && !failed_;
}

uint32_t Selector::newBlock() {
  function_.blocks.emplace_back().depth = depth_;
  return static_cast<uint32_t>(function_.blocks.size() - 1);
}

void Selector::enter(uint32_t block) {
  block_ = block;
  constants_.clear();
  offsets_.clear();
  splats_.clear();
  copies_.clear();
  pieces_.clear();
  rests_.clear();
  piecePlaces_.clear();
  shortProducts_.clear();
}

void Selector::end(Terminator terminator) {
  terminator.location = location_;
  function_.blocks[block_].terminator = std::move(terminator);
}

void Selector::jump(uint32_t target) {
  Terminator terminator;
  terminator.kind = Terminator::Kind::Jump;
  terminator.target = target;
  end(terminator);
}

void Selector::branch(Operand condition, uint32_t target, uint32_t otherwise) {
  Terminator terminator;
  terminator.kind = Terminator::Kind::Branch;
  terminator.condition = condition;
  terminator.target = target;
  terminator.otherwise = otherwise;
  end(terminator);
}

MachineInst& Selector::emit(Form form, std::initializer_list<Operand> operands) {
  return function_.blocks[block_].instructions.emplace_back(form, operands, location_);
}

Operand Selector::compute(Form form, Operand a) {
  Operand result = fresh();
  emit(form, {result, a});
  return result;
}

Operand Selector::compute(Form form, Operand a, Operand b) {
  Operand result = fresh();
  emit(form, {result, a, b});
  return result;
}

void Selector::copy(Operand to, Operand from, RegClass toClass) {
  if (to == from) return;
  function_.blocks[block_].instructions.push_back(makeCopy(to, from, toClass, location_));
}

}  // namespace airlite::npu::codegen
