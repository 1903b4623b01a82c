// Loops whose bodies are too long to overlap become several, one after the other.
#pragma once

#include "ProductParts.hpp"
#include "airlite/dialect/Scf.hpp"

#include <vector>

namespace airlite::npu {

/// Loops of parts that a core has room for. With the rounds that begin and end them each takes some 1,600 bytes of program
/// memory, without 500: where not all overlap, some go without (SoftwarePipeline.cpp), which is faster still than one body that holds
/// more values than there are registers.
inline constexpr size_t kMostParts = 28;

/// Instructions that a value of 16 elements takes to load or to store.
int64_t accessesOf(Type element);
/// Roughly the instructions that an op on numbers becomes for 16 elements.
int64_t instructionsOf(Operation& op);

/// Puts in place of `loop`, which computes elements from elements at the same place and carries nothing, loops that each do a
/// part of its body for some hundred elements; what a later part needs lies in buffers of `scratch` meanwhile. Rounds
/// of a long body hold more values than there are registers, so that they could not begin before the last one ends.
/// Returns the loops, which `room` becomes less by; only `loop`, as it is, when its body is short, cannot be cut, or has more parts than
/// there is room for.
std::vector<scf::ForOp> splitLongBody(scf::ForOp loop, ScratchBuffers& scratch, size_t& room);

}  // namespace airlite::npu
