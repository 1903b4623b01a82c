// Moves of halves of vectors that need not be: what loads a half can load it to where it is used, and
// what reads a half can read it from where it is.
#pragma once

#include "Machine.hpp"

namespace airlite::npu::codegen {

/// Removes moves of 256 bits between vectors of a block where the two values can be one: a half that
/// is made, moved into half of a wider vector and read by nothing that cannot read it there; a half
/// that is taken from a wider vector that stays as it is for as long as the half is read. Such a pair
/// of values is subject to no rule of registers before, so that loops can be scheduled without the
/// move (Park and Moon, "Optimistic register coalescing", has the trade; here no life gets longer
/// than that of the two together). For instructions of one set, before registers are given.
void removeHalfMoves(MachineFunction& function);

}  // namespace airlite::npu::codegen
