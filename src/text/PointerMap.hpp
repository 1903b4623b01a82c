// A hash map from pointers to small values: open addressing, insertion and lookup only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airlite::text {

template <class V>
class PointerMap {
 public:
  V* find(const void* key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[slotOf(key)];
    return slot.key ? &slot.value : nullptr;
  }
  const V* find(const void* key) const { return const_cast<PointerMap*>(this)->find(key); }

  /// The value of `key`, default-made when it is new. References live until the next insertion.
  V& operator[](const void* key) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = slots_[slotOf(key)];
    if (slot.key) return slot.value;
    slot.key = key;
    ++size_;
    return slot.value;
  }
  size_t size() const { return size_; }

 private:
  struct Slot {
    const void* key = nullptr;
    V value{};
  };

  size_t slotOf(const void* key) const {
    size_t mask = slots_.size() - 1;
    uint64_t mixed = (reinterpret_cast<uintptr_t>(key) >> 3) * 0x9E3779B97F4A7C15ull;
    size_t at = static_cast<size_t>(mixed >> 20) & mask;
    while (slots_[at].key && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.key) slots_[slotOf(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace airlite::text
