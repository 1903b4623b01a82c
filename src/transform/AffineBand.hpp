// Perfect nests of affine.for.
#pragma once

#include "airlite/dialect/Affine.hpp"

#include <vector>

namespace airlite::affine {

/// `root` and the loops below it, as long as each holds nothing but the next one and none carries
/// values.
std::vector<ForOp> bandOf(ForOp root);
/// Times that the body runs: of constant bounds, and of bounds that are a constant apart whatever
/// their operands are.
std::optional<int64_t> knownTripCount(ForOp loop);

}  // namespace airlite::affine
