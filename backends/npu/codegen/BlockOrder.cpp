#include "BlockOrder.hpp"

#include <algorithm>

namespace airlite::npu::codegen {
namespace {

using Kind = Terminator::Kind;

/// Where control gets to from `block` before something happens.
uint32_t destination(const MachineFunction& function, uint32_t block) {
  // A circle of empty blocks is a loop that never ends: as many steps as there are blocks suffice.
  for (size_t steps = 0; steps < function.blocks.size(); ++steps) {
    const MachineBlock& b = function.blocks[block];
    if (!b.instructions.empty() || b.terminator.kind != Kind::Jump) break;
    block = b.terminator.target;
  }
  return block;
}

void skipEmpty(MachineFunction& function) {
  for (MachineBlock& block : function.blocks) {
    Terminator& t = block.terminator;
    if (t.kind == Kind::Jump || t.kind == Kind::Branch) t.target = destination(function, t.target);
    if (t.kind == Kind::Branch) t.otherwise = destination(function, t.otherwise);
    if (t.kind == Kind::Branch && t.target == t.otherwise) {
      t.kind = Kind::Jump;
      t.condition = {};
    }
  }
}

/// The successor that had best follow a block: where it goes without a jump of its own, a loop
/// before what follows it.
std::vector<uint32_t> preferred(const MachineFunction& function, uint32_t number) {
  const Terminator& t = function.blocks[number].terminator;
  std::vector<uint32_t> next = t.successors();
  std::ranges::stable_sort(next, [&](uint32_t a, uint32_t b) {
    return function.blocks[a].depth > function.blocks[b].depth;
  });
  return next;
}

class Chains {
 public:
  explicit Chains(const MachineFunction& function)
      : function_(function), isPlaced_(function.blocks.size()) {}

  std::vector<uint32_t> run() {
    std::vector<uint32_t> open{0};
    while (!open.empty()) {
      uint32_t block = open.back();
      open.pop_back();
      if (!isPlaced_[block]) follow(block, open);
    }
    return order_;
  }

 private:
  /// What a call returns to has to be next; else the first successor without a place.
  void follow(uint32_t block, std::vector<uint32_t>& open) {
    for (bool goesOn = true; goesOn;) {
      isPlaced_[block] = true;
      order_.push_back(block);
      std::vector<uint32_t> next = preferred(function_, block);
      goesOn = false;
      for (size_t i = next.size(); i-- > 0;)
        if (!isPlaced_[next[i]]) {
          open.push_back(next[i]);
          goesOn = true;
        }
      if (goesOn) {
        block = open.back();
        open.pop_back();
      }
    }
  }

  const MachineFunction& function_;
  std::vector<bool> isPlaced_;
  std::vector<uint32_t> order_;
};

}  // namespace

void orderBlocks(MachineFunction& function) {
  skipEmpty(function);
  std::vector<uint32_t> order = Chains(function).run();
  std::vector<uint32_t> numbers(function.blocks.size());
  std::vector<MachineBlock> blocks;
  for (uint32_t i = 0; i < order.size(); ++i) {
    numbers[order[i]] = i;
    blocks.push_back(std::move(function.blocks[order[i]]));
  }
  for (MachineBlock& block : blocks) {
    block.terminator.target = numbers[block.terminator.target];
    block.terminator.otherwise = numbers[block.terminator.otherwise];
  }
  function.blocks = std::move(blocks);
}

std::vector<Exit> exitsOf(const MachineFunction& function, uint32_t number) {
  const Terminator& t = function.blocks[number].terminator;
  auto exit = [&](Exit::Kind kind, uint32_t target = 0) {
    isa::Reg condition = t.condition.isPhysical() ? t.condition.physical() : isa::Reg{};
    return Exit{kind, target, condition, t.location, function.set};
  };
  switch (t.kind) {
    case Kind::Jump:
      return {t.target == number + 1 ? exit(Exit::Kind::FallThrough)
                                     : exit(Exit::Kind::Jump, t.target)};
    case Kind::Branch:
      if (t.otherwise == number + 1) return {exit(Exit::Kind::JumpIfSet, t.target)};
      if (t.target == number + 1) return {exit(Exit::Kind::JumpIfClear, t.otherwise)};
      return {exit(Exit::Kind::JumpIfSet, t.target), exit(Exit::Kind::Jump, t.otherwise)};
    case Kind::Repeat:
      return {t.otherwise == number + 1 ? exit(Exit::Kind::FallThrough)
                                        : exit(Exit::Kind::Jump, t.otherwise)};
    case Kind::Call: return {exit(Exit::Kind::Call, t.callee)};
    case Kind::Return: return {exit(Exit::Kind::Return)};
    case Kind::Done: return {exit(Exit::Kind::Done)};
  }
  return {};
}

}  // namespace airlite::npu::codegen
