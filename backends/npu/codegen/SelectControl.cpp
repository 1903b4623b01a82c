// Control flow: blocks and branches as they are, structured ops as blocks, arguments and results as
// registers that are written on the way in.
#include "Select.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Form;

std::span<const Selector::OpRow> Selector::controlOps() {
  static constexpr OpRow kRows[] = {
      {"cf.br", &Selector::selectBranch},
      {"cf.cond_br", &Selector::selectCondBranch},
      {"scf.for", &Selector::selectFor},
      {"scf.if", &Selector::selectIf},
      {"scf.while", &Selector::selectWhile},
      {"scf.execute_region", &Selector::selectExecuteRegion},
      {"scf.yield", &Selector::selectYield},
      {"scf.condition", &Selector::selectYield},
      {"aie.end", &Selector::selectEnd},
      {"aie.buffer", &Selector::selectNothing},
      {"aie.lock", &Selector::selectNothing},
      {"arith.constant", &Selector::selectNothing},
  };
  return kRows;
}

bool Selector::selectOp(Operation& op) {
  location_ = op.location();
  if (Handler handler = handlerOf(op)) return (this->*handler)(op);
  op.emitOpError() << "is nothing that a core can run; docs/npu_core_ir.md has what it can";
  return false;
}

bool Selector::selectNothing(Operation&) { return true; }

bool Selector::selectBlock(Block& block) {
  for (Operation& op : block.ops()) {
    stepToRound(op);
    if (!unneeded_.contains(&op) && !selectOp(op)) return false;
  }
  return true;
}

std::optional<std::vector<Operand>> Selector::defineAll(Operation& op,
                                                        std::span<const Value> values) {
  std::vector<Operand> registers;
  for (Value value : values) {
    if (!checkedClass(op, value.type())) return std::nullopt;
    registers.push_back(define(value));
  }
  return registers;
}

/// The blocks of a core or function; the first goes on where the machine's block is.
bool Selector::selectRegion(Region& region) {
  for (Block& block : region.blocks()) {
    blocks_[&block] = block.isEntry() ? block_ : newBlock();
    if (!block.isEntry() && !defineAll(*region.parentOp(), block.arguments())) return false;
  }
  for (Block& block : region.blocks()) {
    if (!block.isEntry()) enter(blocks_.at(&block));
    if (!selectBlock(block)) return false;
  }
  return true;
}

/// A block that hands `values` to the arguments of a successor; the successor itself when there are
/// none.
uint32_t Selector::edge(Operation& op, unsigned successor, std::span<const Value> values) {
  Block* target = op.successor(successor);
  if (values.empty()) return blocks_.at(target);
  uint32_t from = block_, between = newBlock();
  enter(between);
  std::vector<Operand> arguments;
  for (Value argument : target->arguments())
    arguments.push_back(reg(argument));
  copyAll(arguments, values);
  jump(blocks_.at(target));
  enter(from);
  return between;
}

bool Selector::selectBranch(Operation& op) {
  std::vector<Operand> arguments;
  for (Value argument : op.successor(0)->arguments())
    arguments.push_back(reg(argument));
  copyAll(arguments, op.operands().vec());
  jump(blocks_.at(op.successor(0)));
  return true;
}

bool Selector::selectCondBranch(Operation& op) {
  cf::CondBranchOp branchOp(&op);
  Operand taken = condition(branchOp.condition());
  uint32_t onTrue = edge(op, 0, branchOp.trueOperands().vec());
  uint32_t onFalse = edge(op, 1, branchOp.falseOperands().vec());
  branch(taken, onTrue, onFalse);
  return true;
}

bool Selector::selectEnd(Operation&) {
  end({});
  return true;
}

/// The ops around take the values; of a region that has blocks, each yield goes to its end.
bool Selector::selectYield(Operation& op) {
  auto found = exits_.find(op.parentOp());
  if (found == exits_.end()) return true;
  copyAll(found->second.results, op.operands().vec());
  jump(found->second.behind);
  return true;
}

bool Selector::selectExecuteRegion(Operation& op) {
  auto results = defineAll(op, op.resultValues());
  if (!results) return false;
  uint32_t behind = newBlock();
  exits_[&op] = {behind, std::move(*results)};
  if (!selectRegion(op.region())) return false;
  enter(behind);
  return true;
}

// -- Loops ----------------------------------------------------------------------------------------

/// Whether `variable`, which is below the upper bound, is so still after a step: the step is
/// smaller than what is left, which unlike the sum always fits.
Operand Selector::loopGoesOn(Operation& op, Operand variable) {
  scf::ForOp loop(&op);
  auto lower = constantOf(loop.lowerBound()), upper = constantOf(loop.upperBound()),
       step = constantOf(loop.step());
  bool fits = step && (*step == 1 || (lower && upper && int64_t{*upper} + *step <= INT32_MAX));
  Operand stepReg = step ? Operand() : extended(loop.step(), true);
  Operand upperReg = extended(loop.upperBound(), true);
  Operand goesOn;
  if (!fits) {
    Operand left = compute(Form::SUB, upperReg, variable);
    goesOn = compute(Form::LTU, step ? extended(loop.step(), true) : stepReg, left);
  }
  if (step && *step >= -64 && *step <= 63)
    emit(Form::ADD_add_r_ri, {variable, variable, Operand::imm(*step)});
  else
    emit(Form::ADD, {variable, variable, extended(loop.step(), true)});
  return fits ? compute(Form::LT, variable, upperReg) : goesOn;
}

/// The loop's variable with its first value.
Operand Selector::startLoop(Operation& op) {
  scf::ForOp loop(&op);
  Operand variable = define(loop.inductionVar(), Upper::Sign);
  if (auto lower = constantOf(loop.lowerBound()))
    setConstant(variable, static_cast<uint32_t>(*lower));
  else
    copy(variable, extended(loop.lowerBound(), true), RegClass::Gpr);
  return variable;
}

/// Makes the block behind a loop and the ways into the body and out of it; without `isEntered` the
/// loop runs at least once.
void Selector::closeLoop(uint32_t before, std::optional<Operand> isEntered, uint32_t body,
                         Operand goesOn) {
  uint32_t behind = newBlock();
  branch(goesOn, body, behind);
  enter(before);
  if (isEntered)
    branch(*isEntered, body, behind);
  else
    jump(body);
  enter(behind);
}

bool Selector::selectFor(Operation& op) {
  scf::ForOp loop(&op);
  if (!checkedClass(op, loop.inductionVar().type())) return false;
  auto carried = defineAll(op, loop.regionIterArgs());
  if (!carried) return false;
  copyAll(*carried, loop.initArgs().vec());
  Operand variable = startLoop(op);
  auto lower = constantOf(loop.lowerBound()), upper = constantOf(loop.upperBound());
  std::optional<Operand> isEntered;
  if (!lower || !upper || *lower >= *upper)
    isEntered = compute(Form::LT, variable, extended(loop.upperBound(), true));
  planPointers(op);
  uint32_t before = block_;
  ++depth_;
  uint32_t body = newBlock();
  enter(body);
  isInRow_ =
      loop.tripCount().has_value() &&
      std::ranges::none_of(loop.body().ops(), [](auto& inner) { return inner.numRegions() != 0; });
  if (!selectBlock(loop.body())) return false;
  isInRow_ = false;
  location_ = op.location();
  copyAll(*carried, loop.yield().values().vec());
  stepping_.clear();
  unneeded_.clear();
  Operand goesOn = loopGoesOn(op, variable);
  if (auto rounds = loop.tripCount(); rounds && block_ == body && *rounds <= UINT32_MAX)
    function_.blocks[body].rounds = static_cast<uint32_t>(*rounds);
  --depth_;
  closeLoop(before, isEntered, body, goesOn);
  for (unsigned i = 0; i < op.numResults(); ++i)
    alias(op.result(i), (*carried)[i]);
  return true;
}

bool Selector::selectWhile(Operation& op) {
  scf::WhileOp loop(&op);
  auto before = defineAll(op, loop.beforeBody().arguments());
  auto after = before ? defineAll(op, loop.afterBody().arguments()) : std::nullopt;
  if (!after) return false;
  copyAll(*before, loop.inits().vec());
  ++depth_;
  uint32_t test = newBlock();
  jump(test);
  enter(test);
  if (!selectBlock(loop.beforeBody())) return false;
  location_ = op.location();
  Operand goesOn = condition(loop.conditionOp().condition());
  // What the condition hands on goes to the body and, when the loop ends, to the results.
  copyAll(*after, loop.conditionOp().args().vec());
  uint32_t tested = block_, body = newBlock();
  enter(body);
  if (!selectBlock(loop.afterBody())) return false;
  location_ = op.location();
  copyAll(*before, loop.yield().values().vec());
  jump(test);
  --depth_;
  uint32_t behind = newBlock();
  enter(tested);
  branch(goesOn, body, behind);
  enter(behind);
  for (unsigned i = 0; i < op.numResults(); ++i)
    alias(op.result(i), (*after)[i]);
  return true;
}

bool Selector::selectIf(Operation& op) {
  scf::IfOp choice(&op);
  auto results = defineAll(op, op.resultValues());
  if (!results) return false;
  Operand taken = condition(choice.condition());
  uint32_t before = block_, onTrue = newBlock();
  enter(onTrue);
  if (!selectBlock(choice.thenBlock())) return false;
  copyAll(*results, choice.thenYield().values().vec());
  uint32_t trueEnd = block_, onFalse = 0, falseEnd = 0;
  if (choice.hasElse()) {
    enter(onFalse = newBlock());
    if (!selectBlock(choice.elseBlock())) return false;
    copyAll(*results, choice.elseYield().values().vec());
    falseEnd = block_;
  }
  uint32_t behind = newBlock();
  location_ = op.location();
  for (uint32_t block : {trueEnd, falseEnd}) {
    if (block == falseEnd && !choice.hasElse()) continue;
    enter(block);
    jump(behind);
  }
  enter(before);
  branch(taken, onTrue, choice.hasElse() ? onFalse : behind);
  enter(behind);
  return true;
}

}  // namespace airlite::npu::codegen
