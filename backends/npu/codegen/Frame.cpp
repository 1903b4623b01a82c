// The stack grows to higher addresses: sp points to the end of the frame, slots have negative offsets
// (docs/hardware/isa.md, rules.stack).
#include "Frame.hpp"

#include "airlite/npu/isa/Abi.hpp"

#include <algorithm>

namespace airlite::npu::codegen {

using isa::Form;
using isa::Reg;

namespace {

/// Of a vector that is stored in parts.
uint32_t partBytesOf(const isa::InstructionSet& set) { return &set == &isa::aie2() ? 32 : 64; }

/// Of scalar accesses through sp.
uint32_t reachOf(const isa::InstructionSet& set) { return &set == &isa::aie2() ? 8192 : 2048; }

uint32_t aligned(uint32_t bytes, uint32_t to) { return (bytes + to - 1) / to * to; }

class FrameBuilder {
 public:
  FrameBuilder(MachineFunction& function, uint32_t stackAddress)
      : function_(function),
        stackAddress_(stackAddress),
        convention_(isa::abi::conventionOf(*function.set)),
        partBytes_(partBytesOf(*function.set)) {}

  bool run(Frame& frame) {
    if (!function_.isEntry) findSaved();
    placeSlots();
    frame.bytes = size_;
    if (size_ > reachOf(*function_.set)) return false;
    for (MachineBlock& block : function_.blocks) {
      if (block.terminator.kind == Terminator::Kind::Return) addEpilogue(block);
      if (&block == &function_.blocks.front()) addPrologue(block);
      resolve(block);
    }
    return true;
  }

 private:
  struct Saved {
    Reg reg;
    uint32_t slot;
  };

  bool writes(Reg reg) const {
    for (const MachineBlock& block : function_.blocks)
      for (const MachineInst& inst : block.instructions)
        for (unsigned i = 0; i < inst.operandCount; ++i)
          if (inst.operands[i].isPhysical() && useOf(inst.form, i).isDef &&
              isa::overlap(inst.operands[i].physical(), reg))
            return true;
    return false;
  }

  void findSaved() {
    for (Reg reg : convention_.calleeSaved)
      if (reg == Reg::lr ? function_.calls : writes(reg))
        saved_.push_back({reg, function_.newSlot(4)});
  }

  uint32_t alignment() const { return static_cast<uint32_t>(convention_.stackAlignment); }

  /// Those of vectors first: their places are multiples of what they are stored by.
  void placeSlots() {
    offsets_.resize(function_.slots.size());
    for (bool large : {true, false})
      for (size_t i = 0; i < offsets_.size(); ++i) {
        uint32_t bytes = function_.slots[i].bytes;
        if ((bytes >= partBytes_) != large) continue;
        offsets_[i] = size_;
        size_ += bytes;
      }
    size_ = aligned(size_, alignment());
  }

  void addPrologue(MachineBlock& block) {
    std::vector<MachineInst> head;
    if (function_.isEntry)
      head.push_back({Form::MOVXM_lng_cg, {Operand::of(Reg::SP), Operand::imm(stackAddress_)}});
    if (size_) head.push_back({Form::PADDB_sp_imm, {Operand::imm(size_)}});
    for (const Saved& saved : saved_)
      head.push_back(access(Form::ST_dms_spill, saved));
    block.instructions.insert(block.instructions.begin(), head.begin(), head.end());
  }

  void addEpilogue(MachineBlock& block) {
    for (const Saved& saved : saved_)
      block.instructions.push_back(access(Form::LDA_dms_spill, saved));
    if (size_)
      block.instructions.push_back(
          {Form::PADDB_sp_imm, {Operand::imm(-static_cast<int64_t>(size_))}});
  }

  static MachineInst access(Form form, const Saved& saved) {
    MachineInst inst(form, {Operand::of(saved.reg), Operand::slot(saved.slot)});
    inst.memory = MemoryPlace::ofSlot(saved.slot);
    return inst;
  }

  /// Parts of registers lie one after the other.
  int64_t offsetOf(Part part) const {
    const int64_t bytes = partBytes_;
    switch (part) {
      case Part::High:
      case Part::Quarter1: return bytes;
      case Part::Quarter2: return 2 * bytes;
      case Part::Quarter3: return 3 * bytes;
      default: return 0;
    }
  }

  void resolve(MachineBlock& block) {
    for (MachineInst& inst : block.instructions)
      for (Operand& operand : inst.ops()) {
        if (operand.kind != Operand::Kind::Slot) continue;
        operand = Operand::imm(offsets_[static_cast<uint32_t>(operand.number)] +
                               offsetOf(operand.part) - size_);
      }
  }

  MachineFunction& function_;
  uint32_t stackAddress_;
  const isa::abi::Convention& convention_;
  const uint32_t partBytes_;
  std::vector<Saved> saved_;
  std::vector<uint32_t> offsets_;
  uint32_t size_ = 0;
};

}  // namespace

bool buildFrame(MachineFunction& function, uint32_t stackAddress, Frame& frame) {
  return FrameBuilder(function, stackAddress).run(frame);
}

}  // namespace airlite::npu::codegen
