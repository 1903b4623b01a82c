#include "StackPool.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace airlite::gpu {
namespace {

std::size_t pageSize() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t wholePages(std::size_t bytes) {
  const auto page = pageSize();
  return (bytes + page - 1) / page * page;
}

}  // namespace

StackArena::StackArena(std::size_t count, std::size_t bytes)
    : count_(count), bytes_(wholePages(bytes) + colourBytes), stride_(bytes_ + pageSize()) {
  void* memory = mmap(nullptr, count_ * stride_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  memory_ = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < count_; ++i)
    mprotect(memory_ + i * stride_, pageSize(), PROT_NONE);
}

StackArena::~StackArena() {
  if (memory_) munmap(memory_, count_ * stride_);
}

std::unique_ptr<StackArena> StackPool::take(std::size_t count, std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    for (auto& arena : idle_) {
      if (!arena->fits(count, bytes)) continue;
      std::swap(arena, idle_.back());
      auto taken = std::move(idle_.back());
      idle_.pop_back();
      return taken;
    }
    idle_.clear();  // too small for this kernel: do not hoard
  }
  auto arena = std::make_unique<StackArena>(count, bytes);
  return arena->isValid() ? std::move(arena) : nullptr;
}

void StackPool::giveBack(std::unique_ptr<StackArena> arena) {
  if (!arena) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(arena));
}

}  // namespace airlite::gpu
