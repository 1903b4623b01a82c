// What generated host code knows about its work-item: read by the code at fixed offsets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace airlite::gpu {

/// One work-item's view of the launch. Standard layout: HostRewrite.cpp emits loads at offsetof().
struct ItemContext {
  std::uint32_t itemId[3] = {};    ///< in the workgroup
  std::uint32_t groupId[3] = {};   ///< in the grid
  std::uint32_t laneMask[2] = {};  ///< lanes below this one in its wave, low and high half
  std::byte* lds = nullptr;        ///< start of the workgroup's LDS
  const std::byte* kernargs = nullptr;
};

/// A compiled kernel: one call is one work-item.
using ItemEntry = void (*)(ItemContext*);

/// The barrier that generated code calls; `site` numbers the barriers of the module.
inline constexpr const char* barrierSymbol = "airlite_barrier";
/// The same for the lanes of a wave alone.
inline constexpr const char* waveBarrierSymbol = "airlite_wave_barrier";
/// A matrix instruction: (context, site, row of the table, a, b, sum). All lanes of the wave come;
/// `sum` is the result then.
inline constexpr const char* matrixSymbol = "airlite_matrix";
/// Reads another lane's number: (context, site, 4 * lane, number) -> number. All lanes come.
inline constexpr const char* permuteSymbol = "airlite_permute";

}  // namespace airlite::gpu
