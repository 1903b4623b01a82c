// What an observer sees of a run, what statistics and a trace make of it, and who waits for whom
// when nothing moves.
#include "airlite/npu/sim/array/Recorder.hpp"
#include "airlite/npu/sim/array/Statistics.hpp"
#include "array_testing.hpp"

#include <nlohmann/json.hpp>

#include <numeric>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile shim{0, 0}, mem{0, 1};
constexpr int64_t words = 100;

/// Shim MM2S 0 to the memory tile's S2MM 0, which takes lock 0 and gives lock 1; MM2S 0 of the
/// memory tile takes lock 1, gives lock 0, and sends to shim S2MM 0.
Setup loop(unsigned empty) {
  Setup setup;
  setup.lock(mem, 0, empty);
  for (unsigned bd = 0; bd < 2; ++bd)
    setup.bd(mem, bd,
             BdBuilder(TileKind::Mem)
                 .length(Words(words))
                 .base(Bytes(0x80000))
                 .acquire(64 + bd, -1)
                 .release(65 - bd, 1));
  routeThroughMemory(setup, shim, mem);
  return setup;
}

Txn stream() {
  Txn txn = txnFor(npu1());
  for (unsigned bd = 0; bd < 2; ++bd) {
    const auto direction = bd == 0 ? DmaDirection::S2mm : DmaDirection::Mm2s;
    const auto made = BdBuilder(TileKind::Shim).length(Words(words)).make();
    const uint32_t at = addressOf(shim, limitsOf(TileKind::Shim).bd.at(bd)).value;
    txn.ops.push_back(txnBlockWrite(at, encodeBd(*made)));
    txn.ops.push_back(txnPatch(at + 4, 1 - bd, 0));
    const QueueEntry entry{.bd = uint8_t(bd), .issuesToken = bd == 0};
    txn.ops.push_back(
        txnWrite(addressOf(shim, startQueueOffset(TileKind::Shim, direction, 0)).value,
                 *encode(TileKind::Shim, entry)));
  }
  txn.ops.push_back(txnSync({.tile = shim}));
  return txn;
}

RunResult runWith(Array& array, unsigned empty) {
  applied(array, loop(empty));
  array.addBuffer(Bytes(4 * words));
  array.addBuffer(Bytes(4 * words));
  return array.run(stream());
}

ArrayOptions quick(Observer* observer, bool reversed = false) {
  return {quickFirmware(), reversed, 100'000, observer};
}

}  // namespace

TEST_CASE("statistics count every cycle of a channel once", "[npu][sim][array]") {
  Statistics statistics;
  Array array(npu1(), quick(&statistics));
  const auto result = runWith(array, 1);
  finishes(result);
  statistics.finish(array.cycle());
  const auto channels = statistics.channels();
  REQUIRE(channels.size() == 4);
  for (const auto& [place, cycles] : channels) {
    CHECK(std::accumulate(cycles.begin(), cycles.end(), uint64_t(0)) == array.cycle());
    // A word a cycle, while it moves.
    CHECK(cycles[unsigned(ChannelActivity::Moving)] == uint64_t(words));
  }
  const auto& sender = channels.at({mem, DmaDirection::Mm2s, 0});
  CHECK(sender[unsigned(ChannelActivity::StalledOnLock)] > uint64_t(words));
  CHECK(statistics.cores().empty());
  for (const ChannelTraffic& traffic : array.channelTraffic())
    CHECK(traffic.words == uint64_t(words));
  CHECK(array.channelTraffic().size() == 4);
  // Four masters carry the data, one the token.
  CHECK(array.portTraffic().size() == 5);
  const auto json = nlohmann::json::parse(reportJson(statistics, array, result.cycles));
  CHECK(json["channels"].size() == 4);
  CHECK(json["streams"].size() == 5);
}

TEST_CASE("an observer changes nothing, and sees the same in both orders of tiles",
          "[npu][sim][array]") {
  Array plain(npu1(), quick(nullptr));
  const auto expected = runWith(plain, 1).cycles;
  Statistics forward, backward;
  Array first(npu1(), quick(&forward)), second(npu1(), quick(&backward, true));
  CHECK(runWith(first, 1).cycles == expected);
  CHECK(runWith(second, 1).cycles == expected);
  CHECK(forward.channels() == backward.channels());
}

TEST_CASE("a trace has slices that do not overlap, and the values of locks", "[npu][sim][array]") {
  TraceWriter writer;
  Array array(npu1(), quick(&writer));
  finishes(runWith(array, 1));
  const auto trace = nlohmann::json::parse(writer.finish(array.cycle()));
  std::map<std::pair<int, int>, uint64_t> ends;
  unsigned slices = 0, counters = 0;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] == "C") ++counters;
    if (event["ph"] != "X") continue;
    ++slices;
    auto& end = ends[{event["pid"], event["tid"]}];
    CHECK(event["ts"] >= end);
    end = event["ts"].get<uint64_t>() + event["dur"].get<uint64_t>();
    CHECK(end <= array.cycle());
  }
  CHECK(slices >= 8);
  CHECK(counters == 5);  // 1, taken, the other given, taken, the first given
}

TEST_CASE("a recorder agrees with the statistics, and names what wrote a descriptor",
          "[npu][sim][array][observe]") {
  Recorder recorder;
  Statistics statistics;
  Observers both;
  both.add(recorder);
  both.add(statistics);
  Array array(npu1(), quick(&both));
  finishes(runWith(array, 1));
  recorder.finish(array.cycle());
  statistics.finish(array.cycle());
  unsigned channels = 0;
  for (const RecordedTrack* track : recorder.tracks()) {
    CHECK(track->slices.back().end == array.cycle());
    if (track->place.kind != TrackKind::Channel) continue;
    ++channels;
    Statistics::ChannelCycles cycles{};
    for (const auto& [key, spent] : track->cycles)
      cycles[key.first] += spent;
    CHECK(cycles == statistics.channels().at(
                        {track->place.tile, track->place.direction, track->place.number}));
    for (const auto& [key, spent] : track->cycles) {
      if (ChannelActivity(key.first) != ChannelActivity::Moving) continue;
      CHECK(key.second.bd);
      // Operations 0 and 3 of the stream write the descriptors of the shim; nobody those of others.
      const bool isShim = track->place.tile == shim;
      CHECK(key.second.operation.has_value() == isShim);
      if (isShim)
        CHECK(*key.second.operation == (track->place.direction == DmaDirection::S2mm ? 0u : 3u));
    }
  }
  CHECK(channels == 4);
  // The firmware first writes, then waits for the token with its last operation.
  const RecordedTrack& host = *recorder.tracks().front();
  REQUIRE(host.place.kind == TrackKind::Stream);
  CHECK(StreamActivity(host.slices.front().state) == StreamActivity::Commands);
  CHECK(StreamActivity(host.slices.back().state) == StreamActivity::Waiting);
  CHECK(host.slices.back().origin.operation == 6u);
}

TEST_CASE("two that wait for each other are a circle", "[npu][sim][array]") {
  Array array(npu1(), quick(nullptr));
  const auto result = runWith(array, 0);
  REQUIRE(result.outcome == Outcome::Hung);
  REQUIRE(result.chain.size() == 4);
  CHECK(result.chain[0].text == "the stream waits for a token of (0,0) S2MM 0");
  CHECK(result.chain[0].origin.operation == 6u);
  CHECK(result.chain[1].origin.bd == 0u);
  CHECK(result.chain[1].origin.operation == 0u);
  CHECK(result.circleFrom == 2u);
  CHECK(result.chain[2].text ==
        "(0,1) MM2S 0 BD 1 waits for lock 1 of (0,1): it holds 0, needs at least 1");
  CHECK(result.chain[3].text ==
        "(0,1) S2MM 0 BD 0 waits for lock 0 of (0,1): it holds 0, needs at least 1");
  CHECK_FALSE(result.chain[2].origin.operation);
}

TEST_CASE("a chain ends at what nobody starts", "[npu][sim][array]") {
  Array array(npu1(), quick(nullptr));
  array.addBuffer(Bytes(4 * words));
  array.addBuffer(Bytes(4 * words));
  Setup setup = loop(1);
  std::erase_if(setup.cdo.commands, [](const CdoCommand& command) {
    return command.at(CdoField::AddressLow) ==
           addressOf(mem, startQueueOffset(TileKind::Mem, DmaDirection::Mm2s, 0)).value;
  });
  applied(array, setup);
  const auto result = array.run(stream());
  REQUIRE(result.outcome == Outcome::Hung);
  REQUIRE_FALSE(result.chain.empty());
  CHECK_FALSE(result.circleFrom);
  CHECK(result.chain.back().kind == WaitKind::Idle);
  CHECK(result.chain.back().text == "(0,1) MM2S 0 has no task: nothing starts it");
}
