// Receiving out of order: the header of a packet says which descriptor takes it.
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile mem{1, 1}, near{1, 2}, far{1, 3};
constexpr int64_t words = 16;
constexpr uint32_t bit = 1 << 3;

BdBuilder coreBd(uint32_t base, uint8_t packet, unsigned outOfOrder, int64_t length = words) {
  return BdBuilder(TileKind::Core)
      .length(Words(length))
      .base(Bytes(base))
      .packet(packet, 0)
      .set(BdField::OutOfOrderId, outOfOrder);
}
/// A part of the memory tile that takes one packet.
BdBuilder slot(unsigned number, int64_t length = words) {
  return BdBuilder(TileKind::Mem).length(Words(length)).base(Bytes(0x80000 + 4 * words * number));
}

/// MM2S 0 of two core tiles, one above the other, meet at S2MM 0 of the memory tile below, with
/// packets 1 and 2 whose headers stay. `far` reaches it through `near`.
void route(Setup& setup) {
  setup.packetSlave(far, dma(0), 0, {.id = 2, .mask = 31, .msel = 0, .arbiter = 0});
  setup.packetMaster(far, south(0), 0, 1, false);
  setup.packetSlave(near, dma(0), 0, {.id = 1, .mask = 31, .msel = 0, .arbiter = 0});
  setup.packetSlave(near, north(0), 0, {.id = 2, .mask = 31, .msel = 0, .arbiter = 0});
  setup.packetMaster(near, south(0), 0, 1, false);
  setup.packetSlave(mem, north(0), 0, {.id = 0, .mask = 0, .msel = 0, .arbiter = 0});
  setup.packetMaster(mem, dma(0), 0, 1, false);
  setup.write(mem, controlOffset(TileKind::Mem, DmaDirection::S2mm, 0), bit);
}

/// Each source sends two packets to the slots of BDs 4 + source and 6 + source.
Setup gather(const Words32& data) {
  Setup setup;
  route(setup);
  for (const unsigned source : {0u, 1u}) {
    const Tile tile = source == 0 ? near : far;
    for (const unsigned part : {0u, 1u}) {
      const auto from = data.begin() + int64_t(2 * part + source) * words;
      setup.block(tile, 0x100 * part, Words32(from, from + words));
      auto bd = coreBd(0x100 * part, uint8_t(source + 1), 4 + 2 * part + source);
      setup.bd(tile, part, part == 0 ? bd.next(1) : bd);
    }
    setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0});
  }
  for (unsigned i = 0; i < 4; ++i)
    setup.bd(mem, 4 + i, slot(i).release(64 + 3, 1));
  return setup;
}

/// One packet of `near` for the BD that `header` names, of `sent` words for one of `taken`.
Setup single(unsigned asked, int64_t sent = words, int64_t taken = words) {
  Setup setup;
  route(setup);
  setup.block(near, 0, randomWords(3, 2 * words));
  setup.bd(near, 0, coreBd(0, 1, asked, sent));
  setup.bd(mem, 5, slot(0, taken));
  setup.bd(mem, 30, slot(0, taken));  // of the odd channels
  setup.start(near, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0});
  return setup;
}

}  // namespace

TEST_CASE("packets of two sources find their places in whatever order they come",
          "[npu][sim][out-of-order]") {
  const Words32 data = randomWords(21, 4 * words);
  const bool reversed = GENERATE(false, true);
  const unsigned late = GENERATE(0u, 1u);
  Setup setup = gather(data);
  // The BD of the entry means nothing, the count is one of packets.
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 11, .repeat = 4});
  // One of the sources waits: its packets come last.
  const Tile waits = late == 0 ? near : far;
  setup.bd(waits, 0, coreBd(0, uint8_t(late + 1), 4 + late).next(1).acquire(0, 1));
  Array array(npu1(), {.reversesTileOrder = reversed});
  applied(array, setup);
  REQUIRE(array.settle().outcome == Outcome::Hung);
  CHECK(array.lock(mem, 3) == 2);
  REQUIRE_FALSE(array.write(addressOf(waits, limitsOf(TileKind::Core).lockValue.at(0)), 1));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(mem), 0, data.size()) == data);
  CHECK(array.lock(mem, 3) == 4);
}

TEST_CASE("an iteration of the descriptor spreads its packets", "[npu][sim][out-of-order]") {
  const Words32 data = randomWords(22, 4 * words);
  Setup setup;
  route(setup);
  setup.block(near, 0, data);
  setup.bd(near, 0, coreBd(0, 1, 7).iterate(Words(words), 4));
  setup.bd(mem, 7, slot(0).iterate(Words(words), 4).acquire(64, -1));
  setup.lock(mem, 0, 4);
  setup.start(near, DmaDirection::Mm2s, 0, {.bd = 0, .repeat = 4});
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0, .repeat = 4});
  Array array(npu1());
  applied(array, setup);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(mem), 0, data.size()) == data);
  CHECK(array.lock(mem, 0) == 0);
}

TEST_CASE("a packet for a descriptor that waits holds up the packets after it",
          "[npu][sim][out-of-order]") {
  const Words32 data = randomWords(23, 4 * words);
  Setup setup = gather(data);
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0, .repeat = 4});
  setup.bd(mem, 4, slot(0).acquire(64 + 9, 1).release(64 + 3, 1));
  Array array(npu1());
  applied(array, setup);
  const auto hung = array.settle();
  REQUIRE(hung.outcome == Outcome::Hung);
  INFO(hung.text());
  CHECK(hung.text().find("(1,1) S2MM 0 BD 4 waits for lock 9 of (1,1): it holds 0, needs exactly "
                         "1") != std::string::npos);
  REQUIRE_FALSE(array.write(addressOf(mem, limitsOf(TileKind::Mem).lockValue.at(9)), 1));
  finishes(array.settle());
  CHECK(wordsAt(array.memory(mem), 0, data.size()) == data);
}

TEST_CASE("packets that are compressed are taken out of order", "[npu][sim][out-of-order]") {
  Words32 data = randomWords(24, 4 * words);
  for (size_t i = 0; i < data.size(); i += 3)
    data[i] = 0;
  Setup setup = gather(data);
  for (const unsigned source : {0u, 1u}) {
    const Tile tile = source == 0 ? near : far;
    setup.write(tile, controlOffset(TileKind::Core, DmaDirection::Mm2s, 0), 1 << 4);
    for (const unsigned part : {0u, 1u}) {
      auto bd = coreBd(0x100 * part, uint8_t(source + 1), 4 + 2 * part + source);
      bd.set(BdField::EnableCompression, 1);
      setup.bd(tile, part, part == 0 ? bd.next(1) : bd);
    }
  }
  for (unsigned i = 0; i < 4; ++i)
    setup.bd(mem, 4 + i, slot(i).set(BdField::EnableCompression, 1));
  setup.write(mem, controlOffset(TileKind::Mem, DmaDirection::S2mm, 0), bit | 1 << 4);
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0, .repeat = 4});
  Array array(npu1());
  applied(array, setup);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(mem), 0, data.size()) == data);
}

TEST_CASE("a channel that waits for packets says so", "[npu][sim][out-of-order]") {
  Setup setup = single(5);
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0, .repeat = 3});
  Array array(npu1());
  applied(array, setup);
  const auto hung = array.settle();
  REQUIRE(hung.outcome == Outcome::Hung);
  CHECK(hung.text().find("(1,1) S2MM 0 waits for 3 more packets, out of order") !=
        std::string::npos);
}

TEST_CASE("what an out-of-order channel cannot take is a fault", "[npu][sim][out-of-order]") {
  CHECK(faultAfter(single(5)) == "none");
  CHECK(faultAfter(single(30)) == "S2MM 0: BD 30: BD 30: S2MM 0 of a memory tile uses BDs 0..23");
  CHECK(faultAfter(single(60)) == "S2MM 0: a packet asks for BD 60, the tile has 48");
  CHECK(faultAfter(single(6)) == "S2MM 0: BD 6 is not valid");
  CHECK(faultAfter(single(5, words - 1)) ==
        "S2MM 0: a packet ends 1 words before BD 5, which takes it: not modelled");
  CHECK(faultAfter(single(5, words + 1)) ==
        "S2MM 0: a packet continues after the words of BD 5, which takes it: not modelled");
  // Without its header, a packet begins with data.
  Setup dropped = single(5);
  dropped.packetMaster(mem, dma(0), 0, 1, true);
  CHECK(faultAfter(dropped).find("came where a packet begins") != std::string::npos);
}

TEST_CASE("a channel does not change its order while it works", "[npu][sim][out-of-order]") {
  Setup setup = single(5);
  Array array(npu1());
  setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0, .repeat = 3});
  applied(array, setup);
  REQUIRE(array.settle().outcome == Outcome::Hung);
  const auto address = addressOf(mem, controlOffset(TileKind::Mem, DmaDirection::S2mm, 0));
  const auto fault = array.write(address, 0);
  REQUIRE(fault);
  CHECK(fault->text.find("Enable_Out_of_Order of S2MM 0 changes while it is at work") !=
        std::string::npos);
}
