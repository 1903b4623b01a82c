// Values of elementwise linalg ops on a tile of two of their loops.
#pragma once

#include "KernelWriter.hpp"

#include <unordered_map>
#include <utility>

namespace airlite::gpu {

/// A tile of the points of an elementwise op: vectors of two dimensions.
struct Tile {
  std::vector<Value>
      starts;  ///< for each loop of the op: its index, of the tile's loops the first one
  unsigned loops[2] = {0, 1};  ///< along the dimensions of the vectors
  int64_t shape[2] = {0, 0};
  bool inside[2] = {true, true};  ///< no point lies past the end of the loop

  /// The dimension of the vectors along `loop`; -1: none.
  int dimOf(unsigned loop) const { return loops[0] == loop ? 0 : loops[1] == loop ? 1 : -1; }
  /// The other dimension becomes the first one.
  void turn() {
    std::swap(loops[0], loops[1]);
    std::swap(shape[0], shape[1]);
    std::swap(inside[0], inside[1]);
  }
};

/// The tile as one of the loops that are the dimensions of what `map` indexes.
Tile tileIn(const Tile& tile, AffineMap map);

/// Whether the result of `op`, which has one, can be computed on tiles: parallel loops in the order of the
/// result's dimensions, operands indexed by loops and zeros, bodies of elementwise ops and linalg.index.
bool isTileOp(linalg::StructuredOp op);

/// Computes floats of 16 bits in 32.
class TileWriter : public KernelWriter {
 protected:
  using KernelWriter::KernelWriter;
  using Known = std::unordered_map<Value, Value>;

  /// f32 for floats of 16 bits.
  Type widened(Type element) const;
  VectorType tileType(const Tile& tile, Type element) const;
  /// What the body of `op` yields for the tile. `known`: tiles of values of the body.
  Value computeTile(linalg::StructuredOp op, const Tile& tile, Known known);
  /// Writes what `followers` (Followers.hpp) make of a tile of `from`, or the tile itself: `map` says how
  /// the loops of `tile` index `from`.
  void writeResult(Value from, AffineMap map, const Tile& tile, Value result,
                   std::span<const linalg::StructuredOp> followers);
  /// A sum of loops times numbers, and numbers.
  Value indexOf(AffineExpr expr, std::span<const Value> loops);
  /// Of memory indexed by sums of loops; those of the tile stand alone, or next to loops that are fixed.
  Value readTile(Value memref, AffineMap map, const Tile& tile);
  /// Where what `loop` indexes is several elements apart, a view of `memref` has it next to each other; it begins where
  /// the other loops, whose numbers are `starts`, are. `map` indexes the view then.
  void takeStride(Value& memref, AffineMap& map, unsigned loop, std::span<const Value> starts);
  void writeTile(Value memref, AffineMap map, const Tile& tile, Value vector);
  /// A vector along dimension `dim` of the tile, repeated along the other one.
  Value spreadAlong(Value vector, int dim, const Tile& tile);
  /// Numbers 0, 1, 2 ... of this type.
  Value countUp(int64_t count, Type element);

 private:
  Value stridedView(Value memref, unsigned dim, Value offset, int64_t stride);
  Value evaluate(Value value, linalg::StructuredOp op, const Tile& tile, Known& known);
  Value operandTile(Value operand, AffineMap map, const Tile& tile);
  Value indexTile(unsigned loop, const Tile& tile);
  VectorPlace placeOf(Value memref, AffineMap map, const Tile& tile, std::vector<int>& dims);
};

}  // namespace airlite::gpu
