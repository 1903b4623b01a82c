// Whether a program keeps the rules of the machine (docs/hardware/isa.md, `rules`). The core has an
// exposed pipeline: reading a register while a write to it is under way is legal and gives the old
// value, so that is reported on request only. Everything else here is undefined or wrong.
//
//   for (const Hazard& hazard : findHazards(program)) report(hazard.second, hazard.message);
#pragma once

#include "airlite/npu/isa/Program.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu::isa {

enum class HazardKind : uint8_t {
  WriteAfterWrite,     ///< two writes land in one cycle, or the later instruction's first
  WriteAfterRead,      ///< an operand that is read late is overwritten by then
  Resource,            ///< two instructions hold one unit in one cycle
  MemoryOrder,         ///< two accesses to the same bytes are too close to have an order
  LockDistance,        ///< a memory access too close to an acquire or release
  JumpInDelaySlot,     ///< a jump within the five bundles after another
  DelaySlotsMissing,   ///< fewer than five bundles follow a jump
  LoopEndInDelaySlot,  ///< the last bundle of a hardware loop is a delay slot
  LoopTooClose,        ///< ls, le or lc is written too shortly before the end of the loop
  LoopBounds,          ///< a loop begins after its end, or overlaps another
  LoopLastStore,       ///< a part-word store in the last bundle of a short loop is lost
  Alignment,           ///< a target, return address or loop bound off 16 bytes
  TargetMissing,       ///< a jump or loop to where no bundle begins
  MemoryAlignment,     ///< an access at a known address that its size does not divide
  ProgramSize,         ///< beyond the 16 KiB of program memory
  ReadInFlight,        ///< on request: a register is read while a write to it is under way
  WriteAtExit,         ///< on request: a write is under way when control leaves for unknown code
};
inline constexpr unsigned kHazardKindCount = 17;

/// `write-after-write`: for messages and options.
std::string_view name(HazardKind kind);

struct Hazard {
  HazardKind kind{};
  uint32_t first = 0;   ///< address of the bundle that comes first
  uint32_t second = 0;  ///< address of the bundle that is wrong; the same for a bundle alone
  int missing = 0;      ///< cycles that the second should issue later; 0 where cycles do not help
  std::string message;  ///< names both instructions; has no place in it
  bool compilersDo =
      false;  ///< found in code of the public compiler, see HazardOptions::isCompiled
};

struct HazardOptions {
  bool readsInFlight = false;  ///< report ReadInFlight and WriteAtExit too
  bool assumeAliasing =
      false;  ///< MemoryOrder: accesses whose addresses are unknown may be the same
  /// From a load to a lock, until its result is written instead of until memory is read (6 cycles
  /// for 4). docs/hardware/isa.md, rules.locks.ordering: newer compilers keep it.
  bool loadsWrittenBeforeLocks = false;
  /// The program comes from a compiler: what its schedules do on purpose is left out. These are
  /// writes and late reads that take effect in another order than they issue, but for two writes in
  /// one cycle (a store issues before its value is computed, a register is used once more before a
  /// load lands); accesses shortly before an acquire, which then happen after it; jumps to, and
  /// returns to, where a bundle begins off 16 bytes (code that was not optimised, start-up code).
  bool isCompiled = false;
};

/// All findings by address of the second bundle. Paths go through jumps with known targets, both
/// ways of conditional ones, and around hardware loops whose ls and le are set with movxm.
std::vector<Hazard> findHazards(const Program& program, const HazardOptions& options = {});

}  // namespace airlite::npu::isa
