#include "airlite/npu/device/MatrixUnit.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

constexpr MatrixShape kShapes[] = {
    {MatrixElements::integers(8, 8), 32, 4, 8, 8, 0x308, 9},
    {MatrixElements::integers(16, 16), 64, 4, 4, 4, 0x33a, 9},
    {MatrixElements::bf16(), 32, 4, 8, 4, 0x1c, 18},
};

// There is no product of bf16 by AIE2P (docs/hardware/aie2p.md, "Matrix unit").
constexpr MatrixShape kAie2pShapes[] = {
    {MatrixElements::integers(8, 8), 32, 8, 8, 8, 0x308, 5, 64, 2},
    {MatrixElements::integers(16, 16), 32, 8, 2, 8, 0x318, 5, 64, 2},
};

std::span<const MatrixShape> shapesOf(aie::Generation generation) {
  if (generation == aie::Generation::Aie2p) return kAie2pShapes;
  return kShapes;
}

/// Loads that a tile takes.
int64_t loadsOf(const MatrixShape& shape, int64_t elements, unsigned bits) {
  const int64_t each = shape.loadBytes * 8;
  return (elements * bits + each - 1) / each;
}

/// Cycles from a product to the next one into the same accumulator (docs/hardware/gemm_facts.md,
/// section 3).
int64_t distanceOf(const MatrixShape& shape) { return shape.elements.areFloats ? 4 : 2; }

/// Steps of the depth in a body whose block has half of the accumulators.
constexpr int64_t kSteps = 8;

/// More for smaller blocks, and twice as many where the loads of tiles and sums would leave less
/// than an eighth of the two slots for loads free.
int64_t stepsOf(const MatrixShape& shape, const SumBlock& block, int64_t loadsOfStep) {
  const int64_t products = block.rows * block.columns;
  const int64_t steps = kSteps * shape.mostSums() / products;
  const int64_t loads = steps * loadsOfStep + products * loadsOf(shape, shape.sums(), 32);
  const bool isTight = block.cyclesPerProduct <= 1 && 8 * loads > 7 * 2 * steps * products;
  return isTight ? 2 * steps : steps;
}

}  // namespace

SumBlock bestBlock(const MatrixShape& shape, int64_t rowTiles, int64_t columnTiles) {
  const int64_t most = shape.mostSums();
  const int64_t loadsA = loadsOf(shape, shape.rows * shape.depth, shape.elements.leftBits),
                loadsB = loadsOf(shape, shape.depth * shape.columns, shape.elements.rightBits);
  SumBlock best;
  int64_t bestSums = 0;  // as many as there may be; among equals what loads least, a square
  for (int64_t r = 1; r <= std::min(rowTiles, most); ++r)
    for (int64_t c = 1; c <= std::min(columnTiles, most / r); ++c) {
      if (rowTiles % r || columnTiles % c || (shape.group && r > 1 && c > 1)) continue;
      const auto products = static_cast<double>(r * c);
      const double cycles = std::max({products, static_cast<double>(r * loadsA + c * loadsB) / 2,
                                      static_cast<double>(distanceOf(shape))}) /
                            products;
      const int64_t sums = r * c * 16 - (r + c);
      if (bestSums &&
          (cycles > best.cyclesPerProduct || (cycles == best.cyclesPerProduct && sums <= bestSums)))
        continue;
      best = {r, c, cycles};
      bestSums = sums;
    }
  best.steps = stepsOf(shape, best, best.rows * loadsA + best.columns * loadsB);
  return best;
}

const MatrixShape* anyMatrixShape(aie::Generation generation, MatrixElements elements) {
  for (const MatrixShape& shape : shapesOf(generation))
    if (shape.elements == elements) return &shape;
  return nullptr;
}

const MatrixShape* findMatrixShape(aie::Generation generation, MatrixElements elements,
                                   int64_t rows, int64_t depth, int64_t columns) {
  for (const MatrixShape& shape : shapesOf(generation))
    if (shape.elements == elements && shape.rows == rows && shape.depth == depth &&
        shape.columns == columns)
      return &shape;
  return nullptr;
}

}  // namespace airlite::npu
