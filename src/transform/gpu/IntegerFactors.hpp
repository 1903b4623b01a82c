// Products of floats by bytes.
#pragma once

#include "airlite/dialect/Linalg.hpp"

namespace airlite::gpu {

/// A linalg.generic that multiplies and adds floats, of which one factor is made from integers of 8 bits in its body (weights of bytes), becomes
/// an elementwise op that makes this factor as f16 or bf16, the type of the other factor where it is one of these, and a product of two floats. Every such
/// integer is a number of these types. True where it was one; the op is the same one, changed.
bool convertIntegerFactor(linalg::StructuredOp op);

}  // namespace airlite::gpu
