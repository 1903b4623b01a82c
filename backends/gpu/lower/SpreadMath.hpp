// Products and reductions of the fragments that the lanes of a wave have.
#pragma once

#include "SpreadLayout.hpp"

namespace airlite::gpu {

/// lhs * rhs + sum, of fragments that lie as `plan` says.
Value multiplyFragments(Builder& builder, const ContractPlan& plan, Value lhs, Value rhs,
                        Value sum);

/// The result of `reduction`, whose source is a fragment of a vector of which no lane repeats any
/// element. Each lane combines what it has, then with the lanes that are 1/2, 1/4, ... of the wave
/// away: all of them end with the same bits. Null when lanes cannot exchange such elements.
Value reduceOverLanes(Builder& builder, vector::ReductionOp reduction, int64_t wave);

}  // namespace airlite::gpu
