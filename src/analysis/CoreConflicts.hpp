// Whether the cores of a herd are in each other's way.
#pragma once

#include "UnitConflicts.hpp"
#include "airlite/dialect/Scf.hpp"

namespace airlite::air {

/// A core of `first` and another core (other ids) of `second`, a herd of the same sizes or `first`
/// again, may touch one element, one of the two writing it, or use one place of a channel in the
/// same direction. Values that loops around both give may differ. Each core has its own channel
/// place when all ids of the herd stand in the indices.
bool otherCoresMayConflict(HerdOp first, HerdOp second);

}  // namespace airlite::air
