// See HalvesInPlace.hpp.
#include "HalvesInPlace.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace airlite::npu::codegen {
namespace {

uint32_t numberOf(const Operand& operand) { return static_cast<uint32_t>(operand.number); }
bool isOf(const Operand& operand, uint32_t reg) {
  return operand.isVirtual() && numberOf(operand) == reg;
}
bool isHalf(Part part) { return part == Part::Low || part == Part::High; }

/// Whether the instruction can have this half of a vector there.
bool takes(const MachineInst& inst, unsigned index, Part half) {
  const isa::FormRow& form = inst.row();
  const isa::OperandRow& operand = form.operands[form.textOrder[index]];
  const isa::Reg vector = registersOf(RegClass::Vector, isa::setOf(inst.form)).front();
  return operand.kind == isa::OperandKind::Register &&
         isa::contains(operand.type, partOf(vector, half));
}

class HalfMoves {
 public:
  explicit HalfMoves(MachineFunction& function)
      : function_(function), operands_(function.registers.size()) {
    for (const MachineBlock& block : function.blocks)
      for (const MachineInst& inst : block.instructions)
        for (const Operand& operand : inst.ops())
          if (operand.isVirtual()) ++operands_[numberOf(operand)];
  }

  void run() {
    for (MachineBlock& block : function_.blocks) {
      block_ = &block.instructions;
      for (size_t i = 0; i < block_->size(); ++i)
        if (isMove((*block_)[i]) && (makeInPlace(i) || readInPlace(i))) (*block_)[i] = {};
      std::erase_if(*block_, [](const MachineInst& inst) {
        return !inst.operandCount && inst.row().is(isa::kNop);
      });
    }
  }

 private:
  bool isVector(const Operand& operand) const {
    return operand.isVirtual() && function_.registers[numberOf(operand)] == RegClass::Vector;
  }
  bool isMove(const MachineInst& inst) const {
    return inst.operandCount == 2 && inst.row().mnemonic() == "vmov" &&
           std::ranges::all_of(inst.ops(), [&](const Operand& operand) {
             return isVector(operand) && isHalf(operand.part);
           });
  }

  /// The instructions of a value that lives in this block alone, of which the first makes it and the
  /// others read it. None where they name more than its low half, or cannot have `half` instead.
  std::vector<size_t> life(uint32_t reg, Part half) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < block_->size(); ++i) {
      const MachineInst& inst = (*block_)[i];
      for (unsigned o = 0; o < inst.operandCount; ++o) {
        if (!isOf(inst.operands[o], reg)) continue;
        if (inst.operands[o].part != Part::Low || !takes(inst, o, half)) return {};
        const bool makesIt = found.empty();
        if (useOf(inst.form, o).isDef != makesIt || (!makesIt && found.front() == i)) return {};
        found.push_back(i);
      }
    }
    return found.size() == operands_[reg] ? found : std::vector<size_t>{};
  }

  /// Whether an instruction of [begin, end) has a property.
  template <typename Has> bool isAny(size_t begin, size_t end, const Has& has) const {
    return std::any_of(block_->begin() + static_cast<ptrdiff_t>(begin),
                       block_->begin() + static_cast<ptrdiff_t>(end), has);
  }

  /// Of a value, whose instructions these are: the other half is where it is from now on. The move
  /// between the two goes away.
  void rename(std::span<const size_t> life, const Operand& value, const Operand& half) {
    for (size_t at : life)
      for (Operand& operand : (*block_)[at].ops())
        if (operand == value) operand = half;
    operands_[numberOf(half)] += operands_[numberOf(value)] - 2;
    operands_[numberOf(value)] = 0;
  }

  /// Of `vmov to, from`: makes `from` where `to` is.
  bool makeInPlace(size_t move) {
    const Operand to = (*block_)[move].operands[0], from = (*block_)[move].operands[1];
    if (from.part != Part::Low || numberOf(to) == numberOf(from)) return false;
    const std::vector<size_t> lives = life(numberOf(from), to.part);
    const auto names = [&](const MachineInst& inst) {
      return std::ranges::any_of(inst.ops(),
                                 [&](const Operand& o) { return isOf(o, numberOf(to)); });
    };
    const auto rewrites = [&](const MachineInst& inst) { return writesOver(inst, to); };
    if (lives.empty() || isAny(lives.front(), move, names) ||
        isAny(move + 1, lives.back() + 1, rewrites))
      return false;
    rename(lives, from, to);
    return true;
  }

  /// Of `vmov to, from`: reads `from` instead of `to`.
  bool readInPlace(size_t move) {
    const Operand to = (*block_)[move].operands[0], from = (*block_)[move].operands[1];
    if (to.part != Part::Low || numberOf(to) == numberOf(from)) return false;
    const std::vector<size_t> lives = life(numberOf(to), from.part);
    const auto rewrites = [&](const MachineInst& inst) { return writesOver(inst, from); };
    if (lives.empty() || lives.front() != move || isAny(move + 1, lives.back() + 1, rewrites))
      return false;
    rename(lives, to, from);
    return true;
  }

  /// Whether it writes this half of the register, or begins a new value there.
  static bool writesOver(const MachineInst& inst, const Operand& half) {
    for (unsigned i = 0; i < inst.operandCount; ++i)
      if (isOf(inst.operands[i], numberOf(half)) && useOf(inst.form, i).isDef &&
          (!keepsRest(inst.operands[i].part) || inst.operands[i].part == half.part))
        return true;
    return false;
  }

  MachineFunction& function_;
  std::vector<size_t> operands_;  // of each register, in the whole function
  std::vector<MachineInst>* block_ = nullptr;
};

}  // namespace

void removeHalfMoves(MachineFunction& function) { HalfMoves(function).run(); }

}  // namespace airlite::npu::codegen
