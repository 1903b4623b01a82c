// Which products of floats the cores of an array have.
//
//   linalg::FloatUnit unit = floatUnitOf(device.generation, false);  // AIE2P: OneByOne
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Linalg.hpp"

namespace airlite {

/// `asBlocks`: factors of bf16 become blocks that share exponents, which AIE2P alone multiplies.
constexpr linalg::FloatUnit floatUnitOf(aie::Generation generation, bool asBlocks) {
  if (generation != aie::Generation::Aie2p) return linalg::FloatUnit::EightAtOnce;
  return asBlocks ? linalg::FloatUnit::Blocks : linalg::FloatUnit::OneByOne;
}

}  // namespace airlite
