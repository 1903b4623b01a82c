// The hash table for uniquing: open addressing with stored hashes, never erases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace airlite::detail {

/// Finds or makes the one `T` with some content. `T` lives elsewhere (in an arena).
template <class T> class UniqueTable {
 public:
  /// The entry with `hash` that `equals` accepts, or null.
  template <class Equals> T* find(uint64_t hash, Equals equals) const {
    if (!slots_) return nullptr;
    for (size_t i = hash & mask_; slots_[i].entry; i = (i + 1) & mask_)
      if (slots_[i].hash == hash && equals(*slots_[i].entry)) return slots_[i].entry;
    return nullptr;
  }
  template <class Equals, class Make> T* findOrMake(uint64_t hash, Equals equals, Make make) {
    if (T* found = find(hash, equals)) return found;
    T* entry = make();
    insert(hash, entry);
    return entry;
  }
  size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t hash = 0;
    T* entry = nullptr;
  };
  static constexpr size_t kInitialSlots = 64;

  void insert(uint64_t hash, T* entry) {
    if (!slots_ || (size_ + 1) * 4 > (mask_ + 1) * 3) grow();
    ++size_;
    place(Slot{hash, entry});
  }
  void place(Slot slot) {
    size_t i = slot.hash & mask_;
    while (slots_[i].entry)
      i = (i + 1) & mask_;
    slots_[i] = slot;
  }
  void grow() {
    size_t oldCount = slots_ ? mask_ + 1 : 0;
    size_t newCount = oldCount ? oldCount * 2 : kInitialSlots;
    auto old = std::exchange(slots_, std::make_unique<Slot[]>(newCount));
    mask_ = newCount - 1;
    for (size_t i = 0; i < oldCount; ++i)
      if (old[i].entry) place(old[i]);
  }

  std::unique_ptr<Slot[]> slots_;
  size_t mask_ = 0;
  size_t size_ = 0;
};

}  // namespace airlite::detail
