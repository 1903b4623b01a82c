// Moves of halves of vectors that need not be: what loads a half can load it to where it is used, and
// what reads a half can read it from where it is.
#pragma once

#include "Machine.hpp"

namespace airlite::npu::codegen {

/// Removes moves of 256 bits between vectors of a block where the two values can be one: a half that
/// is made in the block, moved into half of a wider vector, and read by nothing that cannot read it
/// there; a half that is taken from a wider vector, which nothing rewrites while the half is read. It
/// runs before loops are scheduled, so that no slot is planned for these moves, and before registers
/// are given, on instructions of one set.
void removeHalfMoves(MachineFunction& function);

}  // namespace airlite::npu::codegen
