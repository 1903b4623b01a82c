// Loops whose bodies are too long to overlap become several, one after the other.
#pragma once

#include "ProductParts.hpp"
#include "airlite/dialect/Scf.hpp"

#include <vector>

namespace airlite::npu {

/// Puts in place of `loop`, which computes elements from elements at the same place and carries nothing, loops that each do a
/// part of its body for some hundred elements; what a later part needs lies in buffers of `scratch` meanwhile. Rounds
/// of a long body hold more values than there are registers, so that they could not begin before the last one ends.
/// Returns the loops; only `loop`, as it is, when its body is short, or cannot be cut.
std::vector<scf::ForOp> splitLongBody(scf::ForOp loop, ScratchBuffers& scratch);

}  // namespace airlite::npu
