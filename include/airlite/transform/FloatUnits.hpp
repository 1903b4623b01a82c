// Which products of floats the cores of an array have.
//
//   linalg::FloatUnit unit = floatUnitOf(device.generation, false);  // AIE2P: OneByOne
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Linalg.hpp"

#include <cstdint>
#include <string_view>

namespace airlite {

/// `asBlocks`: factors of bf16 become blocks that share exponents, which AIE2P alone multiplies.
constexpr linalg::FloatUnit floatUnitOf(aie::Generation generation, bool asBlocks) {
  if (generation != aie::Generation::Aie2p) return linalg::FloatUnit::EightAtOnce;
  return asBlocks ? linalg::FloatUnit::Blocks : linalg::FloatUnit::OneByOne;
}

/// Rows of sums of f32 that a loop may carry: AIE2P has five accumulators, and a loop needs some for what
/// it adds. 0: as many as passes choose.
inline int64_t sumsOfLoops(std::string_view device) {
  const aie::Device* found = aie::findDevice(device);
  return found && found->generation == aie::Generation::Aie2p ? 2 : 0;
}

}  // namespace airlite
