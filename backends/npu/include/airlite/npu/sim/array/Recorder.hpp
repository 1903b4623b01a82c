// An observer that keeps a run for pictures: what each core and channel did when, the values of
// locks, and the operations of the runtime stream, with where each comes from. It takes the same
// memory for long runs as for short ones.
//
//   Recorder recorder;
//   Array array(device, {.observer = &recorder}, cores.get());
//   array.run(stream);
//   recorder.finish(array.cycle());
//   for (const RecordedTrack* track : recorder.tracks()) draw(*track);
#pragma once

#include "airlite/npu/sim/array/Observer.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace airlite::npu::sim {

enum class TrackKind : uint8_t { Stream, Core, Channel, Lock };

/// Whose slices a track has. A lock and a channel are numbers of their tile.
struct TrackPlace {
  TrackKind kind = TrackKind::Core;
  Tile tile;
  DmaDirection direction = DmaDirection::S2mm;  ///< of a channel
  unsigned number = 0;                          ///< of a channel or lock
  friend constexpr auto operator<=>(const TrackPlace&, const TrackPlace&) = default;
};

/// Cycles [begin, end) in one state: a CoreState, a ChannelActivity, the value of a lock, or a
/// StreamActivity.
struct RecordedSlice {
  uint64_t begin = 0, end = 0;
  uint8_t state = 0;   ///< of several: the one that took most
  Origin origin = {};  ///< of that state when it began
  /// Of several states that were too short to be kept apart: the cycles of each, by state. Empty:
  /// there is one.
  std::vector<std::pair<uint8_t, uint64_t>> parts = {};

  uint64_t cycles() const { return end - begin; }
};

struct RecordedTrack {
  TrackPlace place;
  /// Slices that are shorter may have been put together with their neighbours; 1: none was.
  uint64_t resolution = 1;
  std::vector<RecordedSlice> slices;  ///< without gaps, from cycle 0 on
  /// Exact cycles by state and origin, whatever became of the slices. Cores that run count for the
  /// instruction where they began to.
  std::map<std::pair<uint8_t, Origin>, uint64_t> cycles;
};

class Recorder final : public Observer {
 public:
  /// Slices of a track. When there are more, the shortest are put together, until half are left.
  static constexpr size_t kMostSlices = 4096;

  void core(Tile tile, uint64_t cycle, CoreState state, uint32_t programCounter) override;
  void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
               const Origin& origin) override;
  void lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) override;
  void stream(uint64_t cycle, StreamActivity activity, const Origin& origin) override;
  /// The run is over in that cycle: what still lasts ends.
  void finish(uint64_t cycle);

  /// In the order of TrackPlace: the stream, cores, channels, locks; each by tile.
  std::vector<const RecordedTrack*> tracks() const;

 private:
  void change(const TrackPlace& place, uint64_t cycle, uint8_t state, const Origin& origin);

  std::map<TrackPlace, RecordedTrack> tracks_;  ///< the last slice of each is open
};

/// Puts slices shorter than `track.resolution` together with the short ones beside them, and doubles
/// the resolution until at most `most` are left (one, for 0). No cycle of a state is lost.
void coarsen(RecordedTrack& track, size_t most);

}  // namespace airlite::npu::sim
