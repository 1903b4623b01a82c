// Steps of air-to-std that move ops about: loops for iteration spaces, and the order in a launch.
#pragma once

#include "HostTransfers.hpp"
#include "airlite/dialect/Scf.hpp"

#include <optional>

namespace airlite::npu {

/// `affine.for` loops from `lower` to `upper` by `steps`, one in the other, where `builder` stands,
/// which then stands in the innermost body. Appends the induction variables.
void createNest(Builder& builder, Location location, std::span<const int64_t> lower,
                std::span<const int64_t> upper, std::span<const int64_t> steps,
                std::vector<Operation*>& loops, std::vector<Value>& variables);

/// False when some bound is not constant, or no loop would end.
bool readBounds(scf::ParallelOp loop, std::vector<int64_t>& lower, std::vector<int64_t>& upper,
                std::vector<int64_t>& steps);

/// Does a loop variable say which place of a channel, and so which shim channel, is meant?
bool choosesPlaces(Operation& loop);
/// Replaces `loop`, whose results are tokens, by a copy of its body for each value of its
/// variables, and a join of their tokens. The new ops, in order; none when bounds are not constant.
std::optional<std::vector<Operation*>> unrollPlaces(scf::ParallelOp loop);

/// Moves the ops of `body` but for its terminator before `before`, with `values` for its arguments.
void inlineBefore(Block& body, Operation& before, std::span<const Value> values);

/// Symbols of affine maps that have become loop variables are dims from now on.
void repairSymbols(Operation& root);

/// Keeps the transfers of a herd, whose DMAs the host takes part in, with the loops around them and
/// what their operands are computed from: two affine.for loops over the herd (`air.herd` "outer"
/// and "inner") before `herd`. The body of the herd is used up.
LogicalResult copyOutHerd(air::HerdOp herd);

/// Puts the load of the first segment of a launch (or of a function without one) before the first
/// transfer. `isLaunch`: what the device sends is waited for at the end, no earlier.
///  - Where the program has an airrt.wait_all with `air.launch_end`, that is the end, and what the
///    device sends comes before what it is sent, so that it never waits for a receiver; transfers
///    of the same memory keep their order.
///  - Else there will be one: in each iteration if cores wait for the host there or get parameters.
///    If not, iterations need not wait for each other: they end with a wait that does not block and
///    says `air.iteration_end`; the one with `air.launch_end` comes after all of them.
void orderTransfers(Block& body, const HostChannels& channels, bool isLaunch);

}  // namespace airlite::npu
