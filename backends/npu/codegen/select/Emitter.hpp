// The function under construction: its blocks, the instructions of the current block, new registers.
// It knows nothing of values of the program.
#pragma once

#include "codegen/Machine.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>

namespace airlite::npu::codegen {

class Emitter {
 public:
  explicit Emitter(MachineFunction& function) : function_(function) {}
  Emitter(const Emitter&) = delete;

  // -- Blocks --
  uint32_t newBlock();
  /// What follows is added to `block`.
  void enter(uint32_t block);
  uint32_t block() const { return block_; }
  /// Differs after each `enter`: what was in registers before may not be there now.
  uint32_t visit() const { return visit_; }
  /// Ends the block under construction.
  void end(Terminator terminator);
  void jump(uint32_t target);
  void branch(Operand condition, uint32_t target, uint32_t otherwise);
  void enterLoop() { ++depth_; }
  void leaveLoop() { --depth_; }
  void setRounds(uint32_t block, uint32_t rounds) { function_.blocks[block].rounds = rounds; }
  /// In the body of an innermost loop of known length, where loads have room.
  bool isInRow() const { return isInRow_; }
  void setInRow(bool isInRow) { isInRow_ = isInRow; }
  void markCalling() { function_.calls = true; }

  // -- Instructions --
  /// Of the instructions and ends of blocks that follow.
  void setLocation(Location location) { location_ = location; }
  Location location() const { return location_; }
  /// Those of the block under construction.
  std::span<const MachineInst> instructions() const {
    return function_.blocks[block_].instructions;
  }
  /// The instruction set of the core; forms of AIE2 are rewritten to it after selection (Retarget).
  const isa::InstructionSet& set() const { return *function_.set; }
  bool isAie2() const { return function_.set == &isa::aie2(); }
  MachineInst& emit(isa::Form form, std::initializer_list<Operand> operands);
  Operand fresh(RegClass regClass = RegClass::Gpr) {
    return Operand::reg(function_.newRegister(regClass));
  }
  RegClass classOf(Operand virtualRegister) const {
    return function_.registers[static_cast<uint32_t>(virtualRegister.number)];
  }
  /// A new register with the result of a form whose first operand is the result.
  Operand compute(isa::Form form, Operand a);
  Operand compute(isa::Form form, Operand a, Operand b);
  void copy(Operand to, Operand from, RegClass toClass);
  /// A register of this block that has the bits.
  Operand constant(uint32_t bits, RegClass regClass = RegClass::Gpr);
  void setConstant(Operand to, uint32_t bits);

 private:
  bool isSum(Operand operand) const {
    return operand.isVirtual() && shareFile(classOf(operand), RegClass::Accumulator);
  }

  MachineFunction& function_;
  uint32_t block_ = 0, visit_ = 0;
  unsigned depth_ = 0;
  bool isInRow_ = false;
  Location location_;
  std::map<std::pair<RegClass, uint32_t>, Operand> constants_;  ///< of the block
};

/// What the block under construction has in registers already, by a key that can be ordered. Empty
/// when another block has been entered.
template <typename Key> class BlockCache {
 public:
  explicit BlockCache(const Emitter& emitter) : emitter_(emitter) {}

  /// Null when there is none.
  const Operand* find(const Key& key) {
    if (visit_ != emitter_.visit()) registers_.clear();
    visit_ = emitter_.visit();
    auto found = registers_.find(key);
    return found == registers_.end() ? nullptr : &found->second;
  }
  /// Only right after `find` in the same block.
  Operand set(const Key& key, Operand operand) { return registers_[key] = operand; }

 private:
  const Emitter& emitter_;
  uint32_t visit_ = 0;
  std::map<Key, Operand> registers_;
};

}  // namespace airlite::npu::codegen
