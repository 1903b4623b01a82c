// The blocks that products are cut into for the matrix unit of a core. Plain data; everything else about the unit
// is in airlite/npu/device/MatrixUnit.hpp, and a test compares the two.
//
//   aie::ProductBlock block = aie::productBlock(aie::Generation::Aie2, {.leftBits = 8, .rightBits = 8});
//   // 4 rows, 8 columns, a depth of 8
#pragma once

#include "airlite/device/AieDevices.hpp"

namespace airlite::aie {

struct ProductBlock {
  int64_t rows = 1, columns = 1, depth = 1;
  bool operator==(const ProductBlock&) const = default;
};

/// What is multiplied. `inBlocks`: floats of which eight have one exponent (only AIE2P has these).
struct ProductFactors {
  unsigned leftBits = 0, rightBits = 0;
  bool areFloats = false, inBlocks = false;
};

/// One step of the matrix unit (docs/hardware/vector_facts.md, "Dense matrix shapes"; aie2p.md). Integers that it has
/// no step for are made of i16, floats of bf16, which AIE2P multiplies in lanes: two rows of 32. Of bytes that become
/// i16 in the core two are less than the word that a DMA moves: there are no blocks of these.
constexpr ProductBlock productBlock(Generation generation, const ProductFactors& factors) {
  const bool isSecond = generation == Generation::Aie2p;
  if (factors.areFloats && isSecond)
    return factors.inBlocks ? ProductBlock{8, 8, 8} : ProductBlock{2, 32, 16};
  if (factors.areFloats) return {4, 4, 8};
  if (factors.leftBits == 8 && factors.rightBits == 8) return {isSecond ? 8 : 4, 8, 8};
  if (!isSecond) return {4, 4, 4};
  return factors.leftBits == 8 ? ProductBlock{} : ProductBlock{8, 8, 2};
}

}  // namespace airlite::aie
