// What passes and drivers plan for when nothing else is said: all of a device.
//
//   std::vector<int64_t> herd = wholeHerd(aie::defaultNpu());  // 4 columns, 4 rows
#pragma once

#include "airlite/device/AieDevices.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace airlite {

/// Cycles in which the host starts a transfer (docs/hardware/timing.md, command processor).
inline constexpr int64_t kTransferStartCycles = 3050;
/// What a stream moves meanwhile: shorter parts of a buffer in L2 are not worth a transfer each.
inline constexpr int64_t kLeastPartBytes = 12288;
/// Bytes that the memory of the host should give at a time: 112 come at less than half of its rate (docs/hardware/timing.md,
/// "short rows"), but one stream has no more than a quarter of that rate.
inline constexpr int64_t kLeastRowBytes = 64;

/// L1 memory that tiles may take: that of a core, less the stack and what the program itself needs.
constexpr int64_t tileBytes(const aie::Device& device) {
  constexpr int64_t kProgramNeeds = 4 * 1024;
  return device.limits(aie::TileKind::Core).memoryBytes - kProgramNeeds;
}

/// Memory of all memory tiles.
constexpr int64_t l2Bytes(const aie::Device& device) {
  return device.limits(aie::TileKind::Mem).memoryBytes * device.memRows * device.columns;
}

/// Bytes: where each vector may begin in the memory of a core.
inline int64_t vectorAlignment(std::string_view device) {
  const aie::Device* found = aie::findDevice(device);
  return found && found->generation == aie::Generation::Aie2p ? 64 : 32;
}

/// Whether cores take every so many-th element of a row by vectors: all of them, or every second, fourth or eighth one, which
/// shuffles keep.
constexpr bool isRowStep(int64_t step) { return step == 1 || step == 2 || step == 4 || step == 8; }

/// A herd on all cores: columns, rows.
inline std::vector<int64_t> wholeHerd(const aie::Device& device) {
  return {device.columns, device.coreRows()};
}

}  // namespace airlite
