// The C library's functions of floats, computed in doubles and rounded once: what math ops are in
// the interpreter and in the cores of an NPU. expf and its like are off by one in the last place
// now and then.
#pragma once

#include "HalfRuntime.hpp"

namespace airlite::gpu {

/// By the names that generated code calls: "expf".
std::span<const RuntimeSymbol> mathRuntime();

}  // namespace airlite::gpu
