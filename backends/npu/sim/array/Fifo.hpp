// What carries words between things that are stepped in some order within a cycle. One end pushes,
// the other pops, at most once a cycle each; neither sees in a cycle what the other did in it, so
// the order does not matter.
#pragma once

#include <cstdint>
#include <vector>

namespace airlite::npu::sim {

template <class T> class Fifo {
 public:
  Fifo() : Fifo(1) {}
  explicit Fifo(unsigned capacity) : items_(capacity) {}

  /// Whether a push is possible in cycle `now`.
  bool hasRoom(uint64_t now) const {
    return pushed_ != now && size_ + (popped_ == now ? 1 : 0) < items_.size();
  }
  void push(const T& value, uint64_t now, unsigned latency) {
    items_[(begin_ + size_++) % items_.size()] = {value, now + latency};
    pushed_ = now;
  }
  /// What a pop in cycle `now` gives; null when nothing is ready.
  const T* head(uint64_t now) const {
    if (size_ == 0 || popped_ == now || items_[begin_].readyAt > now) return nullptr;
    return &items_[begin_].value;
  }
  void pop(uint64_t now) {
    begin_ = (begin_ + 1) % items_.size(), --size_;
    popped_ = now;
  }
  bool isEmpty() const { return size_ == 0; }
  unsigned size() const { return unsigned(size_); }
  unsigned capacity() const { return unsigned(items_.size()); }
  /// Something is in it and becomes ready later than `now`.
  bool ripens(uint64_t now) const { return size_ != 0 && items_[begin_].readyAt > now; }

 private:
  struct Item {
    T value{};
    uint64_t readyAt = 0;
  };
  static constexpr uint64_t never = ~uint64_t(0);
  std::vector<Item> items_;
  size_t begin_ = 0, size_ = 0;
  uint64_t pushed_ = never, popped_ = never;
};

/// The channel that sends a task-completion token.
struct TokenActor {
  uint8_t column = 0, row = 0;
  bool isMm2s = false;
  uint8_t channel = 0;
  friend constexpr auto operator<=>(TokenActor, TokenActor) = default;
};

/// A word under way. A token is one word: its layout after the packet header is not known, who
/// sent it is carried beside it.
struct Flit {
  uint32_t value = 0;
  bool isLast = false;
  bool isToken = false;
  TokenActor actor;
};

}  // namespace airlite::npu::sim
