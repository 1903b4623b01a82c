// What has to stay how far apart: instructions on registers of the machine and the least distances
// between them, as data. Schedulers of any kind read the same edges.
#pragma once

#include "Machine.hpp"
#include "airlite/npu/isa/Timing.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace airlite::npu::codegen {

/// An instruction that is to be issued.
struct ScheduleNode {
  /// The same effect and timing in other slots; the first is what selection wrote.
  std::vector<isa::Instruction> choices;
  isa::Accesses accesses;
  MemoryPlace memory;
  Location location;

  const isa::Instruction& instruction() const { return choices.front(); }
};

/// `to` may issue `distance` cycles after `from` at the earliest; a negative distance lets it issue
/// before.
struct Dependence {
  uint32_t from = 0, to = 0;
  int distance = 0;
};

/// Status results that no instruction of ours reads: their order is nobody's concern.
bool isIgnoredStatus(isa::Reg reg);

/// The node of an instruction without virtual registers and slots. Fails when an operand does not
/// fit the form: a mistake of selection.
Result<ScheduleNode> makeNode(const MachineInst& inst);

inline constexpr int kIndependent = INT32_MIN;
/// The distance from an access of a register to a later one of the same, where one of them writes.
int leastDistance(const isa::Access& first, const isa::Access& second);
/// The distance from `first` to `second`, which comes later in the program; kIndependent when they
/// may issue in any order.
int leastDistance(const ScheduleNode& first, const ScheduleNode& second);

/// The edges of a straight piece of program, without those that others imply by pairs of equal
/// registers alone.
std::vector<Dependence> dependencesOf(std::span<const ScheduleNode> nodes);

/// From the issue of an instruction until anything may follow: its results are written, its
/// operands read, its units free, its memory accesses ordered.
int cyclesUntilQuiet(const ScheduleNode& node);

constexpr unsigned slotBit(isa::Slot slot) { return 1u << static_cast<unsigned>(slot); }
/// The slots that an instruction takes, as bits: lng is alu and mv together.
unsigned slotsOf(const isa::Instruction& instruction);

/// True when both would hold a unit in one cycle if `second` issues `distance` >= 0 cycles later.
bool unitsCollide(const isa::Instruction& first, const isa::Instruction& second, int distance);

}  // namespace airlite::npu::codegen
