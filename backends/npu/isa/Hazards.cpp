// Walks from every bundle as far as its pipeline reaches, and asks the rules about each pair.
#include "airlite/npu/isa/Hazards.hpp"

#include "HazardControl.hpp"
#include "HazardFlow.hpp"
#include "HazardPairs.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace airlite::npu::isa {
namespace {

constexpr std::array<std::string_view, kHazardKindCount> kNames = {
    "write-after-write",   "write-after-read",       "resource",
    "memory-order",        "lock-distance",          "jump-in-delay-slot",
    "delay-slots-missing", "loop-end-in-delay-slot", "loop-too-close",
    "loop-bounds",         "loop-last-store",        "alignment",
    "target-missing",      "memory-alignment",       "program-size",
    "read-in-flight",      "write-at-exit"};

class Walk {
 public:
  Walk(const Flow& flow, const std::vector<IssuedBundle>& issued, const HazardOptions& options,
       std::vector<Hazard>& found)
      : flow_(flow), issued_(issued), options_(options), found_(found) {}

  /// What the bundle at `start` began is over after kLastCycle cycles.
  void from(size_t start) {
    std::vector<Place> now = startPlaces(start), next;
    checkPair(issued_[start], issued_[start], 0, true, options_, found_);
    for (int distance = 1; distance <= static_cast<int>(kLastCycle); ++distance) {
      next.clear();
      for (const Place& place : now)
        flow_.appendNext(place, next);
      std::ranges::sort(next);
      next.erase(std::unique(next.begin(), next.end()), next.end());
      visit(start, distance, next);
      now.swap(next);
    }
  }

 private:
  /// As if it were reached by running straight ahead, and as each delay slot that it may be.
  std::vector<Place> startPlaces(size_t start) const {
    std::vector<Place> places{{start}};
    for (unsigned back = 1; back <= kDelaySlots && back <= start; ++back) {
      Jump jump = flow_.jumpOf(start - back);
      if (!jump.instruction || !straight(start - back, start)) continue;
      places.push_back({start, jump.target, kDelaySlots - back + 1});
      if (jump.instruction->row().is(kBarrier | kCall)) places.erase(places.begin());
    }
    return places;
  }

  bool straight(size_t from, size_t to) const {
    for (; from < to; ++from)
      if (flow_.after(from) != from + 1) return false;
    return true;
  }

  void visit(size_t start, int distance, const std::vector<Place>& places) {
    size_t last = kNowhere;
    for (const Place& place : places) {
      if (place.bundle == kNowhere) {
        if (options_.readsInFlight) checkExit(issued_[start], distance, found_);
        continue;
      }
      if (place.bundle == last) continue;  // sorted: another jump under way, the same bundle
      last = place.bundle;
      bool forward = place.bundle == start + distance;
      checkPair(issued_[start], issued_[place.bundle], distance, forward, options_, found_);
    }
  }

  const Flow& flow_;
  const std::vector<IssuedBundle>& issued_;
  const HazardOptions& options_;
  std::vector<Hazard>& found_;
};

auto key(const Hazard& h) { return std::tie(h.second, h.first, h.kind, h.message); }

}  // namespace

std::string_view name(HazardKind kind) { return kNames[static_cast<unsigned>(kind)]; }

std::vector<Hazard> findHazards(const Program& program, const HazardOptions& options) {
  std::vector<Hazard> found;
  Flow flow(program);
  std::vector<IssuedBundle> issued = issueAll(program);
  Walk walk(flow, issued, options, found);
  for (size_t i = 0; i < issued.size(); ++i) {
    walk.from(i);
    checkMemoryAlignment(issued[i], found);
  }
  checkControl(flow, found);
  if (options.isCompiled) std::erase_if(found, [](const Hazard& h) { return h.compilersDo; });
  std::ranges::sort(found, {}, key);
  found.erase(std::unique(found.begin(), found.end(),
                          [](const Hazard& a, const Hazard& b) { return key(a) == key(b); }),
              found.end());
  return found;
}

}  // namespace airlite::npu::isa
