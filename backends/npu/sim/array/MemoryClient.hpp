// Whoever uses a memory that serves one after the other.
#pragma once

#include <cstdint>

namespace airlite::npu::sim {

/// May not act on memory before that cycle.
struct MemoryClient {
  uint64_t blockedUntil = 0;
};

}  // namespace airlite::npu::sim
