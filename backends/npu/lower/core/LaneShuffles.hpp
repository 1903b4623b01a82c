// Vectors whose lanes change places, by shuffles of two of them (vector.shuffle).
#pragma once

#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace airlite::npu {

/// Lanes of two vectors side by side.
Value shuffleLanes(Builder& builder, Location location, Value low, Value high,
                   std::span<const int64_t> mask);

/// Lanes `first` to `first + count` of a vector.
Value sliceLanes(Builder& builder, Location location, Value vector, int64_t first, int64_t count);

/// A mask: of two vectors of `lanes` elements every second part, from number `first` on; a part is so many lanes.
std::vector<int64_t> everySecondLane(int64_t lanes, int64_t first, int64_t part = 1);

/// The elements (parts of so many lanes) of `vectors`, one after the other, are rows of `columns` elements, a power of two; gives them
/// column by column, in as many vectors, an even number. Of the number of an element rows are the upper bits and columns the lower
/// ones: taking every second element of all, and then the others, makes the lowest bit the uppermost.
std::vector<Value> columnsOfRows(Builder& builder, Location location, std::vector<Value> vectors,
                                 int64_t columns, int64_t part = 1);

}  // namespace airlite::npu
