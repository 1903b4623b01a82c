#include "airlite/npu/device/MatrixUnit.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

constexpr MatrixShape kShapes[] = {
    {MatrixElements::integers(8, 8), 32, 4, 8, 8, 0x308, 9, 32, 0, 0, 0, {4, 2, 4, 4, 8}},
    {MatrixElements::integers(16, 16), 64, 4, 4, 4, 0x33a, 9},
    {MatrixElements::bf16(), 32, 4, 8, 4, 0x1c, 18, 32, 0, 8, 0, {4, 4, 2, 2, 4}},
};

// AIE2P multiplies bf16 lane by lane only (docs/hardware/aie2p.md, "Matrix unit"): 64 lanes are two rows
// of C, each a row of B times an element of A. A register of A is 16 such elements of both rows.
constexpr MatrixShape kAie2pShapes[] = {
    {MatrixElements::integers(8, 8), 32, 8, 8, 8, 0x308, 5, 64, 2},
    {MatrixElements::integers(16, 16), 32, 8, 2, 8, 0x318, 5, 64, 2},
    {MatrixElements::bf16(), 32, 2, 16, 32, 0x33c, 5, 64, 4, 1, 1},
    {MatrixElements::blocks(), 32, 8, 8, 8, 0x30c, 5, 64, 4, 8},
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

/// Loads of a tile of B: a row that stands next to both rows of C is loaded twice.
int64_t rightLoadsOf(const MatrixShape& shape) {
  const int64_t once = loadsOf(shape, shape.depth * shape.columns, shape.elements.rightBits);
  return shape.stepDepth ? shape.rows * once : once;
}

/// Instructions of the slot for moves that the tiles of a step take: each element of A is spread over a
/// register.
int64_t movesOf(const MatrixShape& shape, int64_t rowTiles) {
  return shape.stepDepth ? rowTiles * shape.rows * shape.depth : 0;
}

/// Tiles whose columns are spread: each keeps a register beside the pairs that are multiplied.
constexpr int64_t kMostColumns = 2;

/// Cycles from a product to the next one into the same accumulator (docs/hardware/gemm_facts.md,
/// section 3; docs/hardware/aie2p.md, "vec slot").
int64_t distanceOf(const MatrixShape& shape) {
  if (!shape.elements.areFloats) return 2;
  return shape.sumDepth == 1 || shape.elements.areBlocks ? 3 : 4;
}

/// Steps of the depth in a body whose block has half of the accumulators.
constexpr int64_t kSteps = 8;

/// Whether loads of tiles and sums leave less than an eighth of the two slots for loads free.
bool isTight(const MatrixShape& shape, const SumBlock& block, int64_t steps, int64_t loadsOfStep,
             unsigned sumBits) {
  const int64_t products = block.rows * block.columns;
  const int64_t loads = steps * loadsOfStep + products * loadsOf(shape, shape.sums(), sumBits);
  return block.cyclesPerProduct <= 1 && 8 * loads > 7 * 2 * steps * products * shape.instructions();
}

/// More for smaller blocks, and twice as many where loads are tight.
int64_t stepsOf(const MatrixShape& shape, const SumBlock& block, int64_t loadsOfStep,
                unsigned sumBits) {
  const int64_t products = block.rows * block.columns;
  const int64_t steps =
      std::max<int64_t>(1, kSteps * shape.mostSums() / products / shape.instructions());
  return isTight(shape, block, steps, loadsOfStep, sumBits) ? 2 * steps : steps;
}

/// Where each of two banks of memory has half of the sums, and so half of the loads and stores of a body: one bank alone, which
/// serves one access in a cycle, has no time for all of them. Fewer sums than two banks hold can lie across
/// their boundary (MatrixUnit.cpp asks for it).
bool mayBeInParts(const MatrixShape& shape, int64_t rowTiles, int64_t columnTiles,
                  int64_t depthTiles, unsigned sumBits) {
  constexpr const aie::TileLimits& kCore =
      aie::limitsOf(aie::Generation::Aie2, aie::TileKind::Core);
  constexpr int64_t kTwoBanks = 2 * kCore.memoryBytes / kCore.banks;
  const PartedBlock& block = shape.parted;
  const int64_t bytes = rowTiles * columnTiles * shape.sums() * sumBits / 8;
  return block.rows && rowTiles % block.rows == 0 && columnTiles % block.columns == 0 &&
         depthTiles % block.steps == 0 && (bytes <= kTwoBanks || bytes % kTwoBanks == 0);
}

}  // namespace

SumBlock bestBlock(const MatrixShape& shape, int64_t rowTiles, int64_t columnTiles,
                   unsigned sumBits, int64_t depthTiles) {
  const int64_t most = shape.mostSums();
  const int64_t loadsA = loadsOf(shape, shape.rows * shape.depth, shape.elements.leftBits),
                loadsB = rightLoadsOf(shape);
  SumBlock best;
  int64_t bestSums = 0;  // as many as there may be; among equals what loads least, a square
  for (int64_t r = 1; r <= std::min(rowTiles, most); ++r)
    for (int64_t c = 1; c <= std::min(columnTiles, most / r); ++c) {
      const bool hasGroups = shape.group && shape.group < most;
      if (rowTiles % r || columnTiles % c || (hasGroups && r > 1 && c > 1)) continue;
      if (shape.stepDepth && r > kMostColumns) continue;
      const auto products = static_cast<double>(r * c * shape.instructions());
      const double cycles =
          std::max({products, static_cast<double>(r * loadsA + c * loadsB) / 2,
                    static_cast<double>(movesOf(shape, r)),
                    static_cast<double>(distanceOf(shape) * shape.instructions())}) /
          products;
      const int64_t sums = r * c * 16 - (r + c);
      if (bestSums &&
          (cycles > best.cyclesPerProduct || (cycles == best.cyclesPerProduct && sums <= bestSums)))
        continue;
      best = {r, c, cycles};
      bestSums = sums;
    }
  const int64_t loads = best.rows * loadsA + best.columns * loadsB;
  best.steps = stepsOf(shape, best, loads, sumBits);
  if (mayBeInParts(shape, rowTiles, columnTiles, depthTiles, sumBits) &&
      isTight(shape, best, std::min(best.steps, depthTiles), loads, sumBits)) {
    const PartedBlock& block = shape.parted;
    return {block.rows,  block.columns, best.cyclesPerProduct,
            block.steps, block.parts,   block.stepsAtOnce};
  }
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
    if (shape.elements == elements && shape.rows == rows && shape.depthOfStep() == depth &&
        shape.columns == columns)
      return &shape;
  return nullptr;
}

}  // namespace airlite::npu
