// What an op demands of the memory that it touches: indices that lie in a dimension, elements that
// lie in the whole of a memref. As data, so that ranges and numbers are computed from the same.
#pragma once

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"

#include <optional>
#include <vector>

namespace airlite::analysis {

/// An index: a number, a value, or one result of a map.
struct IndexTerm {
  air::IndexEntry entry;
  AffineExpr expr;  // not null: of `operands`
  std::vector<Value> dims, symbols;
};

/// factor * stride.
struct ReachProduct {
  IndexTerm factor;
  IndexTerm stride;
};

/// The places sum of `start`, and from there as far as the `dims` reach: (size - 1) * stride each.
struct Reach {
  struct Dim {
    IndexTerm size, stride;
  };
  std::vector<ReachProduct> start;
  std::vector<Dim> dims;
};

/// `reach` has to lie in [0, extent) of dimension `dim` of `memref`; all dimensions in the order of
/// their memory when there is no `dim`.
struct BoundDemand {
  Operation* op = nullptr;
  Value memref;
  std::optional<unsigned> dim;
  Reach reach;
  bool isWrite = false;
};

/// Demands of one op; none of ops that say nothing about where they touch memory.
std::vector<BoundDemand> boundDemands(Operation& op);

}  // namespace airlite::analysis
