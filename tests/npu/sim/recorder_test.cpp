// A recorder loses no cycle, however little it keeps.
#include "airlite/npu/sim/array/Recorder.hpp"

#include "support/catch_all.hpp"

#include <map>
#include <random>

using namespace airlite::npu;
using namespace airlite::npu::sim;

namespace {

constexpr Tile kTile{1, 2};

/// Cycles of each state, of slices that follow each other without a gap.
std::map<uint8_t, uint64_t> cyclesOf(const RecordedTrack& track) {
  std::map<uint8_t, uint64_t> cycles;
  uint64_t at = 0;
  for (const RecordedSlice& slice : track.slices) {
    CHECK(slice.begin == at);
    CHECK(slice.end > slice.begin);
    at = slice.end;
    uint64_t sum = 0;
    for (const auto& [state, part] : slice.parts)
      cycles[state] += part, sum += part;
    if (slice.parts.empty()) cycles[slice.state] += slice.cycles();
    CHECK((slice.parts.empty() || sum == slice.cycles()));
  }
  return cycles;
}

}  // namespace

TEST_CASE("a recorder keeps each change of a short run", "[npu][sim][observe]") {
  Recorder recorder;
  recorder.core(kTile, 10, CoreState::Running, 0);
  recorder.core(kTile, 30, CoreState::StalledOnLock, 64);
  recorder.core(kTile, 30, CoreState::Running, 64);  // a state of no cycles was none
  recorder.lock(kTile, 3, 12, 2);
  recorder.stream(5, StreamActivity::Commands, {.operation = 7});
  recorder.finish(50);
  const auto tracks = recorder.tracks();
  REQUIRE(tracks.size() == 3);
  CHECK(tracks[0]->place.kind == TrackKind::Stream);
  CHECK(tracks[0]->slices[1].origin.operation == 7u);
  const RecordedTrack& core = *tracks[1];
  REQUIRE(core.slices.size() == 3);
  CHECK(core.resolution == 1);
  CHECK(core.slices[0].state == uint8_t(CoreState::Disabled));
  CHECK(core.slices[2].begin == 30);
  CHECK(core.slices[2].end == 50);
  CHECK(core.slices[2].origin.programCounter == 64u);
  CHECK(tracks[2]->place.number == 3);
  CHECK(tracks[2]->slices.back().state == 2);
}

TEST_CASE("long runs lose detail and no cycle", "[npu][sim][observe]") {
  std::mt19937 random(GENERATE(range(0u, 12u)));
  Recorder recorder;
  std::map<uint8_t, uint64_t> expected;
  uint64_t cycle = 0;
  uint8_t state = uint8_t(CoreState::Disabled);
  for (int i = 0; i < 40'000; ++i) {
    // Mostly short, some long: as cores that a bank stops now and then.
    const uint64_t length = random() % 50 == 0 ? random() % 5000 : random() % 6;
    expected[state] += length, cycle += length;
    state = uint8_t(1 + random() % 7);
    recorder.core(kTile, cycle, CoreState(state), uint32_t(random() % 16));
  }
  expected[state] += 9;
  recorder.finish(cycle + 9);
  std::erase_if(expected, [](const auto& one) { return one.second == 0; });
  const RecordedTrack& track = *recorder.tracks().at(0);
  CHECK(track.slices.size() <= Recorder::kMostSlices);
  CHECK(track.resolution > 1);
  // Slices of a resolution are few: it is no coarser than it has to be.
  CHECK(track.resolution <= 8 * cycle / Recorder::kMostSlices);
  CHECK(cyclesOf(track) == expected);
  std::map<uint8_t, uint64_t> exact;
  for (const auto& [key, cycles] : track.cycles)
    exact[key.first] += cycles;
  CHECK(exact == expected);
}

TEST_CASE("what lasts stays apart from what is short", "[npu][sim][observe]") {
  RecordedTrack track;
  uint64_t at = 0;
  for (int i = 0; i < 64; ++i)
    for (const uint64_t length : {1, 2, 1000})
      track.slices.push_back({at, at + length, uint8_t(length % 7)}), at += length;
  coarsen(track, 130);
  CHECK(track.resolution == 4);
  CHECK(track.slices.size() == 128);
  CHECK(track.slices[0].parts.size() == 2);
  CHECK(track.slices[1].parts.empty());
  coarsen(track, 0);  // one slice at least
  CHECK(track.slices.size() == 1);
  CHECK(track.slices[0].end == at);
}
