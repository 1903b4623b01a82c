// Copies between a buffer of a core and tiles of the matrix unit.
//
// A buffer X[u][v] (and loops around) in tiles of bu x bv is packed[.., v / bv, u / bu, u % bu, v % bv]: rows u follow each other
// within a block of columns, so that one loop over u copies all of them. Loops around that move by the same number of elements, as
// those over rows of an image and of the window of a convolution do, are one dimension: packed[.., row + rowOfWindow, ..].
//
// Rows of whole vectors are copied by vectors, four rows at a time, whose parts change places by shuffles:
//
//   of 4 rows x 4 parts     a0 a1 a2 a3, b0 b1 b2 b3, ..     ->     a0 b0 c0 d0, a1 b1 c1 d1, ..
//
// Other rows are copied by words where they are whole ones, else by elements.
#pragma once

#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace airlite::npu {

/// Loops around the rows of tiles that move by the same number of elements.
struct OuterDim {
  std::vector<unsigned> loops;
  int64_t factor = 0;
  int64_t size = 0;  // places that their sum has
};

/// So many elements of the buffer for each of a value.
struct PlaceTerm {
  Value value;
  int64_t factor = 0;
};

struct PackedOperand {
  Value memory, packed;
  std::vector<int64_t> factors;  // elements by which a step of each loop moves
  int64_t constant = 0;
  std::vector<PlaceTerm> starts;  // of the part of `memory` that the operand is
  std::vector<PlaceTerm> slices;  // of loops over slices around copies and product
  std::vector<OuterDim> outer;
  std::optional<unsigned> row, column;
  int64_t rows = 1, columns = 1;  // of the loops
  int64_t tileRows = 1, tileColumns = 1;
  int64_t rowBlocks = 1, columnBlocks = 1;  // tiles along both, those that fill up included

  Type element() const;
  int64_t elementBytes() const { return element().bitWidth() / 8; }
  /// Of all tiles.
  int64_t packedElements() const;
  /// Whether terms that values say are multiples of so many elements.
  bool movesBy(int64_t unit) const;
  /// Whether rows are copied by vectors.
  bool isOfVectors() const;
  /// Loads, and as many stores, that one copy takes.
  int64_t moves() const;
};

/// From `memory` to `packed`. Rows of tiles that fill up may get copies of the last row.
void copyIntoTiles(Builder& builder, Location location, const PackedOperand& operand);
/// Back.
void copyFromTiles(Builder& builder, Location location, const PackedOperand& operand);

}  // namespace airlite::npu
