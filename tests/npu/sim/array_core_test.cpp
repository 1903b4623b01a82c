// What a core sees of the array, with cores that are scripts instead of bundles.
#include "array_testing.hpp"

#include <functional>
#include <map>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using namespace airlite::npu::sim::tests;

namespace {

/// A request; repeated while it stalls.
using Request = std::function<Reply(CoreHost&)>;
using Script = std::vector<Request>;

class ScriptCore final : public Core {
 public:
  explicit ScriptCore(Script script) : script_(std::move(script)) {}
  void reset() override { at_ = 0, status_ = {}; }
  void enable(bool isEnabled) override {
    status_.state = isEnabled ? CoreState::Running : CoreState::Disabled;
  }
  void step(CoreHost& host) override {
    if (at_ == script_.size()) {
      status_.state = CoreState::Done;
      return;
    }
    const Reply reply = script_[at_](host);
    status_.state = reply == Reply::Done      ? CoreState::Running
                    : reply == Reply::Stalled ? CoreState::StalledOnLock
                                              : CoreState::Faulted;
    if (reply == Reply::Faulted) status_.text = host.faultText();
    if (reply == Reply::Done) ++at_;
  }
  CoreStatus status() const override { return status_; }
  void writeProgram(uint32_t, std::span<const uint8_t>) override {}

 private:
  Script script_;
  size_t at_ = 0;
  CoreStatus status_;
};

struct Scripts final : CoreFactory {
  std::map<Tile, Script> of;
  std::unique_ptr<Core> make(unsigned column, unsigned row) override {
    return std::make_unique<ScriptCore>(of[{uint8_t(column), uint8_t(row)}]);
  }
};

constexpr Tile low{1, 2}, high{1, 3}, right{2, 2};
constexpr uint32_t coreControl = 0x32000, accumulatorControl = 0x36060;

Request acquire(unsigned lock, int value) {
  return [=](CoreHost& host) { return host.acquire(lock, value); };
}
Request release(unsigned lock, int change) {
  return [=](CoreHost& host) { return host.release(lock, change); };
}
Request store(uint32_t address, uint8_t value) {
  return [=](CoreHost& host) { return host.store(address, std::vector<uint8_t>(4, value)); };
}
Request copy(uint32_t from, uint32_t to) {
  return [=](CoreHost& host) {
    std::array<uint8_t, 4> bytes{};
    const Reply reply = host.load(from, bytes);
    return reply == Reply::Done ? host.store(to, bytes) : reply;
  };
}

RunResult runScripts(Scripts& scripts, Setup setup, Array& array) {
  for (const auto& [tile, script] : scripts.of)
    if (!script.empty()) setup.write(tile, coreControl, 1);
  applied(array, setup);
  return array.settle();
}

}  // namespace

TEST_CASE("cores share memory and locks with their neighbours", "[npu][sim][array]") {
  for (const bool reversed : {false, true}) {
    Scripts scripts;
    // `low` fills a buffer of its own, `high` sees it in the south and answers in its own.
    scripts.of[low] = {store(0x70010, 0xAB), release(48 + 2, 1), acquire(32 + 4, -1),
                       copy(0x60020, 0x70030)};
    scripts.of[high] = {acquire(0 + 2, -1), copy(0x40010, 0x70020), release(48 + 4, 1)};
    Array array(npu1(), {.reversesTileOrder = reversed}, &scripts);
    const auto result = runScripts(scripts, {}, array);
    finishes(result);
    // A release is there after its cycle, who waits has the lock one later, and DONE is a cycle.
    CHECK(result.cycles == 10);
    CHECK(wordsAt(array.memory(low), 0x30, 1)[0] == 0xABABABAB);
    CHECK(array.core(low).state == CoreState::Done);
  }
}

TEST_CASE("windows without memory are faults", "[npu][sim][array]") {
  const auto fault = [](Request request) {
    Scripts scripts;
    scripts.of[low] = {std::move(request)};
    Array array(npu1(), {}, &scripts);
    const auto result = runScripts(scripts, {}, array);
    return result.fault ? result.fault->text : std::string("none");
  };
  CHECK(fault(store(0x40000, 1)) == "core: store of 4 bytes at 0x40000: no memory there");
  CHECK(fault(store(0x7FFFE, 1)) == "core: store of 4 bytes at 0x7fffe: no memory there");
  CHECK(fault(acquire(3, 1)) == "core: acquire of lock 3: no tile there");
  CHECK(fault(release(64, 1)) == "core: release of lock 64: no tile there");
}

TEST_CASE("streams and the cascade between cores", "[npu][sim][array]") {
  for (const bool reversed : {false, true}) {
    Scripts scripts;
    std::array<uint8_t, cascadeBytes> wide{}, got{};
    wide[63] = 9;
    StreamWord word;
    scripts.of[low] = {[](CoreHost& host) {
                         return host.writeStream({77, true});
                       },
                       [&](CoreHost& host) { return host.writeCascade(wide); }};
    scripts.of[right] = {[&](CoreHost& host) { return host.readStream(word); },
                         [&](CoreHost& host) { return host.readCascade(got); }};
    Setup setup;
    setup.circuit(low, {Bundle::Core, 0}, {Bundle::East, 1});
    setup.circuit(right, {Bundle::West, 1}, {Bundle::Core, 0});
    setup.write(low, accumulatorControl, 2);
    setup.write(right, accumulatorControl, 1);
    Array array(npu1(), {.reversesTileOrder = reversed}, &scripts);
    finishes(runScripts(scripts, setup, array));
    CHECK(word == StreamWord{77, true});
    CHECK(got == wide);
  }
}

TEST_CASE("a bank serves one request in a cycle", "[npu][sim][array]") {
  // A hundred stores of `low` to its own memory, of `high` to the same tile's.
  constexpr unsigned count = 100;
  const auto cyclesWith = [&](uint32_t offset, bool reversed, bool charges, uint64_t& stalls) {
    Scripts scripts;
    scripts.of[low] = Script(count, store(0x70010, 1));
    scripts.of[high] = Script(count, store(0x40000 + offset, 2));
    ArrayOptions options{.timing = {}, .reversesTileOrder = reversed};
    options.timing.chargesBanks = charges;
    Array array(npu1(), options, &scripts);
    const auto result = runScripts(scripts, {}, array);
    finishes(result);
    stalls = array.bankStalls(low) + array.bankStalls(high);
    return result.cycles;
  };
  for (const bool reversed : {false, true}) {
    uint64_t stalls = 0;
    const uint64_t apart = cyclesWith(0x20, reversed, true, stalls);
    CHECK(stalls == 0);
    // Lines 1 and 3 share a bank; 16 KB further there is another one.
    const uint64_t together = cyclesWith(0x30, reversed, true, stalls);
    CHECK(together == 2 * count + 1);  // one served in each cycle, and DONE
    CHECK(stalls == 2 * count - 1);
    CHECK(cyclesWith(0x4030, reversed, true, stalls) == apart);
    CHECK(cyclesWith(0x30, reversed, false, stalls) == apart);
  }
}

TEST_CASE("two accesses of one core to one bank cost a cycle", "[npu][sim][array]") {
  const auto cyclesWith = [&](uint32_t to) {
    Scripts scripts;
    scripts.of[low] = Script(10, copy(0x70000, to));
    Array array(npu1(), {}, &scripts);
    const auto result = runScripts(scripts, {}, array);
    finishes(result);
    return result.cycles;
  };
  CHECK(cyclesWith(0x70020) == cyclesWith(0x70010) + 10);
}

TEST_CASE("two cores that ask for one lock in one cycle", "[npu][sim][array]") {
  // Only one can have it; which does not depend on the order of tiles.
  std::array<Tile, 2> winners{};
  for (const bool reversed : {false, true}) {
    Scripts scripts;
    scripts.of[low] = {acquire(48, -1)};
    scripts.of[high] = {acquire(0, -1)};
    Setup setup;
    setup.lock(low, 0, 1);
    Array array(npu1(), {.reversesTileOrder = reversed}, &scripts);
    const auto hung = runScripts(scripts, setup, array);
    REQUIRE(hung.outcome == Outcome::Hung);
    REQUIRE(hung.waits.size() == 1);
    CHECK(hung.waits[0].lock == 0);
    CHECK(hung.waits[0].other == low);
    winners[reversed] = hung.waits[0].tile == low ? high : low;
  }
  CHECK(winners[0] == winners[1]);
}

TEST_CASE("a core starts its own DMA by the processor bus", "[npu][sim][array][core]") {
  constexpr uint32_t bus = 0x32038;
  const auto put = [](uint32_t offset, uint32_t value) {
    return [=](CoreHost& host) { return host.writeRegister(offset, value); };
  };
  const auto queueOf = [](DmaDirection direction) {
    return startQueueOffset(TileKind::Core, direction, 0);
  };
  const auto bdOf = [](int64_t base) {
    return encodeBd(*BdBuilder(TileKind::Core).length(Words(4)).base(Bytes(base)).make());
  };
  Scripts scripts;
  Script& script = scripts.of[low];
  for (const unsigned id : {0u, 1u})
    for (const auto words = bdOf(0x100 * id); const size_t i : {0u, 1u, 2u, 3u, 4u, 5u})
      script.push_back(put(limitsOf(TileKind::Core).bd.at(id) + uint32_t(4 * i), words[i]));
  script.push_back(put(queueOf(DmaDirection::S2mm), *encode(TileKind::Core, QueueEntry{1})));
  script.push_back(put(queueOf(DmaDirection::Mm2s), *encode(TileKind::Core, QueueEntry{0})));
  uint32_t seen = 0;
  script.push_back(
      [&](CoreHost& host) { return host.readRegister(limitsOf(TileKind::Core).bd.at(1), seen); });
  Setup setup;
  setup.block(low, 0, {1, 2, 3, 4});
  setup.circuit(low, dma(0), dma(0));
  setup.write(low, coreControl, 1);
  {
    Array array(npu1(), {}, &scripts);
    applied(array, setup);
    const auto result = array.settle();
    REQUIRE(result.outcome == Outcome::Faulted);
    CHECK(result.fault->text.find("the processor bus is off") != std::string::npos);
  }
  setup.cdo.commands.pop_back();
  setup.write(low, bus, 1);
  setup.write(low, coreControl, 1);
  Array array(npu1(), {}, &scripts);
  applied(array, setup);
  finishes(array.settle());
  CHECK(wordsAt(array.memory(low), 0x100, 4) == Words32{1, 2, 3, 4});
  CHECK(seen == bdOf(0x100)[0]);
}

TEST_CASE("a core does not reach what is not a register, nor its own control",
          "[npu][sim][array][core]") {
  const uint32_t offset = GENERATE(0x32000u, 0x3FFF0u, 0xFFF80000u);
  Scripts scripts;
  scripts.of[low] = {[=](CoreHost& host) { return host.writeRegister(offset, 1); }};
  Setup setup;
  setup.write(low, 0x32038, 1);
  setup.write(low, coreControl, 1);
  Array array(npu1(), {}, &scripts);
  applied(array, setup);
  CHECK(array.settle().outcome == Outcome::Faulted);
}
