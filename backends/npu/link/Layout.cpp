#include "Layout.hpp"

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/Units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace airlite::npu::link {
namespace {

constexpr size_t mostNamed = 6;  // sections in a message

uint64_t alignedUp(uint64_t at, uint32_t alignment) {
  return (at + alignment - 1) / alignment * alignment;
}

std::string titleOf(const LinkRequest& request, const Part& part) {
  return fmt::format("{} ({})", request.objects[part.object].name, part.name);
}

/// `a.o (.text) 8192, b.o (.text) 400`: the largest first.
std::string sizesOf(const LinkRequest& request, std::vector<const Part*> parts) {
  std::ranges::stable_sort(parts, std::ranges::greater(), &Part::size);
  std::string text;
  for (size_t i = 0; i < std::min(parts.size(), mostNamed); ++i)
    text += fmt::format("{}{} {}", i ? ", " : "", titleOf(request, *parts[i]), parts[i]->size);
  if (parts.size() > mostNamed) text += fmt::format(" and {} smaller", parts.size() - mostNamed);
  return text;
}

// -- Program memory -------------------------------------------------------------------------------

class CodeLayout {
 public:
  CodeLayout(const LinkRequest& request, std::vector<Part>& parts, std::optional<uint32_t> entry)
      : request_(request) {
    for (uint32_t i = 0; i < parts.size(); ++i)
      if (parts[i].isLive && parts[i].kind == SectionKind::Code)
        code_.push_back({&parts[i], i == entry});
    std::ranges::stable_sort(code_, std::ranges::less(), &CodeLayout::order);
  }

  void run(std::vector<std::string>& errors) {
    uint64_t at = 0;
    for (const auto& [part, isEntry] : code_) {
      if (!isPinned(*part)) at = alignedUp(at, std::max(part->alignment, isa::kCodeAlignment));
      if (isPinned(*part) && at > *part->section->address)
        errors.push_back(fmt::format("{} must lie at {:#x}, where other code is",
                                     titleOf(request_, *part), *part->section->address));
      if (isPinned(*part)) at = *part->section->address;
      part->address = uint32_t(at);
      at += part->size;
    }
    if (at > request_.programBytes) errors.push_back(overflow(at));
  }

 private:
  struct Entry {
    Part* part;
    bool isEntry;
  };
  static bool isPinned(const Part& part) { return part.section && part.section->address; }
  /// Pinned code by its address, then the entry, then the rest.
  static uint64_t order(const Entry& e) {
    if (isPinned(*e.part)) return *e.part->section->address;
    return uint64_t{1} << (e.isEntry ? 32 : 33);
  }

  std::string overflow(uint64_t needed) const {
    std::vector<const Part*> parts;
    for (const Entry& e : code_)
      parts.push_back(e.part);
    return fmt::format("program memory has {} bytes, the program needs {}: {}",
                       request_.programBytes, needed, sizesOf(request_, parts));
  }

  const LinkRequest& request_;
  std::vector<Entry> code_;
};

// -- Data memory ----------------------------------------------------------------------------------

class DataLayout {
 public:
  DataLayout(const LinkRequest& request, std::vector<Part>& parts) : request_(request) {
    for (Part& part : parts)
      if (part.isLive && part.kind != SectionKind::Code) parts_.push_back(&part);
    std::ranges::stable_sort(parts_, {}, &Part::kind);
  }

  void run(std::vector<std::string>& errors) {
    if (parts_.empty() || !takeRegions(errors)) return;
    if (!place()) return;
    // What does not fit in the order of the objects may fit when large parts come first.
    const std::vector<Part*> inOrder = parts_;
    std::ranges::stable_sort(parts_, std::ranges::greater(),
                             [](const Part* part) { return part->size; });
    if (!place()) return;
    parts_ = inOrder;
    errors.push_back(overflow(place()));
  }

 private:
  struct Free {
    uint64_t at;
    uint64_t end;
  };

  /// Loaders write whole words: of a region the words that lie inside.
  bool takeRegions(std::vector<std::string>& errors) {
    const uint64_t begin = *coreWindow(Neighbour::South), end = 2 * begin;
    for (const MemoryRegion& region : request_.data) {
      const uint64_t last = uint64_t(region.begin) + region.size;
      if (region.begin < begin || last > end) {
        errors.push_back(fmt::format("{:#x} to {:#x} is not data memory, which goes from {:#x} to "
                                     "{:#x}",
                                     region.begin, last, begin, end));
        return false;
      }
      for (const MemoryRegion& other : request_.data)
        if (&other < &region && other.begin < last &&
            region.begin < uint64_t(other.begin) + other.size) {
          errors.push_back(fmt::format("{:#x} is twice among the free places", region.begin));
          return false;
        }
      const Free words{alignedUp(region.begin, bytesPerWord), last / bytesPerWord * bytesPerWord};
      if (words.at < words.end) regions_.push_back(words);
    }
    return true;
  }

  /// The first region with room for each. The part for which there was none, or null.
  const Part* place() {
    left_ = regions_;
    for (Part* part : parts_)
      if (!placeIn(left_, *part) && part->size) return part;
    return nullptr;
  }

  static bool placeIn(std::vector<Free>& free, Part& part) {
    for (Free& region : free) {
      const uint64_t at = alignedUp(region.at, part.alignment);
      if (at + part.size > region.end) continue;
      part.address = uint32_t(at);
      region.at = at + part.size;
      return true;
    }
    return false;
  }

  std::string overflow(const Part* failed) const {
    uint64_t needed = 0, there = 0, largest = 0;
    for (const Part* part : parts_)
      needed += part->size;
    for (const Free& region : regions_)
      there += region.end - region.at;
    for (const Free& region : left_)
      largest = std::max(largest, region.end - region.at);
    return fmt::format(
        "data memory: {} needs {} bytes at a multiple of {}, the largest free place has {}; data "
        "needs {} bytes, {} are free: {}",
        titleOf(request_, *failed), failed->size, failed->alignment, largest, needed, there,
        sizesOf(request_, {parts_.begin(), parts_.end()}));
  }

  const LinkRequest& request_;
  std::vector<Part*> parts_;
  std::vector<Free> regions_, left_;
};

}  // namespace

void placeParts(const LinkRequest& request, std::vector<Part>& parts, std::optional<uint32_t> entry,
                std::vector<std::string>& errors) {
  CodeLayout(request, parts, entry).run(errors);
  DataLayout(request, parts).run(errors);
}

}  // namespace airlite::npu::link
