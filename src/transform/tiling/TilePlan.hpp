// Which tile of a structured linalg op goes where: sizes per level of the hierarchy, chosen before
// anything is changed. Private to transform/.
#pragma once

#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/transform/ArrayDefaults.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace airlite {

using analysis::LoopIndex;

/// What the user asks for. Lists have an entry per loop of the op, in their order; a missing entry
/// or 0 leaves the choice to the plan. Sizes are upper bounds: the plan takes the greatest divisor
/// of the loop that is not above.
struct TileWishes {
  std::vector<int64_t> coreTile;  // elements that one core computes at a time
  std::vector<int64_t> copyTile;  // of reduction loops: elements that one copy into L2 brings
  /// Of products of matrices: cores along rows and columns; rows, columns and reduction of the tile of a
  /// core; 1 without and 2 with rounds. An entry that is missing or 0 is free. Of the plans that are
  /// as wished the cheapest is taken; where there is none, of all.
  std::vector<int64_t> product = {};
  int64_t listedPlans = 0;  // of products: TilePlan::plans has so many
  std::vector<int64_t> herd = wholeHerd(aie::defaultNpu());
  std::vector<int64_t> blocks;  // of the loops; empty: the matrix unit's for products
  aie::Generation generation = aie::defaultNpu().generation;  // of that matrix unit
  bool pack = true;
  bool grow = true;          // parallel loops that no herd shares out run in the core
  bool rows = true;          // tiles of reductions keep rows that fill vectors
  bool matrixSums = false;   // of products of floats: as the matrix unit makes them
  bool floatBlocks = false;  // of bf16: in blocks that share exponents
  int64_t l1Bytes = aie::defaultNpu().limits(aie::TileKind::Core).memoryBytes;
  bool outputIsNew = true;  // what it held before is not needed: tiles may be computed twice, and a
                            // launch instance may have several rounds
  int64_t plansTried = 0;   // of a product: its cheapest plans that the array has no room for
  size_t mostFollowers = std::numeric_limits<size_t>::max();  // ops computed with a product
  int64_t l2Bytes = 0;  // that products of matrices may use for what several tiles share; 0: none
};

/// An elementwise op that uses what a product of matrices or a convolution makes: cores do it on their tiles, before these leave them. Its
/// loops are the parallel ones of the product, in their order.
struct Epilogue {
  linalg::StructuredOp op;  // null: none
  bool sumsStay = false;    // what the product itself makes is not needed after it
};

/// An operand: a scalar (no memref), or a memref with its index.
struct TiledOperand {
  Value value;
  bool isMemRef = false;
  bool isRead = true;
  bool isWritten = false;
  std::vector<LoopIndex> index = {};  // factors >= 0
  bool isLate = false;                // of the epilogue alone
  bool isInner = false;               // exists in cores only
  bool isStaged = false;              // its rows do not begin at whole words (TileStaging.hpp)
  int64_t window =
      0;  // of the copy of a staged operand: elements of a row from one launch instance to the next
  std::vector<int64_t> copy = {};  // what one copy into L2 brings; empty: as TilePlan::copy
  /// Of each dimension: the extent of which all of the dimension is taken, since it alone is not whole words; 0: of none.
  std::vector<int64_t> toEnd = {};
  std::vector<unsigned> backwards = {};  // loops that read it from the end on: they run in one tile

  bool uses(unsigned loop) const;
  std::vector<int64_t> extents(std::span<const int64_t> tile) const;
  /// Of its part for a tile with these lengths of the loops; 0: of a scalar.
  int64_t bytes(std::span<const int64_t> tile) const;
};

/// What a plan costs in each of the stages that overlap, in cycles: transfers that the host starts, reads
/// from its memory with their streams, the busiest core, writes to its memory.
struct PlanCosts {
  int64_t starts = 0, reads = 0, cores = 0, writes = 0;

  int64_t sum() const { return starts + reads + cores + writes; }
  int64_t longest() const { return std::max({starts, reads, cores, writes}); }
  /// Of stages that run side by side and wait for each other: their 4-norm.
  int64_t together() const;
  /// `bound by its cores (starts 36600, reads 279617, cores 423264, writes 279617)`.
  std::string str() const;
};

struct TilePlan {
  std::vector<int64_t> sizes;  // of the loops
  std::vector<linalg::IteratorKind> kinds;
  std::vector<int64_t> core;        // tile of a core, divides `launch`
  std::vector<int64_t> launch;      // tile of one round of a launch instance; reductions: all, and
                                    // more where zeros fill the last block up
  std::vector<int64_t> rounds;      // of a launch instance along each loop, one after the other
  std::vector<int64_t> steps;       // from one round or launch instance to the next: those overlap
                                    // where it is less than `launch`
  std::vector<int64_t> copy;        // tile of one copy into L2, divides `launch`
  std::vector<int64_t> blocks;      // 1: not packed
  linalg::UnitSums sums;            // of the op on tiles
  std::vector<unsigned> herdLoops;  // of the first dimension of the herd, the second
  int64_t pieces = 1;      // in which the epilogue takes matrices and gives results of a tile
  unsigned pieceLoop = 0;  // along which these pieces lie
  std::vector<TiledOperand> operands;  // of the op, then of the epilogue
  std::vector<std::optional<size_t>>
      ofEpilogue;      // which are the operands of the epilogue; none: scalars
  int64_t cycles = 0;  // that it was chosen for, roughly; 0: it was chosen otherwise
  PlanCosts costs;     // of which `cycles` are made
  std::string next;    // the cheapest plan with other tiles, with its cycles; empty: there is none
  std::vector<std::string> plans;  // the cheapest ones, in the form of TileWishes::product
  std::string remark;              // what the user should know of it
  bool isInWords = true;           // a DMA of words can move its tiles
  bool isScalar = false;           // cores have no room to lay operands out for the matrix unit
  int64_t l1Bytes = 0;             // of a core
  std::vector<int64_t> array;      // of cores that there are, of which a product may take fewer

  bool isParallel(unsigned loop) const { return kinds[loop] == linalg::IteratorKind::Parallel; }
  unsigned numLoops() const { return static_cast<unsigned>(sizes.size()); }
  const std::vector<int64_t>& copyOf(const TiledOperand& operand) const {
    return operand.copy.empty() ? copy : operand.copy;
  }
  bool isPacked() const;
  bool hasRounds() const;
  /// Whether launch instances compute elements that others compute as well.
  bool overlaps() const;
  /// Whether L2 holds more of the loop than there is.
  bool isFilledUp(unsigned loop) const { return launch[loop] > sizes[loop]; }
  /// What a copy into L2 that takes so much there brings of a reduction: where zeros fill that up, each part has its own.
  int64_t brought(unsigned loop, int64_t copied) const {
    return isFilledUp(loop) ? sizes[loop] / (launch[loop] / copied) : copied;
  }
  /// Whether launch instances have rows of their own in the copy of a staged operand, along this loop.
  bool hasWindows(unsigned loop) const;
  /// Rounds along a loop, of all launch instances together.
  int64_t count(unsigned loop) const { return (sizes[loop] - launch[loop]) / steps[loop] + 1; }
  /// Of all parallel loops.
  int64_t numInstances() const;
  /// That compute at the same time.
  int64_t numCores() const;
  /// `launch 4x4, herd 4x4, core 16x16x32, blocks 4x4x8`.
  std::string str() const;
};

/// Of memory, or of a number.
inline int64_t elementBytesOf(Value value) {
  return (elementTypeOrSelf(value.type()).bitWidth() + 7) / 8;
}

/// Empty with the reason in `obstacle` when the op cannot be tiled so. With an epilogue it has to be a product of
/// matrices in blocks of the matrix unit, or a convolution that the unit makes.
std::optional<TilePlan> planTiles(linalg::StructuredOp op, const TileWishes& wishes,
                                  std::string& obstacle, const Epilogue& epilogue = {});

}  // namespace airlite
