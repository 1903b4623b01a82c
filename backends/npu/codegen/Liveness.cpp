#include "Liveness.hpp"

#include "airlite/npu/isa/Abi.hpp"

namespace airlite::npu::codegen {
namespace {

/// Later parts keep the earlier ones.
bool writesAll(const Operand& operand) { return !keepsRest(operand.part); }

void addRead(const Operand& operand, LiveSet& live) {
  if (operand.isVirtual()) live.add(static_cast<uint32_t>(operand.number));
  if (operand.isPhysical()) live.physical |= isa::storageOf(operand.physical());
}

void removeWritten(const Operand& operand, LiveSet& live) {
  if (!writesAll(operand)) return;
  if (operand.isVirtual()) live.remove(static_cast<uint32_t>(operand.number));
  if (operand.isPhysical()) live.physical &= ~isa::storageOf(operand.physical());
}

}  // namespace

bool LiveSet::merge(const LiveSet& other) {
  bool grew = (other.physical & ~physical).any();
  physical |= other.physical;
  for (size_t w = 0; w < words.size(); ++w) {
    grew |= (other.words[w] & ~words[w]) != 0;
    words[w] |= other.words[w];
  }
  return grew;
}

const isa::Storage& clobberedByCalls(const isa::InstructionSet& set) {
  const auto of = [](const isa::InstructionSet& wanted) {
    isa::Storage all;
    all.set();
    for (isa::Reg reg : isa::abi::conventionOf(wanted).calleeSaved)
      if (reg != isa::Reg::lr) all &= ~isa::storageOf(reg);
    return all;
  };
  static const isa::Storage ofAie2 = of(isa::aie2()), ofAie2p = of(isa::aie2p());
  return &set == &isa::aie2() ? ofAie2 : ofAie2p;
}

void stepOverTerminator(const MachineFunction& function, const Terminator& terminator,
                        LiveSet& live) {
  if (terminator.kind == Terminator::Kind::Call) live.physical &= ~clobberedByCalls(*function.set);
  for (isa::Reg reg : terminator.reads)
    live.physical |= isa::storageOf(reg);
  if (terminator.kind == Terminator::Kind::Branch) addRead(terminator.condition, live);
}

void stepOver(const MachineInst& inst, LiveSet& live) {
  for (unsigned i = 0; i < inst.operandCount; ++i)
    if (useOf(inst.form, i).isDef) removeWritten(inst.operands[i], live);
  for (unsigned i = 0; i < inst.operandCount; ++i)
    if (useOf(inst.form, i).isUse) addRead(inst.operands[i], live);
}

bool isDead(const MachineInst& inst, const LiveSet& liveAfter) {
  if (!isRemovable(inst)) return false;
  for (unsigned i = 0; i < inst.operandCount; ++i)
    if (useOf(inst.form, i).isDef && liveAfter.has(static_cast<uint32_t>(inst.operands[i].number)))
      return false;
  return true;
}

LiveSet liveAtStart(const MachineFunction& function, const MachineBlock& block, LiveSet live) {
  stepOverTerminator(function, block.terminator, live);
  for (size_t i = block.instructions.size(); i-- > 0;)
    stepOver(block.instructions[i], live);
  return live;
}

std::vector<LiveSet> liveAtEnds(const MachineFunction& function) {
  const size_t count = function.blocks.size();
  std::vector<LiveSet> ends(count, LiveSet(function.registers.size()));
  std::vector<LiveSet> starts = ends;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = count; b-- > 0;) {
      for (uint32_t next : function.blocks[b].terminator.successors())
        ends[b].merge(starts[next]);
      changed |= starts[b].merge(liveAtStart(function, function.blocks[b], ends[b]));
    }
  }
  return ends;
}

}  // namespace airlite::npu::codegen
