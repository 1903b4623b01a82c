// How the accesses of a kernel to LDS use its banks: what each lane of the first wave addresses, computed from
// the indices in the kernel. A model, no measurement.
//
//   for (const auto& loop : gpu::ldsConflicts(kernel, 64)) print(loop.depth, loop.conflicts);
#pragma once

#include "airlite/ir/Operation.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace airlite::gpu {

/// LDS has 32 banks of 4 bytes (facts of AMD's ISA documents: 128 bytes in a cycle). The lanes of an access
/// are served in their order, as many at once as 128 bytes are wide; those that read different words of
/// one bank take a cycle each, those that read the same word one together.
inline constexpr int64_t kLdsBanks = 32;
inline constexpr int64_t kLdsBankBytes = 4;

/// Cycles of the banks for one access of a wave, and those of them that are lost.
struct LdsCycles {
  int64_t all = 0, lost = 0;
};

/// `addresses`: the first byte of each lane that takes part; `bytes` of a lane, `piece` of them at once.
LdsCycles ldsCycles(std::span<const int64_t> addresses, int64_t bytes, int64_t piece);

/// Accesses of a wave in one round of a loop, those of loops inside of it apart.
struct LdsLoop {
  unsigned depth = 0;  ///< loops around, itself included; 0: outside of all
  int64_t reads = 0, writes = 0;
  int64_t readCycles = 0, writeCycles = 0;        ///< of the banks
  int64_t readConflicts = 0, writeConflicts = 0;  ///< cycles that are lost, among them
  int64_t unknown = 0;  ///< accesses whose addresses depend on what is only known when it runs
};

/// Of a gpu.func in kernel form (scf, arith, vector, memref), in the order of the program; code without
/// accesses to LDS is left out. Where an address holds a number that all lanes share, such as the place
/// in a loop, that is taken as zero: all banks turn together.
std::vector<LdsLoop> ldsConflicts(Operation& kernel, int64_t wave);

}  // namespace airlite::gpu
