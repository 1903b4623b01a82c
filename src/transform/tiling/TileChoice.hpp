// A tile plan while it is made. Private to the files of the planner.
#pragma once

#include "TilePlan.hpp"
#include "airlite/analysis/Access.hpp"

namespace airlite::tiling {

using linalg::IteratorKind;

struct PlanState {
  linalg::StructuredOp op;
  const TileWishes& wishes;
  std::string& obstacle;
  Epilogue epilogue = {};
  TilePlan plan = {};
  analysis::AccessReader reader = {};
  std::vector<int64_t> herd = {};   // cores along each loop
  std::vector<int64_t> words = {};  // iterations of each loop that move on by whole words
  std::vector<int64_t> unit = {};   // of which tiles are multiples, as tried now
  bool isLean = false;              // one buffer where two would only save time
  std::vector<int64_t> depth =
      {};  // of reduction loops: as long as zeros fill them up; 0: as they are
  std::vector<int64_t> copy = {};  // of reduction loops: chosen with the tiles of a product
  bool fillsReduction =
      false;  // of a product, with zeros in the memory of the host: factors are staged
};

// -- TileOperands.cpp: reads the op, false with the obstacle when it cannot be tiled

bool readLoops(PlanState& planning);
bool readOperands(PlanState& planning);
/// What one tile writes no other may read or write.
bool checkAliases(PlanState& planning);

// -- TileWords.cpp: what a DMA can move

/// A DMA moves words of 32 bits. Each step of a loop from tile to tile has to move on by whole
/// ones in all operands: a tile is a multiple of this, or the whole loop.
void findWords(PlanState& planning);
/// A loop that has to run in one tile, since tiles of an operand are not whole words.
std::optional<unsigned> loopInWords(const PlanState& planning);

// -- ProductTiles.cpp

/// Of a product of matrices in blocks: herd, tiles, copies into L2, rounds and steps. False: the op is
/// none, has wishes of its own, or does not fit, and is planned as others are.
bool chooseProductTiles(PlanState& planning);

// -- ConvolutionTiles.cpp

/// Of a convolution whose sums the matrix unit makes, with the herd that is chosen: the tile of a core.
/// False: it has wishes, or none fits.
bool chooseConvolutionTiles(PlanState& planning);

// -- TilePlan.cpp

/// As many cores along a loop as divide its units, `most` at most.
int64_t coresAlong(const PlanState& planning, unsigned loop, int64_t most);

/// C[.. m n] += A[.. m k] * B[.. k n]: the innermost loops m, n and k. None when the op is no such product.
struct ProductLoops {
  unsigned rows, columns, sums;
};
std::optional<ProductLoops> loopsOfProduct(const PlanState& planning);
/// The blocks of the matrix unit for these loops, 1 for the others. Empty when the op is no such product.
std::vector<int64_t> blocksOfProduct(const PlanState& planning);
/// How sums of the op are made with the blocks that are chosen.
void chooseSums(PlanState& planning);
/// What the tile of a loop is a multiple of.
int64_t unitOf(const PlanState& planning, unsigned loop);
/// Elements of an operand that comes as it is, once a core has laid it out in blocks (ProductPacking): those of a block are
/// whole ones, and what a window along rows of blocks covers several times is there several times.
int64_t elementsLaidOut(const PlanState& planning, size_t operand, std::span<const int64_t> core);
/// Whether the ops after the planned one read memory besides what it makes.
bool readsLate(const TilePlan& plan);
/// Whether launch instances of a convolution that have the same filters had better be rounds of one instance: the filters come from
/// the memory of the host once, and stay in L2. Few rounds do not make up for the wait until all of the filters is there.
bool keepsFilters(const PlanState& planning, std::span<const int64_t> launch, int64_t instances);
/// Bytes of the buffers of a core with tiles of that size.
int64_t bytesOfCore(const PlanState& planning, std::span<const int64_t> core);
/// Bytes in L1 for each element of the tile of an operand that has so many buffers.
int64_t bytesOfElement(const PlanState& planning, size_t operand, int64_t copies);

int64_t wished(const std::vector<int64_t>& list, unsigned loop, int64_t otherwise);
int64_t bitWidthOf(Type type);
/// Of an element.
int64_t bytesOf(const TiledOperand& operand);

}  // namespace airlite::tiling
