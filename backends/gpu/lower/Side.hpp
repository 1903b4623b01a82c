// One side of a copy: where its elements lie in the flat memory of a buffer.
#pragma once

#include "IndexMath.hpp"
#include "airlite/dialect/Air.hpp"

#include <span>
#include <vector>

namespace airlite::gpu {

/// One loop over elements.
struct Dim {
  Index size, stride;
};

/// Element (i0, i1, ...) is number `base + sum(i_k * stride_k)` of what `root` points at.
struct Side {
  Value root;
  Index base;
  std::vector<Dim> dims;

  Type element() const { return root.type().cast<MemRefType>().elementType(); }
};

/// The side that `access` is; `other` gives the sizes where this one has none. Empty after an error
/// at `op`.
std::optional<Side> sideOf(const IndexMath& math, Operation& op, const air::Access& access,
                           const air::Access& other);
/// The list's strides and those of the memref disagree where an offset is not zero: the offsets
/// could be meant as coordinates.
bool hasTwoReadings(const air::Access& access);

Index volume(const IndexMath& math, const Side& side);
/// Leaves out dims of size 1 and joins dims that follow each other.
void simplify(Side& side);
/// The same for two sides with equal sizes, which stay equal. False when they are not equal.
bool simplifyTogether(Side& a, Side& b);

/// A truth that is known, or that a run computes.
struct Truth {
  bool known = true;
  Value value;  ///< null: `known` is it
};
/// Whether no two elements of these loops lie at one place.
Truth areApart(const IndexMath& math, std::span<const Dim> dims);
/// Whether no two of its elements do; what is not known is taken for a part of such a memref.
bool areApart(MemRefType type);

/// The memory of `side.root` as one row of elements.
Value flatMemory(const IndexMath& math, const Side& side);

}  // namespace airlite::gpu
