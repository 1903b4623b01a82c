// Sums whose accuracy only matters to roots of them: the variance of a norm.
#pragma once

#include "airlite/dialect/Linalg.hpp"

#include <string_view>

namespace airlite {

/// A discardable attribute of an arith.mulf: its result is a term of a sum that only roots read, and these
/// only scale what is rounded to bf16.
inline constexpr std::string_view kForRoundedRoots = "air.for_rounded_roots";

/// Whether the result of a reduction is read for nothing but its root (or the reciprocal of it), after a
/// positive scale and a positive summand, and this root is only a factor of numbers that are rounded to bf16.
/// The structured ops that read it are still in place.
bool isForRoundedRoots(linalg::StructuredOp sum);

}  // namespace airlite
