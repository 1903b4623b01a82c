// Reset of a DMA channel by its control register: what configurations begin with.
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile tile{1, 1};
constexpr unsigned lock = 64;  // its own lock 0, as the DMA counts

/// `words` of the tile's own memory from byte `at`.
BdBuilder part(uint32_t at) {
  return BdBuilder(TileKind::Mem).length(Words(8)).base(Bytes(0x80000 + at)).set(BdField::Valid, 1);
}

/// MM2S 0 sends BD 0, which waits for a lock, to S2MM 0.
Setup waiting(const Words32& data) {
  Setup setup;
  setup.block(tile, 0, data);
  setup.circuit(tile, dma(0), dma(0));
  setup.bd(tile, 0, part(0).acquire(lock, -1));
  setup.bd(tile, 1, part(0x100));
  setup.bd(tile, 2, part(0));
  setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0});
  return setup;
}

void setReset(Setup& setup, bool isHeld) {
  setup.mask(tile, controlOffset(TileKind::Mem, DmaDirection::Mm2s, 0), 2, isHeld ? 2 : 0);
}

}  // namespace

TEST_CASE("a channel that was reset forgets its tasks", "[npu][sim][array]") {
  Array array(npu1());
  const Words32 data = randomWords(7, 8);
  applied(array, waiting(data));
  CHECK(array.settle().outcome == Outcome::Hung);
  Setup again;
  setReset(again, true);
  setReset(again, false);
  again.start(tile, DmaDirection::S2mm, 0, {.bd = 1});
  again.start(tile, DmaDirection::Mm2s, 0, {.bd = 2});
  again.lock(tile, 0, 1);
  applied(array, again);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(tile), 0x100, 8) == data);
  CHECK(array.lock(tile, 0) == 1);  // nobody waits for it any more
}

TEST_CASE("a task for a channel in reset would be lost", "[npu][sim][array]") {
  Array array(npu1());
  Setup setup;
  setReset(setup, true);
  setup.bd(tile, 0, part(0));
  setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0});
  const auto fault = array.apply(setup.cdo);
  REQUIRE(fault);
  CHECK(fault->text.find("MM2S 0 is in reset") != std::string::npos);
}

// Streams of AMD's own compilers acquire locks of cores by polls of such addresses.
TEST_CASE("reading in the window of lock requests is a request", "[npu][sim][array]") {
  const Tile where = GENERATE(Tile{1, 1}, Tile{1, 2}, Tile{1, 0});
  const auto kind = *npu1().kindOf(where);
  constexpr unsigned number = 14;
  const auto request = [&](bool isAcquire, int change) {
    const uint32_t place = number << 10 | uint32_t(isAcquire) << 9 | (uint32_t(change) & 0x7F) << 2;
    return addressOf(where, limitsOf(kind).lockRequests + place);
  };
  Array array(npu1());
  Setup setup;
  setup.lock(where, number, 3);
  applied(array, setup);
  CHECK(*array.read(request(true, -4)) == 0);
  CHECK(*array.read(request(true, 2)) == 0);
  CHECK(array.lock(where, number) == 3);
  CHECK(*array.read(request(true, -2)) == 1);
  CHECK(array.lock(where, number) == 1);
  CHECK(*array.read(request(true, 1)) == 1);
  CHECK(array.lock(where, number) == 1);
  CHECK(*array.read(request(true, -1)) == 1);
  CHECK(*array.read(request(false, 63)) == 1);
  CHECK(array.lock(where, number) == 63);
  CHECK_FALSE(array.read(request(false, 1)));
}
