// A loop around a herd becomes a loop inside of it.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <string_view>

namespace airlite::air {

/// The only op of the body that does something, when it is a herd; else null.
HerdOp onlyHerd(scf::ForOp loop);

/// Replaces a loop that does nothing but run a herd, one iteration after the other, by a herd that
/// runs the loop on each core. Cores then no longer wait for each other between iterations, so
/// what they touch must be apart. Empty when it was done, else why not.
std::string_view moveLoopIntoHerd(scf::ForOp loop);

}  // namespace airlite::air
