// What the writers of a tiled nest share: the op with its plan, and the ops that nests consist of.
#pragma once

#include "TileEmitter.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <cstdint>

namespace airlite::tiling {

using linalg::IteratorKind;
using linalg::StructuredOp;
using memref::MixedIndex;

/// A loop variable of the nest: `value` times `elements` of a loop of the op, and `value` times `TiledOperand::window` in the rows of
/// staged operands, or `brought` in the memory of the host.
struct Counter {
  Value value;
  int64_t elements = 1;
  bool countsWindows = false;
  int64_t brought = 0;  ///< 0: as `elements`
};

/// The place of each loop of the op at a place of the nest, as a sum; none: zero.
using Position = std::vector<std::vector<Counter>>;

/// How a packed buffer is laid out: blocks of `tiles`, the dimensions `inner` in each block.
struct Layout {
  std::vector<int64_t> shape;
  std::vector<int64_t> outerOrder, innerDims, innerTiles;
  bool isPacked() const { return !innerDims.empty(); }
};

struct NestState {
  StructuredOp op;
  const TilePlan& plan;
  Operation* fill;
  const Epilogue& epilogue;
  bool useL2;
  Rewriter& rewriter;
};

// -- TileNest.cpp: loops, places, buffers

Location location(const NestState& tiler);
Context& context(const NestState& tiler);
/// What the variables of loops count: elements of the op; launch instances and rounds, where the loop has windows (TilePlan::hasWindows);
/// copies into L2, where zeros fill up each (TilePlan::brought).
enum class Counts : uint8_t { Elements, Instances, Copies };

/// A parallel loop needs a dimension: without one of its own it gets one that runs once.
Operation* parallel(NestState& tiler, const std::vector<unsigned>& loops,
                    const std::vector<int64_t>& sizes, const std::vector<int64_t>& steps,
                    Position at, FunctionRef<void(const Position&)> body,
                    Counts counts = Counts::Elements);
/// A loop for each of `loops`, outermost first.
void sequential(NestState& tiler, std::span<const unsigned> loops,
                const std::vector<int64_t>& sizes, const std::vector<int64_t>& steps, Position at,
                FunctionRef<void(const Position&)> body, Counts counts = Counts::Elements);
/// The sum of factor * values; a constant when there are none.
MixedIndex sum(NestState& tiler, const std::vector<std::pair<int64_t, Value>>& terms, int64_t plus);
/// `value` by `divisor`, rounded down.
MixedIndex quotient(NestState& tiler, Value value, int64_t divisor);
/// The part of `memref` that a tile at `at` takes; the memref itself when it is all of it.
Value part(NestState& tiler, Value memref, const TiledOperand& operand, const Position& at,
           const std::vector<int64_t>& tile);
Value alloc(NestState& tiler, std::span<const int64_t> shape, Value like, int64_t space);
void copy(NestState& tiler, Value from, Value to);
void free(NestState& tiler, Value memref);
Position joined(Position a, const Position& b);
/// Reduction loops that run several times in steps of `steps`.
std::vector<unsigned> reductions(const NestState& tiler, const std::vector<int64_t>& steps);

// -- TileLayout.cpp: packed buffers

/// Outer dimensions: those that are not cut, then the blocks, the last dimension first, so that
/// the blocks of one column lie one after the other (GEMM case study, air-dependency).
Layout layout(const NestState& tiler, const TiledOperand& operand);
/// The part of `buffer`, which holds the whole tile of `operand`, that belongs to the piece that begins at `at` along
/// `tiler.plan.pieceLoop`; the tiles of `tiler` are pieces.
Value pieceOf(NestState& tiler, const TiledOperand& operand, Value buffer, Value at);
void moveIn(NestState& tiler, size_t operand, Value from, Value to);
void moveOut(NestState& tiler, size_t operand, Value from, Value to);
/// Loops of the blocked op: those of the op, then one within the blocks of each blocked loop.
std::vector<unsigned> innerLoops(const NestState& tiler);
/// `map` is of the op's operand `operand`, `numLoops` those of the blocked op.
AffineMap blockedMap(const NestState& tiler, unsigned operand, AffineMap map, unsigned numLoops,
                     const std::vector<unsigned>& inner);

// -- TileBody.cpp: the op on tiles

void computePlain(NestState& tiler, const std::vector<Value>& buffers, const Position& at);
void computeOnBlocks(NestState& tiler, const std::vector<Value>& buffers, const Position& at);
/// The epilogue, on blocks where the plan has some.
void computeEpilogue(NestState& tiler, const std::vector<Value>& buffers);

}  // namespace airlite::tiling
