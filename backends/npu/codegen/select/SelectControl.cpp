#include "SelectControl.hpp"

#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite::npu::codegen {

bool ControlSelector::selectBlock(Block& block) {
  for (Operation& op : block.ops()) {
    pointers_.stepToRound(op);
    if (!pointers_.isUnneeded(op) && !selectOp_(op)) return false;
  }
  return true;
}

bool ControlSelector::selectRegion(Region& region) {
  for (Block& block : region.blocks()) {
    blocks_[&block] = block.isEntry() ? emitter_.block() : emitter_.newBlock();
    if (!block.isEntry() && !values_.defineAll(*region.parentOp(), block.arguments())) return false;
  }
  for (Block& block : region.blocks()) {
    if (!block.isEntry()) emitter_.enter(blocks_.at(&block));
    if (!selectBlock(block)) return false;
  }
  return true;
}

void ControlSelector::copyArguments(Block& target, std::span<const Value> values) {
  std::vector<Operand> arguments;
  for (Value argument : target.arguments())
    arguments.push_back(values_.reg(argument));
  values_.copyAll(arguments, values);
}

/// A block that hands `values` to the arguments of a successor; the successor itself when there are
/// none.
uint32_t ControlSelector::edge(Operation& op, unsigned successor, std::span<const Value> values) {
  Block* target = op.successor(successor);
  if (values.empty()) return blocks_.at(target);
  uint32_t from = emitter_.block(), between = emitter_.newBlock();
  emitter_.enter(between);
  copyArguments(*target, values);
  emitter_.jump(blocks_.at(target));
  emitter_.enter(from);
  return between;
}

bool ControlSelector::selectBranch(Operation& op) {
  copyArguments(*op.successor(0), op.operands().vec());
  emitter_.jump(blocks_.at(op.successor(0)));
  return true;
}

bool ControlSelector::selectCondBranch(Operation& op) {
  cf::CondBranchOp branchOp(&op);
  Operand taken = values_.condition(branchOp.condition());
  uint32_t onTrue = edge(op, 0, branchOp.trueOperands().vec());
  uint32_t onFalse = edge(op, 1, branchOp.falseOperands().vec());
  emitter_.branch(taken, onTrue, onFalse);
  return true;
}

bool ControlSelector::selectEnd(Operation&) {
  emitter_.end({});
  return true;
}

/// The ops around take the values; of a region that has blocks, each yield goes to its end.
bool ControlSelector::selectYield(Operation& op) {
  auto found = exits_.find(op.parentOp());
  if (found == exits_.end()) return true;
  values_.copyAll(found->second.results, op.operands().vec());
  emitter_.jump(found->second.after);
  return true;
}

bool ControlSelector::selectExecuteRegion(Operation& op) {
  auto results = values_.defineAll(op, op.resultValues());
  if (!results) return false;
  uint32_t after = emitter_.newBlock();
  exits_[&op] = {after, std::move(*results)};
  if (!selectRegion(op.region())) return false;
  emitter_.enter(after);
  return true;
}

bool ControlSelector::selectIf(Operation& op) {
  scf::IfOp choice(&op);
  auto results = values_.defineAll(op, op.resultValues());
  if (!results) return false;
  Operand taken = values_.condition(choice.condition());
  uint32_t before = emitter_.block(), onTrue = emitter_.newBlock();
  emitter_.enter(onTrue);
  if (!selectBlock(choice.thenBlock())) return false;
  values_.copyAll(*results, choice.thenYield().values().vec());
  uint32_t trueEnd = emitter_.block(), onFalse = 0, falseEnd = 0;
  if (choice.hasElse()) {
    emitter_.enter(onFalse = emitter_.newBlock());
    if (!selectBlock(choice.elseBlock())) return false;
    values_.copyAll(*results, choice.elseYield().values().vec());
    falseEnd = emitter_.block();
  }
  uint32_t after = emitter_.newBlock();
  emitter_.setLocation(op.location());
  for (uint32_t block : {trueEnd, falseEnd}) {
    if (block == falseEnd && !choice.hasElse()) continue;
    emitter_.enter(block);
    emitter_.jump(after);
  }
  emitter_.enter(before);
  emitter_.branch(taken, onTrue, choice.hasElse() ? onFalse : after);
  emitter_.enter(after);
  return true;
}

}  // namespace airlite::npu::codegen
