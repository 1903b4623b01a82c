// Memory of a function's stack as an allocation, which transfers can name.
#pragma once

#include "airlite/ir/Operation.hpp"

namespace airlite {

/// The memref.alloca becomes a memref.alloc, which is freed at the end of its block. Returns the memory.
Value moveToHeap(Operation& alloca);

}  // namespace airlite
