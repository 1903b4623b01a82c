// Registers that live in memory: loaded before each instruction that reads them, stored after each
// that writes them, through a register that lives only that long.
#include "Allocate.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

constexpr uint32_t kNone = UINT32_MAX;

/// What one spilled register needs.
struct Home {
  bool isSpilled = false;
  uint32_t slot = kNone;
  std::optional<MachineInst> constant;  ///< is made anew instead
};

uint32_t slotBytes(RegClass regClass, const isa::InstructionSet& set) {
  if (regClass == RegClass::Accumulator && &set != &isa::aie2()) return 256;
  switch (regClass) {
    case RegClass::Vector:
    case RegClass::HalfAccumulator: return 64;
    case RegClass::Accumulator: return 128;
    default: return 4;
  }
}

class Spiller {
 public:
  Spiller(MachineFunction& function, const std::vector<uint32_t>& spilled,
          const Interference& graph, std::vector<bool>& isShort)
      : function_(function), isShort_(isShort), homes_(function.registers.size()) {
    for (uint32_t reg : spilled)
      homes_[reg].isSpilled = true;
    findConstants();
    for (uint32_t reg : spilled)
      if (!homes_[reg].constant) homes_[reg].slot = freeSlot(reg, graph.nodes[reg].neighbours);
  }

  void run() {
    for (MachineBlock& block : function_.blocks) {
      out_.clear();
      for (MachineInst& inst : block.instructions)
        rewrite(inst);
      location_ = block.terminator.location;
      if (const Home* home = homeOf(block.terminator.condition))
        block.terminator.condition = load(block.terminator.condition, *home);
      block.instructions = out_;
    }
  }

 private:
  /// One of the slots of this round that no neighbour has, or a new one. Neighbours are of the same
  /// class, so that slots are shared within a class only.
  uint32_t freeSlot(uint32_t reg, const std::vector<uint32_t>& neighbours) {
    std::vector<uint32_t>& slots = slots_[static_cast<size_t>(classOf(reg))];
    for (uint32_t slot : slots)
      if (std::ranges::none_of(neighbours, [&](uint32_t n) { return homes_[n].slot == slot; }))
        return slot;
    slots.push_back(function_.newSlot(slotBytes(classOf(reg), *function_.set)));
    return slots.back();
  }

  RegClass classOf(uint32_t reg) const { return function_.registers[reg]; }
  RegClass classOf(const Operand& operand) const {
    return classOf(static_cast<uint32_t>(operand.number));
  }

  const Home* homeOf(const Operand& operand) const {
    if (!operand.isVirtual() || static_cast<size_t>(operand.number) >= homes_.size())
      return nullptr;
    const Home& home = homes_[static_cast<uint32_t>(operand.number)];
    return home.isSpilled ? &home : nullptr;
  }

  /// A constant that is written once is as good anywhere.
  void findConstants() {
    std::vector<unsigned> writes(homes_.size());
    for (const MachineBlock& block : function_.blocks)
      for (const MachineInst& inst : block.instructions)
        for (unsigned i = 0; i < inst.operandCount; ++i) {
          if (!homeOf(inst.operands[i]) || !useOf(inst.form, i).isDef) continue;
          auto reg = static_cast<uint32_t>(inst.operands[i].number);
          homes_[reg].constant =
              ++writes[reg] == 1 && isConstant(inst) ? std::optional(inst) : std::nullopt;
        }
  }

  uint32_t newShort(RegClass regClass) {
    isShort_.resize(function_.registers.size() + 1);
    isShort_.back() = true;
    return function_.newRegister(regClass);
  }

  /// A register that now holds what is at home.
  Operand load(const Operand& operand, const Home& home) {
    uint32_t reg = newShort(classOf(operand));
    if (home.constant) {
      MachineInst again = *home.constant;
      again.operands[0].number = static_cast<int32_t>(reg);
      out_.push_back(again);
    } else {
      access(reg, home, false);
    }
    return Operand::reg(reg, operand.part);
  }

  void rewrite(MachineInst& inst) {
    location_ = inst.location;
    if (const Home* home = homeOf(inst.operands[0]); home && home->constant && isConstant(inst))
      return;
    std::vector<std::pair<Operand, uint32_t>> renamed;
    std::vector<std::pair<uint32_t, const Home*>> stores;
    MachineInst changed = inst;
    for (unsigned i = 0; i < inst.operandCount; ++i) {
      const Home* home = homeOf(inst.operands[i]);
      if (!home) continue;
      uint32_t reg = known(renamed, inst.operands[i]);
      bool isNew = reg == kNone;
      if (isNew) {
        reg = reads(inst, static_cast<uint32_t>(inst.operands[i].number))
                  ? static_cast<uint32_t>(load(inst.operands[i], *home).number)
                  : newShort(classOf(inst.operands[i]));
        renamed.emplace_back(inst.operands[i], reg);
      }
      if (useOf(inst.form, i).isDef) stores.emplace_back(reg, home);
      changed.operands[i].number = static_cast<int32_t>(reg);
    }
    out_.push_back(changed);
    for (auto [reg, home] : stores)
      access(reg, *home, true);
  }

  static uint32_t known(const std::vector<std::pair<Operand, uint32_t>>& renamed,
                        const Operand& operand) {
    for (const auto& [from, to] : renamed)
      if (from.number == operand.number) return to;
    return kNone;
  }

  /// Loads or stores all of a register.
  void access(uint32_t reg, const Home& home, bool stores) {
    if (function_.set != &isa::aie2() && accessWide(reg, home, stores)) return;
    switch (classOf(reg)) {
      case RegClass::Vector:
        accessHalf(stores ? Form::VST_dmw_sts_w_ag_spill : Form::VLDA_dmw_lda_w_ag_spill, reg, home,
                   Part::Low);
        accessHalf(stores ? Form::VST_dmw_sts_w_ag_spill : Form::VLDA_dmw_lda_w_ag_spill, reg, home,
                   Part::High);
        break;
      case RegClass::HalfAccumulator:
        for (Part part : {Part::Low, Part::High})
          accessHalf(stores ? Form::VST_dmw_sts_am_ag_spill : Form::VLDA_dmw_lda_am_ag_spill, reg,
                     home, part);
        break;
      case RegClass::Accumulator:
        for (Part part : {Part::Quarter0, Part::Quarter1, Part::Quarter2, Part::Quarter3})
          accessHalf(stores ? Form::VST_dmw_sts_am_ag_spill : Form::VLDA_dmw_lda_am_ag_spill, reg,
                     home, part);
        break;
      default:
        accessHalf(stores ? Form::ST_dms_spill : Form::LDA_dms_spill, reg, home, Part::Whole);
    }
  }

  /// Accesses of AIE2P have 512 bits; false for what is no vector.
  bool accessWide(uint32_t reg, const Home& home, bool stores) {
    if (classOf(reg) == RegClass::Vector) {
      accessHalf(stores ? Form::P_VST_dmx_sts_x_spill : Form::P_VLDA_dmx_lda_x_spill, reg, home,
                 Part::Whole);
      return true;
    }
    const bool isRow = classOf(reg) == RegClass::HalfAccumulator;  // in the low quarter
    if (classOf(reg) != RegClass::Accumulator && !isRow) return false;
    constexpr std::array kQuarters = {Part::Quarter0, Part::Quarter1, Part::Quarter2,
                                      Part::Quarter3};
    for (Part part : std::span(kQuarters).first(isRow ? 1 : kQuarters.size()))
      accessHalf(stores ? Form::P_VST_dmx_sts_bm_spill : Form::P_VLDA_dmx_lda_bm_spill, reg, home,
                 part);
    return true;
  }

  void accessHalf(Form form, uint32_t reg, const Home& home, Part part) {
    Operand slot = Operand::slot(home.slot);
    slot.part = part;
    MachineInst inst(form, {Operand::reg(reg, part), slot}, location_);
    inst.memory = MemoryPlace::ofSlot(home.slot);
    out_.push_back(inst);
  }

  MachineFunction& function_;
  std::vector<bool>& isShort_;
  std::vector<Home> homes_;
  std::array<std::vector<uint32_t>, kRegClassCount> slots_;
  std::vector<MachineInst> out_;
  Location location_;
};

}  // namespace

void spillRegisters(MachineFunction& function, const std::vector<uint32_t>& spilled,
                    const Interference& graph, std::vector<bool>& isShort) {
  Spiller(function, spilled, graph, isShort).run();
  isShort.resize(function.registers.size());
}

}  // namespace airlite::npu::codegen
