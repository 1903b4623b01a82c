// Stacks for work-item fibers, kept between runs because mapping them costs more than a small
// kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace airlite::gpu {

/// `count` stacks of `bytes` each, with an inaccessible page below every one, so that an overflow
/// is a fault and never a silent overwrite of the neighbour.
class StackArena {
 public:
  /// Check isValid() before use: false when the system has no memory for it.
  StackArena(std::size_t count, std::size_t bytes);
  ~StackArena();
  StackArena(const StackArena&) = delete;
  StackArena& operator=(const StackArena&) = delete;

  bool isValid() const { return memory_ != nullptr; }
  bool fits(std::size_t count, std::size_t bytes) const {
    return count <= count_ && bytes + colourBytes <= bytes_;
  }
  /// The end (highest address) of a stack, where fibers start. Neighbours start at different cache
  /// sets: at the same page offset, all work-items would fight for one set of the L1 cache.
  std::byte* top(std::size_t index) const {
    return memory_ + (index + 1) * stride_ - index * colourStep % colourBytes;
  }
  /// Bytes below top() that may be used.
  std::size_t bytes() const { return bytes_ - colourBytes; }

 private:
  static constexpr std::size_t colourStep = 5 * 64;  ///< cache lines that a parked fiber touches
  static constexpr std::size_t colourBytes = 4096;

  std::size_t count_;
  std::size_t bytes_;
  std::size_t stride_;
  std::byte* memory_ = nullptr;
};

/// Arenas not in use. Thread-safe.
class StackPool {
 public:
  /// An arena that fits, new or used before; null when there is no memory.
  std::unique_ptr<StackArena> take(std::size_t count, std::size_t bytes);
  void giveBack(std::unique_ptr<StackArena> arena);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<StackArena>> idle_;
};

}  // namespace airlite::gpu
