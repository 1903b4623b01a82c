// The part of a memory that a statement touches in all rounds of its loops, as a view of it and an indexing map.
//
//   if (std::optional<PlaceView> view = viewOfPlace(nest, statement, place, PlaceUse::Load))
//     use(makeView(*view, builder, location, memref), view->map(context, statement.loops.size()));
#pragma once

#include "LoopStatements.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <optional>

namespace airlite::tiling {

/// A dimension of a view: its part of the dimension of the memory, and which element of it a round has.
struct ViewDim {
  int64_t size = 0;  ///< of the memory
  int64_t step = 1;  ///< elements of the dimension of the memory that one of this dimension takes
  int64_t offset = 0, extent = 1, stride = 1;
  bool isDropped = false;       ///< no loop moves along it
  analysis::LoopIndex index{};  ///< over the loops of the statement, in its order

  bool isBackwards() const;
  bool hasPartOf(const ViewDim& other) const {
    return size == other.size && offset == other.offset && extent == other.extent &&
           stride == other.stride && isDropped == other.isDropped;
  }
};

struct PlaceView {
  std::vector<std::vector<ViewDim>>
      dims;            ///< for each dimension of the memory those that it is split into
  bool isEven = true;  ///< their steps divide it

  AffineMap map(Context& context, unsigned numLoops) const;
  /// Whether rounds have elements of a dimension, of those that are not dropped, from its end on.
  bool isBackwards(unsigned dim) const;
  bool isBackwards() const;
  /// The same with all dimensions from their beginning on.
  PlaceView forwards() const;
  /// Whether it is the same part, which rounds may run through otherwise.
  bool isPartOf(const PlaceView& other) const;
};

enum class PlaceUse : uint8_t { Load, Store };

/// A place that no loop moves along has one dimension of one element, of a loop of one round after those of the statement
/// (`needsRound`), if its memory has dimensions at all: an op of no loops stays on the host. Null: rounds leave the memory, its shape is not known, or rounds store elements in a way that no op with a place of its own for each
/// has: a sum of loops that do not take turns, or backwards.
std::optional<PlaceView> viewOfPlace(const LoopStatements& nest, const Statement& statement,
                                     const StatementPlace& place, PlaceUse use);

/// Whether a loop stores elements from the end on. Its op runs its rounds the other way round: for what is stored their order is nothing.
bool isTurned(const Statement& statement, size_t loop);

/// Whether no loop moves along the place, which has dimensions.
bool needsRound(const StatementPlace& place);

Value makeView(const PlaceView& view, Builder& builder, Location location, Value memref);

}  // namespace airlite::tiling
