// Large pages, where the system has them.
#include "airlite/support/Memory.hpp"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace airlite {

void adviseLargePages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#ifdef __linux__
  constexpr uintptr_t kPage = 2 * 1024 * 1024;
  uintptr_t start = (reinterpret_cast<uintptr_t>(block) + kPage - 1) / kPage * kPage;
  uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) / kPage * kPage;
  if (start >= end) return;
  // Advice: where it is not taken, everything works as before.
  (void)madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
#endif
}

}  // namespace airlite
