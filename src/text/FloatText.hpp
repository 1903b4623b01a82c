// Floats as text.
#pragma once

#include "airlite/ir/Attribute.hpp"

#include <cstdint>
#include <string>

namespace airlite::text {

/// Appends `value`, a value of the format `kind`, so that reading it back gives the same value: six
/// digits in scientific form when they are enough, else as many as the format holds, else (also
/// infinities and NaNs) the bits in hexadecimal. Returns true for hexadecimal.
bool appendFloat(std::string& out, FloatKind kind, double value);

/// Significant bits of a format, the implicit one included.
unsigned precisionOf(FloatKind kind);

}  // namespace airlite::text
