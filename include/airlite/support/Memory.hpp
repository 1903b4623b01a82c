// Large blocks of memory.
#pragma once

#include <cstddef>

namespace airlite {

/// The block, which nobody has written to yet, is going to be used from its start to its end: the
/// system may give it in large pages. That saves most of the page faults, which are dear in a
/// virtual machine, and look-ups of addresses later. Small blocks are left as they are.
void adviseLargePages(void* block, size_t bytes);

}  // namespace airlite
