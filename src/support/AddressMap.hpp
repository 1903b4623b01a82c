// Numbers for objects of the IR, by their addresses: operations, values, blocks.
#pragma once

#include "FlatMap.hpp"

#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

namespace airlite::detail {

/// A 32-bit number per object; 0 stands for none. What is neighbours in memory is neighbours here:
/// whoever goes through the IR in order goes through the map in order, which a hash table would
/// scatter over the memory. Objects are at least kGranule bytes apart.
class AddressMap {
 public:
  uint32_t get(const void* object) const {
    const uint32_t* numbers = find(pageOf(object));
    return numbers ? numbers[slotOf(object)] : 0;
  }
  void set(const void* object, uint32_t number) {
    uint32_t* numbers = find(pageOf(object));
    if (!numbers) numbers = add(pageOf(object));
    numbers[slotOf(object)] = number;
  }

 private:
  static constexpr uintptr_t kGranule = 16;
  static constexpr uintptr_t kPage = 16 * 1024;

  static uintptr_t addressOf(const void* object) { return reinterpret_cast<uintptr_t>(object); }
  static uintptr_t pageOf(const void* object) { return addressOf(object) / kPage; }
  static size_t slotOf(const void* object) { return addressOf(object) % kPage / kGranule; }
  /// What the table of pages knows a page by: never null.
  static const void* keyOf(uintptr_t page) {
    return reinterpret_cast<const void*>((page + 1) * kPage);
  }

  uint32_t* find(uintptr_t page) const {
    Recent& recent = recent_[page % std::size(recent_)];
    if (recent.page == page && recent.numbers) return recent.numbers;
    uint32_t* const* found = pages_.find(keyOf(page));
    if (!found) return nullptr;
    recent = {page, *found};
    return *found;
  }
  uint32_t* add(uintptr_t page) {
    uint32_t* numbers = memory_.emplace_back(std::make_unique<uint32_t[]>(kPage / kGranule)).get();
    pages_.insert(keyOf(page), numbers);
    recent_[page % std::size(recent_)] = {page, numbers};
    return numbers;
  }

  struct Recent {
    uintptr_t page = 0;
    uint32_t* numbers = nullptr;
  };
  mutable Recent recent_[16];
  FlatMap<const void*, uint32_t*> pages_;
  std::vector<std::unique_ptr<uint32_t[]>> memory_;
};

}  // namespace airlite::detail
