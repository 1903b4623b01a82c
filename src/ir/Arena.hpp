// Memory of a Context: an arena for what lives as long as the context does, and size classes with
// free lists for operations and blocks, which come and go.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define AIRLITE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define AIRLITE_ASAN 1
#endif
#endif

namespace airlite::detail {

/// Bump allocation; nothing is freed before the arena. Only trivially destructible things.
class Arena {
 public:
  void* allocate(size_t bytes, size_t alignment = alignof(std::max_align_t)) {
    size_t padding = (alignment - reinterpret_cast<uintptr_t>(next_)) & (alignment - 1);
    if (bytes + padding > static_cast<size_t>(end_ - next_)) return allocateSlow(bytes, alignment);
    std::byte* memory = next_ + padding;
    next_ = memory + bytes;
    return memory;
  }
  template <class T, class... Args> T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return ::new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }
  template <class T> std::span<const T> copy(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.empty()) return {};
    void* memory = allocate(values.size_bytes(), alignof(T));
    std::memcpy(memory, values.data(), values.size_bytes());
    return {static_cast<const T*>(memory), values.size()};
  }
  std::string_view copy(std::string_view text) {
    std::span<const char> chars = copy(std::span<const char>(text.data(), text.size()));
    return {chars.data(), chars.size()};
  }

 private:
  void* allocateSlow(size_t bytes, size_t alignment);

  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  size_t nextChunk_ = 16 * 1024;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
};

/// Blocks of memory that are given back. Up to kLargest bytes: a free list per size class over an
/// arena; above: the general heap, in a list so that nothing is lost when the pool goes. With
/// AddressSanitizer every block is its own heap block, so that use after free is seen.
class Pool {
 public:
  Pool() = default;
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void* allocate(size_t bytes);
  void deallocate(void* memory, size_t bytes);
  size_t liveBytes() const { return liveBytes_; }

 private:
  static constexpr size_t kGranule = 16;
  static constexpr size_t kLargest = 1024;
  struct FreeBlock {
    FreeBlock* next;
  };
  struct alignas(std::max_align_t) LargeBlock {
    LargeBlock* prev;
    LargeBlock* next;
  };
  static size_t classOf(size_t bytes) { return (bytes + kGranule - 1) / kGranule; }
  void* allocateLarge(size_t bytes);
  void deallocateLarge(void* memory);

  Arena arena_;
  [[maybe_unused]] std::array<FreeBlock*, kLargest / kGranule + 1> free_{};
  LargeBlock* large_ = nullptr;
  size_t liveBytes_ = 0;
};

}  // namespace airlite::detail
