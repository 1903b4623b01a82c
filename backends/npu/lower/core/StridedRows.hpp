// Places of a loop's rounds along a row: side by side, or every second, fourth or eighth element of it. Of such elements
// vectors are those of all elements between the first and the last one, of which shuffles keep every second one, once or more often.
#pragma once

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"

#include <cstdint>
#include <optional>

namespace airlite::npu {

/// Where a round of a loop finds an element: `step` times its variable, and what the loop does not change.
struct RowPlace {
  int64_t step = 1;
  Value moving;       ///< the variable, or the product of it and the step
  Value start;        ///< null: 0
  int64_t phase = 0;  ///< elements before the place that vectors begin
};

/// Of an index that is computed in the body of `loop`, of step 1. None where it is something else.
std::optional<RowPlace> rowPlaceOf(Value index, scf::ForOp loop);

/// Lets vectors begin at a place of a load from such memory (RowPlace::phase), where what they have besides its elements is memory of it,
/// too. False: there is no such place.
bool choosePhase(RowPlace& place, Value index, MemRefType memory);

/// What vectors begin at, `phase` elements before `start`; null: at 0. Two places of which one begins inside of the other's step have the same one.
Value startOfRow(Builder& builder, Location location, const RowPlace& place);

}  // namespace airlite::npu
