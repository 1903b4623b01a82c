// Buffers with fewer dimensions for such with more, one view for all ops that share a buffer.
#pragma once

#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <map>
#include <vector>

namespace airlite::tiling {

/// A buffer of static shape whose elements lie one after the other from its beginning; null: it is none.
MemRefType contiguousType(Value value);

/// Where a view of `value` is made: right after what it comes from.
struct ViewPlace {
  explicit ViewPlace(Value value);
  Builder builder;
  Location location;
};

/// A linalg.generic on buffers in the place of `named`, which goes away.
linalg::StructuredOp generalized(linalg::StructuredOp named);

class CollapsedViews {
 public:
  /// `buffer` with the dimensions of each group as one; itself where no group has several.
  Value of(Value buffer, const memref::Reassociation& groups);
  /// Buffers of the function that only one such view uses, and what frees them, are made with its dimensions.
  void remakeBuffers();

 private:
  struct View {
    Value buffer;
    memref::Reassociation groups;
    Value view;
  };
  static bool isOnlyUsedBy(Value buffer, Value view);

  std::vector<View> views_;  // in the order in which they were asked for
};

}  // namespace airlite::tiling
