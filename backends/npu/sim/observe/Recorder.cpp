#include "airlite/npu/sim/array/Recorder.hpp"

#include <algorithm>
#include <iterator>

namespace airlite::npu::sim {
namespace {

using Parts = std::vector<std::pair<uint8_t, uint64_t>>;

void addPart(Parts& parts, uint8_t state, uint64_t cycles) {
  const auto at = std::ranges::lower_bound(parts, state, {}, &Parts::value_type::first);
  if (at != parts.end() && at->first == state)
    at->second += cycles;
  else
    parts.insert(at, {state, cycles});
}

/// Of neighbours, one slice.
class Group {
 public:
  bool isEmpty() const { return !hasSlices_; }
  uint64_t cycles() const { return all_.cycles(); }

  void add(RecordedSlice&& slice) {
    if (!hasSlices_) {
      all_ = std::move(slice), hasSlices_ = true, longest_ = all_.cycles();
      return;
    }
    if (all_.parts.empty()) all_.parts = {{all_.state, all_.cycles()}};
    if (slice.parts.empty()) addPart(all_.parts, slice.state, slice.cycles());
    for (const auto& [state, cycles] : slice.parts)
      addPart(all_.parts, state, cycles);
    all_.end = slice.end;
    // The origin of what lasted longest stands for the others.
    if (slice.cycles() > longest_) all_.origin = slice.origin, longest_ = slice.cycles();
  }

  RecordedSlice take() {
    hasSlices_ = false;
    if (all_.parts.size() == 1) all_.state = all_.parts[0].first, all_.parts.clear();
    if (!all_.parts.empty())
      all_.state = std::ranges::max_element(all_.parts, {}, &Parts::value_type::second)->first;
    return std::exchange(all_, {});
  }

 private:
  RecordedSlice all_;
  uint64_t longest_ = 0;
  bool hasSlices_ = false;
};

void joinShort(RecordedTrack& track) {
  std::vector<RecordedSlice> kept;
  Group group;
  const auto flush = [&] {
    if (!group.isEmpty()) kept.push_back(group.take());
  };
  for (RecordedSlice& slice : track.slices) {
    if (slice.cycles() >= track.resolution) {
      flush();
      kept.push_back(std::move(slice));
      continue;
    }
    group.add(std::move(slice));
    if (group.cycles() >= track.resolution) flush();
  }
  flush();
  track.slices = std::move(kept);
}

/// The open slice of `track` ends. One of no cycles was never seen.
void endSlice(RecordedTrack& track, uint64_t cycle) {
  RecordedSlice& open = track.slices.back();
  open.end = cycle;
  if (open.cycles() == 0) return track.slices.pop_back();
  track.cycles[{open.state, open.origin}] += open.cycles();
}

}  // namespace

void coarsen(RecordedTrack& track, size_t most) {
  // What came since the last time is joined as the rest is, before all become coarser.
  for (joinShort(track); track.slices.size() > std::max<size_t>(most, 1); joinShort(track))
    track.resolution *= 2;
}

void Recorder::change(const TrackPlace& place, uint64_t cycle, uint8_t state,
                      const Origin& origin) {
  auto [found, isNew] = tracks_.try_emplace(place);
  RecordedTrack& track = found->second;
  if (isNew) track.place = place, track.slices.push_back({});
  endSlice(track, cycle);
  if (track.slices.size() >= kMostSlices) coarsen(track, kMostSlices / 2);
  track.slices.push_back({cycle, cycle, state, origin});
}

void Recorder::core(Tile tile, uint64_t cycle, CoreState state, uint32_t programCounter) {
  change({.kind = TrackKind::Core, .tile = tile}, cycle, uint8_t(state),
         {.programCounter = programCounter});
}

void Recorder::channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
                       const Origin& origin) {
  change({TrackKind::Channel, place.tile, place.direction, place.channel}, cycle, uint8_t(activity),
         origin);
}

void Recorder::lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) {
  change({.kind = TrackKind::Lock, .tile = tile, .number = lock}, cycle, uint8_t(value), {});
}

void Recorder::stream(uint64_t cycle, StreamActivity activity, const Origin& origin) {
  change({.kind = TrackKind::Stream, .tile = {}}, cycle, uint8_t(activity), origin);
}

void Recorder::finish(uint64_t cycle) {
  for (auto& [place, track] : tracks_)
    endSlice(track, cycle);
}

std::vector<const RecordedTrack*> Recorder::tracks() const {
  std::vector<const RecordedTrack*> result;
  for (const auto& [place, track] : tracks_)
    if (!track.slices.empty()) result.push_back(&track);
  return result;
}

}  // namespace airlite::npu::sim
