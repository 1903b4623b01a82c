#include "airlite/npu/device/BdAccess.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

using airlite::Result;
using namespace airlite::npu;
using airlite::SplitMix64;
using Catch::Matchers::Contains;

namespace {

int64_t below(SplitMix64& random, int64_t limit) {
  return int64_t(random.next() % uint64_t(limit));
}

/// Small dimensions, some that never wrap, any length.
Result<BufferDescriptor> randomBd(TileKind kind, SplitMix64& random, bool isPadded) {
  const auto& limits = limitsOf(kind);
  BdBuilder builder(kind);
  builder.length(Words(1 + below(random, 200)));
  for (unsigned dim = 0; dim < limits.dims; ++dim)
    builder.set(BdField(unsigned(BdField::D0Step) + dim), 1 + below(random, 9));
  for (unsigned dim = 0; dim < limits.wraps; ++dim) {
    builder.set(BdField(unsigned(BdField::D0Wrap) + dim), below(random, 5));
    if (!isPadded) continue;
    builder.set(BdField(unsigned(BdField::D0Before) + dim), below(random, 3));
    builder.set(BdField(unsigned(BdField::D0After) + dim), below(random, 3));
  }
  return builder.iterate(Words(1 + below(random, 50)), 1 + below(random, 4)).make();
}

int64_t farthest(const BufferDescriptor& bd) {
  int64_t most = -1;
  for (int64_t iteration = 0; iteration < bd.get(BdField::IterationWrap); ++iteration)
    for (int64_t i = 0; i < bd.get(BdField::Length); ++i)
      if (const auto word = wordOf(bd, i, iteration)) most = std::max(most, word->value);
  return most;
}

std::vector<int64_t> words(const BufferDescriptor& bd) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < bd.get(BdField::Length); ++i) {
    const auto word = wordOf(bd, i);
    out.push_back(word ? word->value : -1);
  }
  return out;
}

}  // namespace

TEST_CASE("the words of a BD in their order", "[npu][device]") {
  using List = std::vector<int64_t>;
  CHECK(words(*BdBuilder(TileKind::Core).length(Words(3)).make()) == List{0, 1, 2});
  const AccessDim dims[] = {{2, 100}, {2, 10}, {3, 1}};
  CHECK(words(*BdBuilder(TileKind::Core).length(Words(12)).access(dims, 4).make()) ==
        List{0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112});
  const AccessDim image[] = {{1, 7}, {2, 1}};
  const AccessPad pads[] = {{1, 1}, {1, 1}};
  CHECK(words(*BdBuilder(TileKind::Mem).length(Words(12)).access(image, 4, pads).make()) ==
        List{-1, -1, -1, -1, -1, 0, 1, -1, -1, -1, -1, -1});
}

TEST_CASE("reach is the farthest word", "[npu][device]") {
  SplitMix64 random(81);
  for (const auto kind : {TileKind::Core, TileKind::Mem, TileKind::Shim})
    for (int i = 0; i < 3000; ++i) {
      const auto bd = randomBd(kind, random, false);
      REQUIRE(bd);
      REQUIRE(reachOf(*bd).value == farthest(*bd) + 1);
    }
}

TEST_CASE("reach covers what padding leaves", "[npu][device]") {
  SplitMix64 random(82);
  int seen = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto bd = randomBd(TileKind::Mem, random, true);
    if (!bd) continue;
    ++seen;
    REQUIRE(reachOf(*bd).value >= farthest(*bd) + 1);
  }
  CHECK(seen > 500);
}

TEST_CASE("a BD that leaves its memory", "[npu][device]") {
  const auto core = [](int64_t base, int64_t length) {
    return *BdBuilder(TileKind::Core).base(Bytes(base)).length(Words(length)).make();
  };
  CHECK_FALSE(outOfMemory(core(0xFFF0, 4)));
  CHECK_THAT(outOfMemory(core(0xFFF0, 5))->message, Contains("0x10003") && Contains("0x10000"));
  const auto mem = [](int64_t base) {
    return *BdBuilder(TileKind::Mem).base(Bytes(base)).length(Words(2)).make();
  };
  CHECK_FALSE(outOfMemory(mem(0xFFFF8)));
  CHECK(outOfMemory(mem(0xFFFFC)));
  CHECK(outOfMemory(*BdBuilder(TileKind::Core).length(Words(8)).iterate(Words(8192), 3).make()));
}
