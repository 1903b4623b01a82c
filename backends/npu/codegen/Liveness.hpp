// Which registers hold something that is read later: at the ends of blocks, and, walking backwards,
// at each instruction.
#pragma once

#include "Machine.hpp"
#include "airlite/npu/isa/Tables.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu::codegen {

/// A set of virtual registers, and one of bits of the machine's.
struct LiveSet {
  std::vector<uint64_t> words;
  isa::Storage physical;

  explicit LiveSet(size_t registers = 0) : words((registers + 63) / 64) {}
  bool has(uint32_t reg) const { return words[reg / 64] >> (reg % 64) & 1; }
  void add(uint32_t reg) { words[reg / 64] |= uint64_t{1} << (reg % 64); }
  void remove(uint32_t reg) { words[reg / 64] &= ~(uint64_t{1} << (reg % 64)); }
  /// True when it grew.
  bool merge(const LiveSet& other);
  template <typename Visit> void forEach(Visit visit) const {
    for (size_t w = 0; w < words.size(); ++w)
      for (uint64_t rest = words[w]; rest; rest &= rest - 1)
        visit(static_cast<uint32_t>(w * 64 + static_cast<unsigned>(__builtin_ctzll(rest))));
  }
};

/// What a call may change, by the convention of the set.
const isa::Storage& clobberedByCalls(const isa::InstructionSet& set);

/// What lives after the last instruction of a block, from what lives after the block: the
/// terminator's own effects.
void stepOverTerminator(const MachineFunction& function, const Terminator& terminator,
                        LiveSet& live);
/// From after an instruction to before it.
void stepOver(const MachineInst& inst, LiveSet& live);
/// True when an instruction that may be removed writes nothing that lives after it.
bool isDead(const MachineInst& inst, const LiveSet& liveAfter);

/// What lives at the start of a block, from what lives at its end (after its terminator).
LiveSet liveAtStart(const MachineFunction& function, const MachineBlock& block, LiveSet live);
/// What lives at the end of each block (after its terminator).
std::vector<LiveSet> liveAtEnds(const MachineFunction& function);

}  // namespace airlite::npu::codegen
