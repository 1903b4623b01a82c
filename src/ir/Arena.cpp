// The slow paths of the arena, and the pool of operations and blocks.
#include "Arena.hpp"

#include <algorithm>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace airlite::detail {

/// All of a large chunk is going to be used: to ask for its pages at once costs less than a page
/// fault for each. Where the system cannot do that, the faults come as ever.
static void populate([[maybe_unused]] std::byte* chunk, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr uintptr_t kPage = 4096;
  constexpr size_t kLarge = 256 * 1024;
  if (bytes < kLarge) return;
  uintptr_t start = (reinterpret_cast<uintptr_t>(chunk) + kPage - 1) / kPage * kPage;
  uintptr_t end = (reinterpret_cast<uintptr_t>(chunk) + bytes) / kPage * kPage;
  (void)madvise(reinterpret_cast<void*>(start), end - start, MADV_POPULATE_WRITE);
#endif
}

void* Arena::allocateSlow(size_t bytes, size_t alignment) {
  constexpr size_t kLargestChunk = 1024 * 1024;
  size_t size = std::max(nextChunk_, bytes + alignment);
  nextChunk_ = std::min(nextChunk_ * 2, kLargestChunk);
  std::byte* chunk = chunks_.emplace_back(new std::byte[size]).get();
  populate(chunk, size);
  size_t padding = (alignment - reinterpret_cast<uintptr_t>(chunk)) & (alignment - 1);
  // A chunk made for one big array must not throw away what is left of the current one.
  if (size - bytes - padding > static_cast<size_t>(end_ - next_)) {
    next_ = chunk + padding + bytes;
    end_ = chunk + size;
  }
  return chunk + padding;
}

#ifdef AIRLITE_ASAN

Pool::~Pool() = default;

void* Pool::allocate(size_t bytes) {
  liveBytes_ += bytes;
  return ::operator new(bytes);
}

void Pool::deallocate(void* memory, size_t bytes) {
  if (!memory) return;
  liveBytes_ -= bytes;
  ::operator delete(memory);
}

#else

Pool::~Pool() {
  while (large_)
    ::operator delete(std::exchange(large_, large_->next));
}

void* Pool::allocate(size_t bytes) {
  liveBytes_ += bytes;
  if (bytes > kLargest) return allocateLarge(bytes);
  size_t sizeClass = std::max<size_t>(classOf(bytes), 1);
  FreeBlock*& head = free_[sizeClass];
  if (head) return std::exchange(head, head->next);
  return arena_.allocate(sizeClass * kGranule);
}

void Pool::deallocate(void* memory, size_t bytes) {
  if (!memory) return;
  liveBytes_ -= bytes;
  if (bytes > kLargest) return deallocateLarge(memory);
  FreeBlock*& head = free_[std::max<size_t>(classOf(bytes), 1)];
  head = ::new (memory) FreeBlock{head};
}

#endif

void* Pool::allocateLarge(size_t bytes) {
  auto* block = static_cast<LargeBlock*>(::operator new(sizeof(LargeBlock) + bytes));
  *block = {nullptr, large_};
  if (large_) large_->prev = block;
  large_ = block;
  return block + 1;
}

void Pool::deallocateLarge(void* memory) {
  LargeBlock* block = static_cast<LargeBlock*>(memory) - 1;
  (block->prev ? block->prev->next : large_) = block->next;
  if (block->next) block->next->prev = block->prev;
  ::operator delete(block);
}

}  // namespace airlite::detail
