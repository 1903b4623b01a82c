// A hash map with open addressing for the hot paths: from pointers, or from names that outlive it
// (views into the source text), to small values. One array, no allocation per entry.
#pragma once

#include "Hashing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace airlite::detail {

template <class T> struct FlatKey {  // T is a pointer; null marks a free slot
  static bool isFree(T key) { return key == nullptr; }
  static size_t hash(T key) {
    return static_cast<size_t>((reinterpret_cast<uintptr_t>(key) >> 3) * 0x9E3779B97F4A7C15ull >>
                               20);
  }
};

template <> struct FlatKey<std::string_view> {
  static bool isFree(std::string_view key) { return key.data() == nullptr; }
  static size_t hash(std::string_view key) { return static_cast<size_t>(hashBytes(key)); }
};

/// References and pointers to values live until the next insertion or removal.
template <class K, class V> class FlatMap {
 public:
  size_t size() const { return size_; }

  V* find(const K& key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[slotOf(key)];
    return slot.isFree() ? nullptr : &slot.value;
  }
  const V* find(const K& key) const { return const_cast<FlatMap*>(this)->find(key); }

  /// The value of `key` and whether it is new, in which case it is `value`.
  std::pair<V*, bool> insert(const K& key, const V& value) {
    if ((size_ + 1) * 4 > slots_.size() * 3) rehash(slots_.empty() ? 16 : slots_.size() * 2);
    Slot& slot = slots_[slotOf(key)];
    if (!slot.isFree()) return {&slot.value, false};
    slot = {key, value};
    ++size_;
    return {&slot.value, true};
  }
  V& operator[](const K& key) { return *insert(key, V{}).first; }

  void erase(const K& key) {
    if (slots_.empty()) return;
    size_t hole = slotOf(key);
    if (slots_[hole].isFree()) return;
    --size_;
    closeHole(hole);
  }

  /// A small map keeps its memory.
  void clear() {
    constexpr size_t kSmall = 256;
    if (slots_.size() > kSmall) slots_ = {};
    if (size_ != 0) std::fill(slots_.begin(), slots_.end(), Slot());
    size_ = 0;
  }

  /// Room for `count` entries without another allocation.
  void reserve(size_t count) {
    size_t wanted = 16;
    while (wanted * 3 < (count + 1) * 4)
      wanted *= 2;
    if (wanted > slots_.size()) rehash(wanted);
  }

  template <class Fn> void forEachKey(Fn each) const {
    for (const Slot& slot : slots_)
      if (!slot.isFree()) each(slot.key);
  }

 private:
  struct Slot {
    K key{};
    V value{};
    bool isFree() const { return FlatKey<K>::isFree(key); }
  };

  size_t mask() const { return slots_.size() - 1; }
  size_t next(size_t at) const { return (at + 1) & mask(); }
  size_t homeOf(const K& key) const { return FlatKey<K>::hash(key) & mask(); }

  size_t slotOf(const K& key) const {
    size_t at = homeOf(key);
    while (!slots_[at].isFree() && slots_[at].key != key)
      at = next(at);
    return at;
  }

  /// Moves later entries of the same run forward, so that no search stops too early.
  void closeHole(size_t hole) {
    for (size_t at = next(hole); !slots_[at].isFree(); at = next(at)) {
      size_t wanted = (at - homeOf(slots_[at].key)) & mask();
      size_t possible = (at - hole) & mask();
      if (wanted < possible) continue;
      slots_[hole] = std::move(slots_[at]);
      hole = at;
    }
    slots_[hole] = Slot();
  }

  void rehash(size_t count) {
    std::vector<Slot> old(count);
    old.swap(slots_);
    for (Slot& slot : old)
      if (!slot.isFree()) slots_[slotOf(slot.key)] = std::move(slot);
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace airlite::detail
