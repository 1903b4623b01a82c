#include "SelectLoop.hpp"

#include "VectorForms.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Form;

/// Whether `variable`, which is below the upper bound, is so still after a step: the step is
/// smaller than what is left, which unlike the sum always fits.
Operand LoopSelector::loopGoesOn(Operation& op, Operand variable) {
  scf::ForOp loop(&op);
  auto lower = constantBits(loop.lowerBound()), upper = constantBits(loop.upperBound()),
       step = constantBits(loop.step());
  bool fits = step && (*step == 1 || (lower && upper && int64_t{*upper} + *step <= INT32_MAX));
  Operand stepReg = step ? Operand() : values_.extended(loop.step(), true);
  Operand upperReg = values_.extended(loop.upperBound(), true);
  Operand goesOn;
  if (!fits) {
    Operand left = emitter_.compute(Form::SUB, upperReg, variable);
    goesOn =
        emitter_.compute(Form::LTU, step ? values_.extended(loop.step(), true) : stepReg, left);
  }
  if (step && *step >= -64 && *step <= 63)
    emitter_.emit(Form::ADD_add_r_ri, {variable, variable, Operand::imm(*step)});
  else
    emitter_.emit(Form::ADD, {variable, variable, values_.extended(loop.step(), true)});
  return fits ? emitter_.compute(Form::LT, variable, upperReg) : goesOn;
}

/// The loop's variable with its first value.
Operand LoopSelector::startLoop(Operation& op) {
  scf::ForOp loop(&op);
  Operand variable = values_.define(loop.inductionVar(), Upper::Sign);
  if (auto lower = constantBits(loop.lowerBound()))
    emitter_.setConstant(variable, static_cast<uint32_t>(*lower));
  else
    emitter_.copy(variable, values_.extended(loop.lowerBound(), true), RegClass::Gpr);
  return variable;
}

/// Makes the block after a loop and the ways into the body and out of it; without `isEntered` the
/// loop runs at least once.
void LoopSelector::closeLoop(uint32_t before, std::optional<Operand> isEntered, uint32_t body,
                             Operand goesOn) {
  uint32_t after = emitter_.newBlock();
  emitter_.branch(goesOn, body, after);
  emitter_.enter(before);
  if (isEntered)
    emitter_.branch(*isEntered, body, after);
  else
    emitter_.jump(body);
  emitter_.enter(after);
}

namespace {

/// Whether it is an innermost loop of known length.
bool isRow(scf::ForOp loop) {
  return loop.tripCount().has_value() && std::ranges::none_of(loop.body().ops(), [](auto& inner) {
           return inner.numRegions() != 0;
         });
}

}  // namespace

bool LoopSelector::selectFor(Operation& op) {
  scf::ForOp loop(&op);
  if (!checkedClass(op, loop.inductionVar().type())) return false;
  auto carried = values_.defineAll(op, loop.regionIterArgs());
  if (!carried) return false;
  values_.copyAll(*carried, loop.initArgs().vec());
  Operand variable = startLoop(op);
  auto lower = constantBits(loop.lowerBound()), upper = constantBits(loop.upperBound());
  std::optional<Operand> isEntered;
  if (!lower || !upper || *lower >= *upper)
    isEntered = emitter_.compute(Form::LT, variable, values_.extended(loop.upperBound(), true));
  pointers_.plan(op);
  uint32_t before = emitter_.block();
  emitter_.enterLoop();
  uint32_t body = emitter_.newBlock();
  emitter_.enter(body);
  emitter_.setInRow(isRow(loop));
  if (!control_.selectBlock(loop.body())) return false;
  emitter_.setInRow(false);
  emitter_.setLocation(op.location());
  values_.copyAll(*carried, loop.yield().values().vec());
  pointers_.clear();
  Operand goesOn = loopGoesOn(op, variable);
  if (auto rounds = loop.tripCount(); rounds && emitter_.block() == body && *rounds <= UINT32_MAX)
    emitter_.setRounds(body, static_cast<uint32_t>(*rounds));
  emitter_.leaveLoop();
  closeLoop(before, isEntered, body, goesOn);
  for (unsigned i = 0; i < op.numResults(); ++i)
    values_.alias(op.result(i), leftBehind((*carried)[i]));
  return true;
}

/// What a loop has carried, after it. AIE2P has few accumulators: one that a loop adds to is never
/// spilled, so that what lives on leaves it.
Operand LoopSelector::leftBehind(Operand carried) {
  if (emitter_.isAie2() || emitter_.classOf(carried) != RegClass::HalfAccumulator) return carried;
  Operand row = emitter_.fresh(RegClass::Vector);
  emitter_.emit(Form::VMOV_mv_x, {row, carried.at(rowOfSums(emitter_))});
  return row;
}

bool LoopSelector::selectWhile(Operation& op) {
  scf::WhileOp loop(&op);
  auto before = values_.defineAll(op, loop.beforeBody().arguments());
  auto after = before ? values_.defineAll(op, loop.afterBody().arguments()) : std::nullopt;
  if (!after) return false;
  values_.copyAll(*before, loop.inits().vec());
  emitter_.enterLoop();
  uint32_t test = emitter_.newBlock();
  emitter_.jump(test);
  emitter_.enter(test);
  if (!control_.selectBlock(loop.beforeBody())) return false;
  emitter_.setLocation(op.location());
  Operand goesOn = values_.condition(loop.conditionOp().condition());
  // What the condition hands on goes to the body and, when the loop ends, to the results.
  values_.copyAll(*after, loop.conditionOp().args().vec());
  uint32_t tested = emitter_.block(), body = emitter_.newBlock();
  emitter_.enter(body);
  if (!control_.selectBlock(loop.afterBody())) return false;
  emitter_.setLocation(op.location());
  values_.copyAll(*before, loop.yield().values().vec());
  emitter_.jump(test);
  emitter_.leaveLoop();
  uint32_t next = emitter_.newBlock();
  emitter_.enter(tested);
  emitter_.branch(goesOn, body, next);
  emitter_.enter(next);
  for (unsigned i = 0; i < op.numResults(); ++i)
    values_.alias(op.result(i), (*after)[i]);
  return true;
}

}  // namespace airlite::npu::codegen
