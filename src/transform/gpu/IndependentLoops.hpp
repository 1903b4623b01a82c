// Loops of the host whose rounds have nothing to do with each other.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite::gpu {

/// Ops that a work-item runs for itself: they compute, read and write elements.
bool isOfWorkItem(Operation& op);

/// Makes scf.parallel of each scf.for of `module`, with those that are all there is in it, outside of the hierarchy and of other
/// parallel loops, which computes, reads and writes elements, and whose rounds each write elements of their own that no other one reads:
/// all accesses to a buffer that it writes have the number of the loop as their index in one dimension.
void makeIndependentLoopsParallel(Operation& module);

}  // namespace airlite::gpu
