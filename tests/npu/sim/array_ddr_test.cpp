// The way to DDR: what several shims ask for at once takes as long as its rate says, and a short row as
// long as a whole request.
#include "array_testing.hpp"

namespace airlite::npu::sim::tests {
namespace {

constexpr unsigned words = 4096;

/// Cycles of `columns` shims that read 16 KiB each, in rows of so many words with gaps as long.
uint64_t cyclesOf(unsigned columns, int64_t row, const Timing& timing) {
  ArrayOptions options;
  options.timing = timing;
  const bool isReversed = row % 64 == 0;  // no order of the tiles may matter
  options.reversesTileOrder = isReversed;
  Array array(npu1(), options);
  Setup setup;
  for (unsigned column = 0; column < columns; ++column) {
    const Tile shim{uint8_t(column), 0}, mem{uint8_t(column), 1};
    array.addBuffer(Bytes(2 * 4 * words));
    const AccessDim dims[] = {{words / row, 2 * row}, {row, 1}};
    setup.circuit(shim, south(3), north(0));
    setup.circuit(mem, south(0), dma(0));
    setup.shimDma(shim, true, 0);
    setup.bd(shim, 0,
             BdBuilder(TileKind::Shim)
                 .length(Words(words))
                 .base(Bytes(int64_t(array.bufferAddress(column))))
                 .access(dims, 4));
    setup.bd(
        mem, 0,
        BdBuilder(TileKind::Mem).length(Words(words)).base(memDmaWindow(Neighbour::Own).value()));
    setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0});
    setup.start(shim, DmaDirection::Mm2s, 0, {.bd = 0});
  }
  applied(array, setup);
  finishes(array.settle());
  const int64_t requests = columns * (words / row) * ((row + 63) / 64);
  CHECK(int64_t(array.ddrRequests(DmaDirection::Mm2s)) == requests);
  CHECK(array.ddrRequests(DmaDirection::S2mm) == 0);
  return array.cycle();
}

Timing rated(unsigned bytesPerCycle) {
  Timing timing;
  timing.ddrBytesPerCycle = bytesPerCycle;
  timing.shimFirstMm2s = 0;
  return timing;
}

TEST_CASE("shims share the way to DDR", "[npu][sim][ddr]") {
  const uint64_t alone = cyclesOf(1, 256, rated(8)), together = cyclesOf(4, 256, rated(8));
  CHECK(alone < 4500);  // a stream moves 4 bytes in a cycle
  CHECK(together >= 4 * 4 * words / 8);
  CHECK(together < 4 * 4 * words / 8 + 200);
  CHECK(cyclesOf(4, 256, rated(0)) == alone);
}

TEST_CASE("a short row takes as long as a whole request", "[npu][sim][ddr]") {
  const uint64_t long_ = cyclesOf(4, 64, rated(15));
  CHECK(cyclesOf(4, 512, rated(15)) == Approx(double(long_)).epsilon(0.02));
  CHECK(cyclesOf(4, 32, rated(15)) == Approx(2.0 * double(long_)).epsilon(0.03));
  CHECK(cyclesOf(4, 16, rated(15)) == Approx(4.0 * double(long_)).epsilon(0.03));
}

TEST_CASE("the way to DDR is that of the device unless it is set", "[npu][sim][ddr]") {
  const Timing aie2 = timingOn(Generation::Aie2, {}), aie2p = timingOn(Generation::Aie2p, {});
  CHECK(aie2.ddrBytesPerCycle == 15);
  CHECK(aie2.ddrRequestBytes == 256);
  CHECK(aie2p.ddrBytesPerCycle == 27);  // 50 GB/s at 1.8 GHz
  CHECK(aie2p.ddrRequestBytes == 512);
  Timing set;
  REQUIRE(setTiming(set, "ddrRequestBytes=64"));
  CHECK(timingOn(Generation::Aie2p, set).ddrRequestBytes == 64);
  CHECK(timingOn(Generation::Aie2p, set).ddrBytesPerCycle == 27);
  CHECK(timingOn(Generation::Aie2p, rated(0)).ddrBytesPerCycle == 0);
}

TEST_CASE("times of the model are set by their names", "[npu][sim][ddr]") {
  Timing timing;
  REQUIRE(setTiming(timing, "ddrBytesPerCycle=30"));
  CHECK(timing.ddrBytesPerCycle == 30);
  CHECK(timingNames().size() > 20);
  CHECK(setTiming(timing, "ddrBytesPerCycl=30").error().message ==
        "the simulator has no time 'ddrBytesPerCycl'");
  CHECK(setTiming(timing, "hop").error().message == "'hop' is not NAME=NUMBER");
  for (const char* wrong : {"hop=", "hop=x", "hop=0", "hop=-1", "hop=1x", "hop=99999999999"})
    CHECK_FALSE(setTiming(timing, wrong));
  CHECK(timing.hop == Timing().hop);
}

}  // namespace
}  // namespace airlite::npu::sim::tests
