// Packet switching, back-pressure, tokens in packets, hangs: all of it in both tile orders.
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile low{1, 2}, high{1, 3};
constexpr int64_t words = 96;
constexpr uint32_t received = 0x4000;

BdBuilder coreBd(int64_t length, int64_t base) {
  return BdBuilder(TileKind::Core).length(Words(length)).base(Bytes(base));
}

/// Two channels of `low` share the stream NORTH2; `high` parts them by id: 3 to DMA0, 5 to DMA1.
Setup sharedStream() {
  Setup setup;
  for (const unsigned channel : {0u, 1u}) {
    const uint8_t id = channel ? 5 : 3;
    setup.bd(low, channel,
             coreBd(words / 3, channel * 0x1000).packet(id, 0).iterate(Words(words / 3), 3));
    setup.start(low, DmaDirection::Mm2s, channel, {.bd = uint8_t(channel), .repeat = 3});
    setup.packetSlave(low, dma(channel), 0, {.id = id, .mask = 31, .msel = 1, .arbiter = 2});
    setup.packetSlave(high, south(2), channel,
                      {.id = id, .mask = 31, .msel = uint8_t(channel), .arbiter = 4});
    setup.packetMaster(high, dma(channel), 4, 1u << channel, true);
    setup.bd(high, channel, coreBd(words, received + channel * 0x1000));
    setup.start(high, DmaDirection::S2mm, channel, {.bd = uint8_t(channel)});
  }
  setup.packetMaster(low, north(2), 2, 1u << 1, false);
  return setup;
}

struct Outcomes {
  RunResult result;
  Words32 first, second;
};
Outcomes shareWith(bool reversed) {
  Array array(npu1(), {.reversesTileOrder = reversed});
  Setup setup = sharedStream();
  setup.block(low, 0, randomWords(1, words));
  setup.block(low, 0x1000, randomWords(2, words));
  applied(array, setup);
  auto result = array.settle();
  return {result, wordsAt(array.memory(high), received, words),
          wordsAt(array.memory(high), received + 0x1000, words)};
}

}  // namespace

TEST_CASE("two packet flows share a stream and part again", "[npu][sim][array]") {
  const auto run = shareWith(false), other = shareWith(true);
  finishes(run.result);
  CHECK(run.first == randomWords(1, words));
  CHECK(run.second == randomWords(2, words));
  // One stream for 2 * 96 words and 6 headers.
  CHECK(run.result.cycles > 2 * words + 6);
  CHECK(run.result.cycles < 2 * words + 100);
  CHECK(other.result.cycles == run.result.cycles);
  CHECK(other.first == run.first);
  CHECK(other.second == run.second);
}

TEST_CASE("a kept header is the first word, with odd parity and its source", "[npu][sim][array]") {
  Setup setup;
  setup.bd(low, 0, coreBd(4, 0).packet(9, 2));
  setup.bd(low, 1, coreBd(5, 0x100));
  setup.block(low, 0, {1, 2, 3, 4});
  setup.packetSlave(low, dma(0), 2, {.id = 8, .mask = 0x1E, .msel = 0, .arbiter = 0});
  setup.packetMaster(low, dma(0), 0, 1, false);
  setup.start(low, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(low, DmaDirection::S2mm, 0, {.bd = 1});
  Array array(npu1());
  applied(array, setup);
  finishes(array.settle());
  const auto got = wordsAt(array.memory(low), 0x100, 5);
  CHECK(got[0] == *encode(PacketHeader{9, 2, low}));
  CHECK(Words32(got.begin() + 1, got.end()) == Words32{1, 2, 3, 4});
}

TEST_CASE("packets that nothing takes are faults", "[npu][sim][array]") {
  Setup setup = sharedStream();
  setup.packetSlave(low, dma(0), 0, {.id = 4, .mask = 31, .msel = 1, .arbiter = 2});
  CHECK(faultAfter(setup) == "a packet with id 3 came in at DMA0: no slot matches");
  Setup nobody = sharedStream();
  nobody.packetMaster(high, dma(1), 4, 0, true);
  CHECK(faultAfter(nobody) ==
        "a packet with id 5 at SOUTH2 goes to arbiter 4 msel 1: no master takes it");
}

TEST_CASE("a broadcast continues only when every master has room", "[npu][sim][array]") {
  constexpr int64_t count = 200;
  Setup setup;
  setup.block(low, 0, randomWords(3, count));
  setup.bd(low, 0, coreBd(count, 0));
  setup.circuit(low, dma(0), north(0));
  setup.circuit(low, dma(0), dma(0));
  setup.circuit(high, south(0), dma(1));
  setup.bd(low, 1, coreBd(count, received));
  setup.bd(high, 1, coreBd(count, received).acquire(7, 1));
  setup.start(low, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(low, DmaDirection::S2mm, 0, {.bd = 1});
  setup.start(high, DmaDirection::S2mm, 1, {.bd = 1});
  for (const bool reversed : {false, true}) {
    Array array(npu1(), {.reversesTileOrder = reversed});
    applied(array, setup);
    const auto hung = array.settle();
    REQUIRE(hung.outcome == Outcome::Hung);
    // Nobody takes at (1,3): the other branch stands still as well.
    INFO(hung.text());
    CHECK(hung.text().find(
              "(1,3) S2MM 1 BD 1 waits for lock 7 of (1,3): it holds 0, needs exactly 1") !=
          std::string::npos);
    CHECK(hung.text().find("(1,2) a word stands in slave DMA0: no room in master NORTH0") !=
          std::string::npos);
    REQUIRE_FALSE(array.write(addressOf(high, limitsOf(TileKind::Core).lockValue.at(7)), 1));
    finishes(array.settle());
    CHECK(wordsAt(array.memory(high), received, count) == randomWords(3, count));
    CHECK(wordsAt(array.memory(low), received, count) == randomWords(3, count));
    CHECK(array.lock(high, 7) == 1);  // waiting for a value does not take it
  }
}

TEST_CASE("a memory tile reaches its neighbours and their locks", "[npu][sim][array]") {
  constexpr Tile west{0, 1}, middle{1, 1}, east{2, 1};
  constexpr int64_t count = 40;
  Setup setup;
  setup.block(west, 0x200, randomWords(5, count));
  setup.lock(west, 6, 2);
  setup.bd(middle, 0,
           BdBuilder(TileKind::Mem).length(Words(count)).base(Bytes(0x200)).acquire(6, -2));
  setup.bd(middle, 1,
           BdBuilder(TileKind::Mem)
               .length(Words(count))
               .base(Bytes(0x100000 + 0x300))
               .release(128 + 9, 3));
  setup.circuit(middle, dma(2), dma(2));
  setup.start(middle, DmaDirection::Mm2s, 2, {.bd = 0});
  setup.start(middle, DmaDirection::S2mm, 2, {.bd = 1});
  Array array(npu1());
  applied(array, setup);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(east), 0x300, count) == randomWords(5, count));
  CHECK(array.lock(west, 6) == 0);
  CHECK(array.lock(east, 9) == 3);
}

TEST_CASE("a token finds the firmware as a packet", "[npu][sim][array]") {
  constexpr Tile shim{2, 0};
  constexpr Tile core{2, 2};
  Setup setup;
  setup.circuit(core, dma(0), dma(0));
  setup.bd(core, 0, coreBd(8, 0));
  setup.bd(core, 1, coreBd(8, 0x80));
  setup.mask(core, controlOffset(TileKind::Core, DmaDirection::S2mm, 0), 0x1F00, 15u << 8);
  setup.packetSlave(core, ctrl, 0, {.id = 15, .mask = 31, .msel = 3, .arbiter = 5});
  setup.packetMaster(core, south(1), 5, 8, false);
  setup.circuit({2, 1}, north(1), south(1));
  setup.circuit(shim, north(1), south(0));
  Txn txn = txnFor(npu1());
  const auto push = [&](DmaDirection direction, const QueueEntry& entry) {
    txn.ops.push_back(
        txnWrite(addressOf(core, startQueueOffset(TileKind::Core, direction, 0)).value,
                 *encode(TileKind::Core, entry)));
  };
  push(DmaDirection::S2mm, {.bd = 1, .issuesToken = true});
  push(DmaDirection::Mm2s, {.bd = 0});
  txn.ops.push_back(txnSync({.tile = core}));
  for (const bool reversed : {false, true}) {
    Array array(npu1(), {quickFirmware(), reversed});
    applied(array, setup);
    finishes(array.run(txn));
  }
  // The other channel sends none.
  Array array(npu1(), {quickFirmware()});
  applied(array, setup);
  txn.ops.push_back(txnSync({.tile = core, .direction = DmaDirection::Mm2s}));
  CHECK(array.run(txn).outcome == Outcome::Hung);
}

TEST_CASE("a sync on a channel or a tile that is not there is a fault", "[npu][sim][array]") {
  constexpr Tile core{1, 2};
  for (const SyncOn& on : {SyncOn{.tile = core, .channel = 2}, SyncOn{.tile = {40, 2}},
                           SyncOn{.tile = core, .rows = 9}}) {
    Array array(npu1(), {quickFirmware()});
    Txn txn = txnFor(npu1());
    txn.ops.push_back(txnSync(on));
    const RunResult result = array.run(txn);
    REQUIRE(result.outcome == Outcome::Faulted);
    CHECK(result.fault->text.starts_with("a sync waits for S2MM"));
  }
}

TEST_CASE("locks held around a circle are told as what they are", "[npu][sim][array]") {
  // Each of two channels waits for what the other would release.
  Setup setup;
  setup.circuit(low, dma(0), dma(0));
  setup.circuit(low, dma(1), dma(1));
  setup.bd(low, 0, coreBd(4, 0).acquire(0, -1).release(1, 1));
  setup.bd(low, 1, coreBd(4, 0).acquire(1, -1).release(0, 1));
  setup.start(low, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(low, DmaDirection::Mm2s, 1, {.bd = 1});
  Array array(npu1());
  applied(array, setup);
  const auto hung = array.settle();
  REQUIRE(hung.waits.size() == 2);
  CHECK(hung.waits[0].lock == 0);
  CHECK(hung.waits[1].lock == 1);
  CHECK(hung.waits[1].who == "MM2S 1");
}

TEST_CASE("a lock that leaves its range is a fault", "[npu][sim][array]") {
  Setup setup;
  setup.circuit(low, dma(0), dma(0));
  setup.lock(low, 3, 63);
  setup.bd(low, 0, coreBd(4, 0).release(3, 1));
  setup.start(low, DmaDirection::Mm2s, 0, {.bd = 0});
  CHECK(faultAfter(setup) == "lock 3 holds 63, a release of 1 leaves 0..63");
}
