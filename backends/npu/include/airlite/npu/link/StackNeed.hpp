// How much stack a linked program takes: kernels of other compilers do not say, and a stack that
// runs over its end changes buffers without a word.
//
//   std::optional<StackNeed> need = stackNeedOf(linked);
//   if (need && need->bytes > stackSize) report(need->calls);
#pragma once

#include "airlite/npu/link/Linker.hpp"

#include <optional>
#include <string>
#include <vector>

namespace airlite::npu::link {

struct StackNeed {
  uint32_t bytes = 0;
  std::vector<std::string> calls;  ///< the deepest way: `NAME (BYTES)` from the entry on
};

/// From the instructions that move sp and the calls; none when that does not say it: calls by
/// pointer, functions that call themselves.
std::optional<StackNeed> stackNeedOf(const Linked& linked);

}  // namespace airlite::npu::link
