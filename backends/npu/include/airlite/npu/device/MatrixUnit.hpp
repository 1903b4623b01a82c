// The products of the matrix unit of a core: which shapes it has, and how they are asked for.
//
//   const MatrixShape* shape =
//       findMatrixShape(Generation::Aie2, MatrixElements::integers(8, 8), 4, 8, 8);
#pragma once

#include "airlite/device/AieDevices.hpp"

#include <cstdint>
#include <span>

namespace airlite::npu {

/// The elements of A and B: signed integers, or bf16 with sums of f32.
struct MatrixElements {
  bool areFloats;
  unsigned leftBits, rightBits;
  bool areBlocks = false;  ///< bf16 that become blocks (support/BlockFloat.hpp) in the core
  static constexpr MatrixElements integers(unsigned left, unsigned right) {
    return {false, left, right};
  }
  static constexpr MatrixElements bf16() { return {true, 16, 16}; }
  static constexpr MatrixElements blocks() { return {true, 16, 16, true}; }
  bool operator==(const MatrixElements&) const = default;
};

/// A block of sums that takes nearly all accumulators. One part of them takes some steps of the depth, then the next one: what
/// is done with one part is stored and loaded for the next block while others are multiplied, so that no
/// accumulator is alive for longer than a block takes.
struct PartedBlock {
  int64_t rows = 0, columns = 0;  ///< tiles
  int64_t parts = 1;              ///< of one of the sides
  int64_t stepsAtOnce = 0;        ///< that a part takes before the next one
  int64_t steps = 0;              ///< of the depth in a body
};

/// One product of tiles: C[rows][columns] += A[rows][depth] * B[depth][columns]. Tiles lie in memory
/// row by row, B of blocks column by column; C is an accumulator with lanes of `sumBits`.
/// Source: docs/hardware/vector_facts.md, section 3, "Dense matrix shapes"; docs/hardware/aie2p.md.
struct MatrixShape {
  MatrixElements elements;
  unsigned sumBits;
  int64_t rows, depth, columns;
  uint32_t configuration;  ///< the word that the instruction reads
  /// How many such sums the registers of a core hold.
  int64_t accumulators;
  unsigned loadBytes = 32;  ///< of one load of the generation
  /// Sums of a block that a body of a loop adds to at the same time, one group after the other, since
  /// there are few accumulators; 0: to all.
  int64_t group = 0;
  /// Of floats: how many products are added at once (linalg::kSumDepth).
  int64_t sumDepth = 0;
  /// The depth of one instruction, where it is not that of a tile: a column of A and a row of B.
  int64_t stepDepth = 0;
  /// For tiles with few steps of the depth; without rows: none is known.
  PartedBlock parted = {};

  int64_t sums() const { return rows * columns; }
  /// Of a block: half of the accumulators, so that two blocks can be under way; two groups, or one where
  /// there are no more accumulators.
  int64_t mostSums() const {
    if (!group) return accumulators / 2;
    return 2 * group < accumulators ? 2 * group : group;
  }
  int64_t depthOfStep() const { return stepDepth ? stepDepth : depth; }
  /// Instructions of a product of tiles.
  int64_t instructions() const { return depth / depthOfStep(); }
};

/// Sums that a loop over the depth keeps in accumulators: `rows` times `columns` tiles.
struct SumBlock {
  int64_t rows = 1, columns = 1;
  /// Cycles of one step of the depth per product: 1 where the unit is never without work. Loads of
  /// tiles need two slots, and products into one accumulator a distance.
  double cyclesPerProduct = 0;
  /// How many steps of the depth a body without branches takes: it loads and stores the sums once,
  /// so more of them leave room for that beside the loads of tiles.
  int64_t steps = 1;
  /// Of a block with few loads of tiles for each product (PartedBlock), which leave the slots to the sums; 1: all sums of the block take
  /// each step.
  int64_t parts = 1;
  int64_t stepsAtOnce = 0;
};
/// The best block of at most `mostSums` whose rows and columns divide the numbers of tiles that there
/// are. One in halves where steps of a depth of `depthTiles` would leave too few slots for loads. Of groups it is a row or a column: all of them read the same tiles of one factor, which stay
/// in registers. `sumBits`: of a sum in memory.
SumBlock bestBlock(const MatrixShape& shape, int64_t rowTiles, int64_t columnTiles,
                   unsigned sumBits = 32, int64_t depthTiles = INT64_MAX);

/// The shape for these elements that products of any size are cut into; null: none.
const MatrixShape* anyMatrixShape(aie::Generation generation, MatrixElements elements);
/// The shape for these elements whose instruction has these sizes; null: none.
const MatrixShape* findMatrixShape(aie::Generation generation, MatrixElements elements,
                                   int64_t rows, int64_t depth, int64_t columns);

}  // namespace airlite::npu
