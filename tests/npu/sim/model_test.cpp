// The performance model beside the simulator: the same configuration and stream, as many cycles within a
// few percent, and just the same traffic.
#include "array_testing.hpp"

#include <memory>
#include <span>

namespace airlite::npu::sim::tests {
namespace {

/// What goes through each column: shim -> memory tile -> shim, in two buffers that locks hand over.
struct Passage {
  unsigned columns = 1;
  unsigned rounds = 1;  ///< of the two buffers
  unsigned words = 64;  ///< of a buffer
  unsigned row = 64;    ///< contiguous words in DDR
};

Setup configured(const Passage& passage, Array& array) {
  Setup setup;
  const int64_t all = int64_t(passage.rounds) * 2 * passage.words;
  for (unsigned column = 0; column < passage.columns; ++column) {
    const Tile shim{uint8_t(column), 0}, mem{uint8_t(column), 1};
    const unsigned in = array.addBuffer(Bytes(8 * all)), out = array.addBuffer(Bytes(8 * all));
    circuitsThroughMemory(setup, shim, mem);
    setup.lock(mem, 0, 2);
    const unsigned own =
        limitsOf(TileKind::Mem).locks;  // after the window of the western neighbour
    const Bytes base = memDmaWindow(Neighbour::Own).value();
    for (unsigned i = 0; i < 2; ++i) {
      const Bytes place(base.value + int64_t{4} * passage.words * i);
      const auto bd = [&](unsigned first, unsigned taken, unsigned given) {
        setup.bd(mem, first + i,
                 BdBuilder(TileKind::Mem)
                     .length(Words(passage.words))
                     .base(place)
                     .acquire(own + taken, -1)
                     .release(own + given, 1)
                     .next(first + (1 - i)));
      };
      bd(0, 0, 1);
      bd(2, 1, 0);
    }
    const AccessDim dims[] = {{all / passage.row, 2 * int64_t(passage.row)}, {passage.row, 1}};
    for (unsigned i = 0; i < 2; ++i)
      setup.bd(shim, i,
               BdBuilder(TileKind::Shim)
                   .length(Words(all))
                   .base(Bytes(int64_t(array.bufferAddress(i == 0 ? in : out))))
                   .access(dims, 4));
    setup.start(mem, DmaDirection::S2mm, 0, {.bd = 0, .repeat = 200});
    setup.start(mem, DmaDirection::Mm2s, 0, {.bd = 2, .repeat = 200});
  }
  return setup;
}

Txn streamOf(unsigned columns, bool asksForToken = true) {
  Txn stream = txnFor(npu1());
  for (unsigned column = 0; column < columns; ++column)
    for (const auto& [direction, bd] :
         {std::pair(DmaDirection::Mm2s, 0), {DmaDirection::S2mm, 1}}) {
      const Tile shim{uint8_t(column), 0};
      const QueueEntry task{.bd = uint8_t(bd),
                            .issuesToken = asksForToken && direction == DmaDirection::S2mm};
      stream.ops.push_back(
          txnWrite(addressOf(shim, startQueueOffset(TileKind::Shim, direction, 0)).value,
                   *encode(TileKind::Shim, task)));
    }
  for (unsigned column = 0; column < columns; ++column)
    stream.ops.push_back(txnSync({.tile = {uint8_t(column), 0}}));
  return stream;
}

/// Words of channels by place; tokens at masters are the simulator's alone.
auto channelsOf(const Array& array) {
  std::map<ChannelPlace, uint64_t> words;
  for (const ChannelTraffic& one : array.channelTraffic())
    words[one.place] = one.words;
  return words;
}

TEST_CASE("the model takes as long as the simulator to move data", "[npu][sim][model]") {
  SplitMix64 random(7);
  const auto choose = [&](std::initializer_list<unsigned> list) {
    return *(list.begin() + random.next() % list.size());
  };
  for (int i = 0; i < 40; ++i) {
    Passage passage{.columns = choose({1, 2, 3, 4}),
                    .rounds = choose({1, 2, 5, 7}),
                    .words = choose({64, 256, 1024, 2048}),
                    .row = choose({32, 64, 128})};
    ArrayOptions options;
    options.timing = quickFirmware();
    Array real(npu1(), options), guess(npu1(), options);
    applied(real, configured(passage, real));
    applied(guess, configured(passage, guess));
    const RunResult run = real.run(streamOf(passage.columns)),
                    estimate = guess.estimate(streamOf(passage.columns));
    finishes(run);
    finishes(estimate);
    INFO(passage.columns << " columns, " << passage.rounds << " rounds, " << passage.words
                         << " words, rows of " << passage.row);
    CHECK(double(estimate.cycles) ==
          Approx(double(run.cycles)).epsilon(0.03).margin(passage.columns * 40));
    CHECK(guess.cycle() == estimate.cycles);
    CHECK(channelsOf(guess) == channelsOf(real));
    for (const auto direction : {DmaDirection::Mm2s, DmaDirection::S2mm})
      CHECK(guess.ddrRequests(direction) == real.ddrRequests(direction));
  }
}

TEST_CASE("the model sees a rate of DDR that is changed", "[npu][sim][model]") {
  const Passage passage{.columns = 4, .rounds = 8, .words = 1024};
  uint64_t last = 0;
  for (const unsigned rate : {0, 30, 15, 8, 4}) {
    ArrayOptions options;
    options.timing.ddrBytesPerCycle = rate;
    Array array(npu1(), options), real(npu1(), options);
    applied(array, configured(passage, array));
    applied(real, configured(passage, real));
    const RunResult estimate = array.estimate(streamOf(4));
    finishes(estimate);
    CHECK(estimate.cycles >= last);
    CHECK(double(estimate.cycles) == Approx(double(real.run(streamOf(4)).cycles)).epsilon(0.03));
    last = estimate.cycles;
  }
}

TEST_CASE("what hangs in the simulator hangs in the model", "[npu][sim][model]") {
  const Passage passage{.columns = 1, .rounds = 2};
  Array array(npu1());
  applied(array, configured(passage, array));
  const RunResult result = array.estimate(streamOf(1, false));  // nobody sends a token
  CHECK(result.outcome == Outcome::Hung);
  REQUIRE_FALSE(result.waits.empty());
  CHECK(result.waits.front().text == "(0,1) S2MM 0 BD 0 waits for 64 more words from its stream");
}

TEST_CASE("a run of the model ends at its limit, and when it is asked to", "[npu][sim][model]") {
  const Passage passage{.columns = 4, .rounds = 8, .words = 2048};
  ArrayOptions options;
  options.cycleLimit = 5000;
  Array limited(npu1(), options);
  applied(limited, configured(passage, limited));
  CHECK(limited.estimate(streamOf(4)).outcome == Outcome::OutOfCycles);
}

/// Runs on for ever and asks for nothing, or takes the lock and gives it back after so many cycles.
class LoopingCore final : public Core {
 public:
  explicit LoopingCore(unsigned period) : period_(period) {}
  void reset() override { at_ = 0; }
  void enable(bool isEnabled) override {
    status_.state = isEnabled ? CoreState::Running : CoreState::Disabled;
  }
  void step(CoreHost& host) override {
    if (period_ == 0) return;
    const unsigned at = at_ % period_;
    if (at == 0 && host.acquire(48, -1) == Reply::Stalled) return;
    if (at == period_ - 1) host.release(49, 1);
    ++at_;
  }
  CoreStatus status() const override { return status_; }
  void writeProgram(uint32_t, std::span<const uint8_t>) override {}

 private:
  unsigned period_, at_ = 0;
  CoreStatus status_;
};

class LoopingCores final : public CoreFactory {
 public:
  explicit LoopingCores(unsigned period) : period_(period) {}
  std::unique_ptr<Core> make(unsigned, unsigned) override {
    return std::make_unique<LoopingCore>(period_);
  }

 private:
  unsigned period_;
};

TEST_CASE("a core that runs on for ever does not hold up the model", "[npu][sim][model]") {
  LoopingCores cores(0);
  const Passage passage{.columns = 1, .rounds = 2, .words = 256};
  Array array(npu1(), {}, &cores), real(npu1(), {}, &cores);
  for (Array* one : {&array, &real}) {
    Setup setup = configured(passage, *one);
    setup.write({0, 2}, 0x32000, 1);
    applied(*one, setup);
  }
  const RunResult run = real.run(streamOf(1)), estimate = array.estimate(streamOf(1));
  finishes(run), finishes(estimate);
  CHECK(double(estimate.cycles) == Approx(double(run.cycles)).epsilon(0.01));
}

/// A core hands a lock from one DMA to the other: each round takes its cycles, or those of the DMAs.
TEST_CASE("cores and DMAs wait for each other in the model as in the simulator",
          "[npu][sim][model]") {
  for (const unsigned period : {20u, 300u, 1000u}) {
    LoopingCores cores(period);
    const Tile tile{0, 2}, shim{0, 0}, mem{0, 1};
    uint64_t cycles[2] = {};
    for (const bool isModel : {false, true}) {
      Array array(npu1(), {}, &cores);
      array.addBuffer(Bytes(4 * 64 * 20));
      Setup setup;
      setup.circuit(tile, dma(0), south(0));
      setup.circuit(mem, north(0), south(0));
      setup.circuit(shim, north(0), south(2));
      setup.circuit(shim, ctrl, south(0));
      setup.shimDma(shim, false, 0);
      setup.lock(tile, 0, 1);
      setup.bd(tile, 0,
               BdBuilder(TileKind::Core).length(Words(64)).acquire(1, -1).release(0, 1).next(0));
      setup.start(tile, DmaDirection::Mm2s, 0, {.bd = 0, .repeat = 1});
      setup.bd(shim, 1,
               BdBuilder(TileKind::Shim)
                   .length(Words(64 * 20))
                   .base(Bytes(int64_t(array.bufferAddress(0)))));
      setup.write(tile, 0x32000, 1);
      applied(array, setup);
      Txn stream = txnFor(npu1());
      stream.ops = {
          txnWrite(addressOf(shim, startQueueOffset(TileKind::Shim, DmaDirection::S2mm, 0)).value,
                   *encode(TileKind::Shim, QueueEntry{.bd = 1, .issuesToken = true})),
          txnSync({.tile = shim})};
      const RunResult result = isModel ? array.estimate(stream) : array.run(stream);
      finishes(result);
      cycles[isModel] = result.cycles;
    }
    INFO("a core that takes " << period << " cycles");
    CHECK(double(cycles[1]) == Approx(double(cycles[0])).epsilon(0.02).margin(40));
  }
}

TEST_CASE("streams that are wrong are faults of the model", "[npu][sim][model]") {
  const auto faultOf = [](Txn stream, const Setup& setup = {}) {
    Array array(npu1());
    applied(array, setup);
    const RunResult result = array.estimate(stream);
    REQUIRE(result.outcome == Outcome::Faulted);
    return result.fault->text;
  };
  Txn stream = txnFor(npu1());
  stream.ops = {txnWrite(addressOf({30, 5}, 0x1D204).value, 0)};
  CHECK(faultOf(stream).starts_with("no tile at address"));
  stream.ops[0].at(TxnField::AddressHigh) = 1;
  CHECK(faultOf(stream) == "an address above 32 bits");
  stream.generation = 9;
  CHECK(faultOf(stream).starts_with("the stream is for generation 9"));
  CHECK(faultOf(streamOf(1)) == "BD 0 is not valid");
  Setup setup;  // a chain that leaves the bank of its channel
  setup.bd({0, 1}, 0, BdBuilder(TileKind::Mem).length(Words(4)).next(47));
  setup.start({0, 1}, DmaDirection::Mm2s, 0, {.bd = 0});
  CHECK(faultOf(streamOf(1), setup).starts_with("BD 0: "));
}

TEST_CASE("what rates cannot describe is refused by its name", "[npu][sim][model]") {
  Array array(npu1());
  Setup setup;
  constexpr uint32_t kCompression = 1u << 4;
  setup.write({0, 2}, controlOffset(TileKind::Core, DmaDirection::S2mm, 0), kCompression);
  applied(array, setup);
  const RunResult result = array.estimate(streamOf(1));
  REQUIRE(result.outcome == Outcome::Faulted);
  CHECK(result.fault->text.starts_with("not supported by the performance model: "));
}

}  // namespace
}  // namespace airlite::npu::sim::tests
