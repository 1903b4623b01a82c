// operator new for tools that do one thing and end. Most objects of the compiler are small and live
// for a pass: blocks of one size are kept in a list and handed out again, in ten instructions where
// malloc and free take a hundred. Linked where AIRLITE_STATIC_TOOLS is on; the recipe on one matmul
// takes 9 % less time with it (docs/log.md). Small blocks are not given back to the system.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr size_t kUnit = 16;       // bytes: sizes are rounded up to it, and what new is aligned to
constexpr size_t kLargest = 1024;  // bytes of a block that is pooled, with its header
constexpr size_t kChunk = 256 << 10;  // bytes asked of malloc at a time

/// In front of each block.
struct alignas(kUnit) Header {
  size_t units;  // of the block with its header; 0: from malloc
};
static_assert(sizeof(Header) == kUnit && kUnit == __STDCPP_DEFAULT_NEW_ALIGNMENT__);

/// A block that waits for its next use, where its header was.
struct Free {
  Free* next;
};

// Of each thread its own: what one frees that another made changes hands.
thread_local Free* pools[kLargest / kUnit + 1];
thread_local std::byte* fresh = nullptr;  // the part of the last chunk that was never used
thread_local size_t left = 0;             // bytes of it

/// As operator new has to: what the handler frees may be enough.
void* fromSystem(size_t bytes) {
  while (true) {
    if (void* memory = std::malloc(bytes)) return memory;
    std::new_handler handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

void* place(void* memory, size_t units) { return new (memory) Header{units} + 1; }

void* large(size_t size) {
  if (size > PTRDIFF_MAX - sizeof(Header)) throw std::bad_alloc();
  return place(fromSystem(sizeof(Header) + size), 0);
}

void* cut(size_t units) {
  if (left < units * kUnit) {
    fresh = static_cast<std::byte*>(fromSystem(kChunk));
    left = kChunk;
  }
  void* memory = fresh;
  fresh += units * kUnit;
  left -= units * kUnit;
  return place(memory, units);
}

}  // namespace

void* operator new(size_t size) {
  if (size > kLargest - sizeof(Header)) return large(size);
  size_t units = (sizeof(Header) + size + kUnit - 1) / kUnit;
  Free* block = pools[units];
  if (!block) return cut(units);
  pools[units] = block->next;
  return place(block, units);
}

void operator delete(void* memory) noexcept {
  if (!memory) return;
  Header* header = static_cast<Header*>(memory) - 1;
  size_t units = header->units;
  if (units == 0) return std::free(header);
  pools[units] = new (header) Free{pools[units]};
}

void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void* operator new[](size_t size) { return operator new(size); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept { operator delete(memory); }
