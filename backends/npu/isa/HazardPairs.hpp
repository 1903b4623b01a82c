// What one bundle knows for the rules about pairs, and the rules.
#pragma once

#include "airlite/npu/isa/Hazards.hpp"
#include "airlite/npu/isa/Timing.hpp"

#include <vector>

namespace airlite::npu::isa {

/// Where a memory access goes: so many bytes after a base. Bases with the same number are the same
/// value as long as control runs straight ahead; base 0 is the address 0.
struct MemoryPlace {
  unsigned base = 0;
  int64_t offset = 0;
  bool known = false;
};

struct IssuedInstruction {
  const Instruction* instruction = nullptr;
  Accesses accesses;
  bool lock = false;
  bool memory = false;
  MemoryPlace place;
};

struct IssuedBundle {
  uint32_t address = 0;
  std::vector<IssuedInstruction> instructions;  ///< without no-operations
};

/// The bundles of a program, with what is known about the addresses that they touch.
std::vector<IssuedBundle> issueAll(const Program& program);

/// The rules about two bundles of which the second issues `distance` cycles after the first; 0 is
/// one bundle with itself. `forward`: control ran straight from the first to the second.
void checkPair(const IssuedBundle& first, const IssuedBundle& second, int distance, bool forward,
               const HazardOptions& options, std::vector<Hazard>& found);

/// Control leaves for unknown code `distance` cycles after `bundle`.
void checkExit(const IssuedBundle& bundle, int distance, std::vector<Hazard>& found);

/// Accesses at known addresses.
void checkMemoryAlignment(const IssuedBundle& bundle, std::vector<Hazard>& found);

}  // namespace airlite::npu::isa
