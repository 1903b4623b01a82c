// A hash map from names to small values: open addressing, with removal. The names are views into
// the source text and must outlive the map.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "../ir/Hashing.hpp"

namespace airlite::text {

template <class V>
class NameMap {
 public:
  V* find(std::string_view name) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[slotOf(name)];
    return slot.used() ? &slot.value : nullptr;
  }

  /// The value of `name` and whether it is new, in which case it is `value`.
  std::pair<V*, bool> insert(std::string_view name, const V& value) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = slots_[slotOf(name)];
    if (slot.used()) return {&slot.value, false};
    slot = {name, value};
    ++size_;
    return {&slot.value, true};
  }

  void erase(std::string_view name) {
    if (slots_.empty()) return;
    size_t hole = slotOf(name);
    if (!slots_[hole].used()) return;
    --size_;
    closeHole(hole);
  }

  template <class Fn>
  void forEachName(Fn each) const {
    for (const Slot& slot : slots_)
      if (slot.used()) each(slot.name);
  }

 private:
  struct Slot {
    std::string_view name;
    V value{};
    bool used() const { return name.data() != nullptr; }
  };

  size_t homeOf(std::string_view name) const {
    return static_cast<size_t>(detail::hashBytes(name)) & (slots_.size() - 1);
  }

  size_t slotOf(std::string_view name) const {
    size_t at = homeOf(name);
    while (slots_[at].used() && slots_[at].name != name) at = next(at);
    return at;
  }

  size_t next(size_t at) const { return (at + 1) & (slots_.size() - 1); }

  /// Moves later entries of the same run forward, so that no search stops too early.
  void closeHole(size_t hole) {
    for (size_t at = next(hole); slots_[at].used(); at = next(at)) {
      size_t wanted = (at - homeOf(slots_[at].name)) & (slots_.size() - 1);
      size_t possible = (at - hole) & (slots_.size() - 1);
      if (wanted < possible) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = Slot();
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.used()) slots_[slotOf(slot.name)] = slot;
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace airlite::text
