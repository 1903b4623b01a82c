// A core tile's DMA that sends to itself: registers, memory, locks, BDs, one switch.
#include "airlite/npu/device/BdAccess.hpp"
#include "array_testing.hpp"

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

constexpr Tile tile{0, 2};
constexpr int64_t words = 64;
constexpr unsigned full = 0, empty = 1;

/// Word 0..63 by MM2S 0 to byte 0x1000 by S2MM 0; `full` must be 1 before.
Setup loopBack() {
  Setup setup;
  setup.circuit(tile, dma(0), dma(0));
  setup.bd(tile, 0,
           BdBuilder(TileKind::Core)
               .length(Words(words))
               .base(Bytes(0))
               .acquire(full, -1)
               .release(empty, 1)
               .set(BdField::Valid, 1));
  setup.bd(tile, 1,
           BdBuilder(TileKind::Core)
               .length(Words(words))
               .base(Bytes(0x1000))
               .release(2, 1)
               .set(BdField::Valid, 1));
  setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0});
  setup.start(tile, DmaDirection::S2mm, 0, {.bd = 1});
  return setup;
}

std::string faultOf(Array& array, const Setup& setup) {
  const auto fault = array.apply(setup.cdo);
  return fault ? fault->text : "none";
}

}  // namespace

TEST_CASE("a core tile's DMA copies through its own switch", "[npu][sim][array]") {
  Array array(npu1());
  const auto data = randomWords(1, words);
  Setup setup = loopBack();
  setup.block(tile, 0, data);
  setup.lock(tile, full, 1);
  applied(array, setup);
  const auto result = array.settle();
  finishes(result);
  CHECK(wordsAt(array.memory(tile), 0x1000, words) == data);
  CHECK(array.lock(tile, full) == 0);
  CHECK(array.lock(tile, empty) == 1);
  CHECK(array.lock(tile, 2) == 1);
  // Start 2, BD 4, lock 1, memory 5, switch 3, FIFOs, and one word each cycle.
  CHECK(result.cycles > words + 15);
  CHECK(result.cycles < words + 30);
}

TEST_CASE("a task waits for its lock, and says which", "[npu][sim][array]") {
  Array array(npu1());
  applied(array, loopBack());
  const auto hung = array.settle();
  CHECK(hung.outcome == Outcome::Hung);
  REQUIRE(hung.waits.size() == 2);
  CHECK(hung.waits[1].kind == WaitKind::Lock);
  CHECK(hung.waits[1].other == tile);
  CHECK(hung.waits[1].lock == full);
  CHECK(hung.waits[1].text ==
        "(0,2) MM2S 0 BD 0 waits for lock 0 of (0,2): it holds 0, needs at least 1");
  CHECK(hung.waits[0].text == "(0,2) S2MM 0 BD 1 waits for 64 more words from its stream");
  // The lock comes, and it continues.
  REQUIRE_FALSE(array.write(addressOf(tile, limitsOf(TileKind::Core).lockValue.at(full)), 1));
  finishes(array.settle());
}

namespace {

BdBuilder randomPadded(SplitMix64& random, int64_t length) {
  const auto below = [&](int64_t n) { return int64_t(random.next() % uint64_t(n)); };
  BdBuilder builder(TileKind::Mem);
  builder.length(Words(length)).base(Bytes(0x80000)).set(BdField::Valid, 1);
  for (unsigned dim = 0; dim < 3; ++dim) {
    builder.set(BdField(unsigned(BdField::D0Step) + dim), 1 + below(20));
    builder.set(BdField(unsigned(BdField::D0Wrap) + dim), 1 + below(6));
    builder.set(BdField(unsigned(BdField::D0Before) + dim), below(3));
    builder.set(BdField(unsigned(BdField::D0After) + dim), below(3));
  }
  return builder;
}

}  // namespace

TEST_CASE("strided and padded BDs send the words the device model names", "[npu][sim][array]") {
  constexpr Tile mem{1, 1};
  constexpr uint32_t target = 0x40000;
  SplitMix64 random(7);
  for (int round = 0; round < 100; ++round) {
    const int64_t length = 1 + int64_t(random.next() % 300);
    const auto builder = randomPadded(random, length);
    Array array(npu1());
    Setup setup;
    setup.block(mem, 0, randomWords(uint64_t(round), 4096));
    setup.circuit(mem, dma(0), dma(0));
    setup.bd(mem, 0, builder);
    setup.bd(mem, 1,
             BdBuilder(TileKind::Mem)
                 .length(Words(length))
                 .base(Bytes(0x80000 + target))
                 .set(BdField::Valid, 1));
    setup.start(mem, DmaDirection::Mm2s, 0, {.bd = 0});
    setup.start(mem, DmaDirection::S2mm, 0, {.bd = 1});
    applied(array, setup);
    finishes(array.settle());
    const auto data = wordsAt(array.memory(mem), 0, 0x10000),
               got = wordsAt(array.memory(mem), target, size_t(length));
    for (int64_t i = 0; i < length; ++i) {
      const auto at = wordOf(*builder.make(), i);
      if (got[size_t(i)] != (at ? data[size_t(at->value)] : 0))
        FAIL("round " << round << " word " << i);
    }
  }
  SUCCEED();
}

TEST_CASE("what the model does not know is a fault by name", "[npu][sim][array]") {
  const auto offset = [](TileKind kind, const char* name) {
    return registerNamed(kind, Generation::Aie2, name)->offset();
  };
  Array array(npu1());
  Setup a, b, c, d, e;
  a.write(tile, offset(TileKind::Core, "Trace_Control0"), 0x10001);
  CHECK(faultOf(array, a) == "Trace_Control0 = 0x10001 means nothing to the model");
  b.write(tile, offset(TileKind::Core, "Core_Control"), 1);
  CHECK(faultOf(array, b) == "a core is enabled, and the simulator was given none");
  c.write(tile, limitsOf(TileKind::Core).lockValue.at(3), 64);
  CHECK(faultOf(array, c) == "lock 3 is set to 64, it holds 0..63");
  d.write({4, 2}, 0, 0);
  CHECK(faultOf(array, d) == "no tile at address 0x8200000");
  for (int i = 0; i < 5; ++i)
    e.start(tile, DmaDirection::Mm2s, 1, {.bd = 0});
  CHECK(faultOf(array, e) == "the start queue of MM2S 1 is full (4 tasks): this one would be lost");
  // Tools write a mask of 0 where other devices enable channels.
  CHECK_FALSE(
      array.maskWrite(addressOf(tile, controlOffset(TileKind::Core, DmaDirection::S2mm, 0)), 0, 1));
}

TEST_CASE("a BD that is not valid or leaves its memory is a fault", "[npu][sim][array]") {
  const auto run = [](uint8_t id, const BdBuilder& builder) {
    Array array(npu1());
    Setup setup;
    setup.circuit(tile, dma(0), dma(0));
    setup.bd(tile, 0, builder);
    setup.start(tile, DmaDirection::Mm2s, 0, {.bd = id});
    applied(array, setup);
    const auto result = array.settle();
    return result.fault ? result.fault->text : std::string("none");
  };
  CHECK(run(5, BdBuilder(TileKind::Core).length(Words(8))) == "MM2S 0: BD 5 is not valid");
  CHECK(
      run(0,
          BdBuilder(TileKind::Core).length(Words(8)).base(Bytes(0xFFF0)).set(BdField::Valid, 1)) ==
      "MM2S 0: BD 0 leaves its memory");
}

// As AMD's designs chain them: a BD of no words hands locks on.
TEST_CASE("a BD without words takes and gives its locks", "[npu][sim][array]") {
  Array array(npu1());
  Setup setup = loopBack();
  const auto only =
      BdBuilder(TileKind::Core).length(Words(1)).acquire(5, -2).release(full, 1).next(0);
  Words32 encoded = encodeBd(*only.make());
  encoded[0] = 0;  // base and length
  setup.block(tile, limitsOf(TileKind::Core).bd.at(3), encoded);
  setup.start(tile, DmaDirection::Mm2s, 1, {.bd = 3});
  setup.circuit(tile, dma(1), dma(1));
  setup.bd(tile, 4, BdBuilder(TileKind::Core).length(Words(words)).base(Bytes(0x2000)));
  setup.start(tile, DmaDirection::S2mm, 1, {.bd = 4});
  setup.block(tile, 0, randomWords(8, words));
  setup.lock(tile, 5, 2);
  setup.lock(tile, full, 1);
  applied(array, setup);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(tile), 0x2000, words) == randomWords(8, words));
  CHECK(array.lock(tile, 5) == 0);
  CHECK(array.lock(tile, full) == 0);
  CHECK(array.lock(tile, empty) == 2);
}

// Waiting for a value changes nothing: several may wait for one.
TEST_CASE("a lock that was waited for keeps its value", "[npu][sim][array]") {
  Array array(npu1());
  Setup setup = loopBack();
  setup.bd(tile, 0, BdBuilder(TileKind::Core).length(Words(words)).base(Bytes(0)).acquire(full, 3));
  setup.bd(tile, 1,
           BdBuilder(TileKind::Core).length(Words(words)).base(Bytes(0x1000)).acquire(full, 3));
  setup.lock(tile, full, 3);
  applied(array, setup);
  finishes(array.settle());
  CHECK(array.lock(tile, full) == 3);
}
