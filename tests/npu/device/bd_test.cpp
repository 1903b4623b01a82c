#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

using airlite::Result;
using namespace airlite::npu;
using airlite::SplitMix64;
using Catch::Matchers::Contains;
using Hex = std::vector<uint32_t>;

namespace {

constexpr TileKind kinds[] = {TileKind::Core, TileKind::Mem, TileKind::Shim};

int64_t pick(SplitMix64& random, const FieldLimits& limits) {
  const auto steps = uint64_t((limits.most - limits.least) / limits.multipleOf + 1);
  return limits.least + int64_t(random.next() % steps) * limits.multipleOf;
}

/// A random value in each field; padding only where the wraps allow it.
Result<BufferDescriptor> randomBd(TileKind kind, SplitMix64& random) {
  BdBuilder builder(kind);
  for (unsigned i = 0; i < bdFieldCount; ++i)
    if (const auto limits = limitsOf(kind, BdField(i)))
      builder.set(BdField(i), pick(random, *limits));
  return builder.make();
}

std::string whyNot(const BdBuilder& builder) { return builder.make().error().message; }

}  // namespace

TEST_CASE("BDs of real designs", "[npu][device]") {
  CHECK(encodeBd(*BdBuilder(TileKind::Core)
                      .length(Words(1))
                      .base(Bytes(1024))
                      .acquire(1, -1)
                      .release(0, 1)
                      .make()) == Hex{0x00400001, 0, 0, 0, 0, 0x02041FE1});
  const AccessDim dims[] = {{2, 4}, {8, 32}, {4, 1}};
  CHECK(encodeBd(*BdBuilder(TileKind::Core)
                      .length(Words(64))
                      .base(Bytes(3584 + 32))
                      .access(dims, 4)
                      .next(5)
                      .make()) == Hex{0x00E20040, 0, 0x0003E000, 0x01008003, 0, 0x2E000000});
  const AccessDim bytes[] = {{61, 56}, {56, 1}};
  const AccessPad pads[] = {{2, 1}, {4, 4}};
  CHECK(encodeBd(*BdBuilder(TileKind::Mem)
                      .length(Words(1024))
                      .base(Bytes(0x80000))
                      .access(bytes, 1, pads)
                      .acquire(65, -1)
                      .release(64, 1)
                      .next(0)
                      .make()) ==
        Hex{0x00000400, 0x040A0000, 0x001C0000, 0x107A000D, 0, 0x00820000, 0, 0x8140FF41});
  const AccessDim rows[] = {{2, 2048}, {32, 64}, {32, 1}};
  CHECK(encodeBd(*BdBuilder(TileKind::Shim)
                      .length(Words(2048))
                      .access(rows, 4)
                      .set(BdField::Burst, 2)
                      .set(BdField::AxCache, 2)
                      .make()) ==
        Hex{0x800, 0, 0, 0x02000000, 0x8200003F, 0x020007FF, 0, 0x02000000});
}

TEST_CASE("BD words and back, random", "[npu][device]") {
  SplitMix64 random(20261122);
  for (const auto kind : kinds) {
    int made = 0;
    for (int i = 0; i < 20'000; ++i) {
      const auto bd = randomBd(kind, random);
      if (!bd) continue;  // length 0, or padding of a dimension that does not end
      ++made;
      const auto back = decodeBd(kind, encodeBd(*bd));
      REQUIRE(back);
      REQUIRE(*back == *bd);
    }
    CHECK(made > 10'000);
  }
}

TEST_CASE("any words of known bits decode and encode to themselves", "[npu][device]") {
  SplitMix64 random(7);
  for (const auto kind : kinds)
    for (int i = 0; i < 20'000; ++i) {
      std::vector<uint32_t> words(limitsOf(kind).bdWords);
      for (auto& word : words)
        word = uint32_t(random.next());
      const auto bd = decodeBd(kind, words);
      if (bd) REQUIRE(encodeBd(*bd) == words);
    }
}

TEST_CASE("one word too few, and bits nobody knows", "[npu][device]") {
  CHECK_THAT(decodeBd(TileKind::Core, Hex(5)).error().message, Contains("6 words, not 5"));
  CHECK_THAT(decodeBd(TileKind::Shim, Hex{0, 1, 0, 0, 0, 0, 0, 0}).error().message,
             Contains("word 1") && Contains("0x00000001"));
}

TEST_CASE("what does not fit is named with its limit", "[npu][device]") {
  const auto core = [] { return BdBuilder(TileKind::Core).length(Words(1)); };
  CHECK_THAT(whyNot(BdBuilder(TileKind::Core).length(Words(16384))),
             Contains("Buffer_Length is 16384") && Contains("0..16383"));
  CHECK_THAT(whyNot(BdBuilder(TileKind::Core)), Contains("Buffer_Length is 0"));
  CHECK_THAT(whyNot(core().set(BdField::D0Wrap, 256)),
             Contains("D0_Wrap is 256") && Contains("0..255"));
  CHECK_THAT(whyNot(core().set(BdField::D1Step, 8193)), Contains("1..8192"));
  CHECK_THAT(whyNot(core().set(BdField::D3Step, 2)), Contains("no such field"));
  CHECK_THAT(whyNot(core().acquire(16, 1)), Contains("Lock_Acq_ID is 16"));
  CHECK_THAT(whyNot(core().release(0, 64)), Contains("-64..63"));
  CHECK_THAT(whyNot(core().base(Bytes(2))), Contains("not whole words"));
  CHECK_THAT(whyNot(core().packet(32, 0)), Contains("Packet_ID is 32"));
  CHECK_THAT(whyNot(BdBuilder(TileKind::Mem).length(Words(1)).acquire(192, 1)), Contains("0..191"));
  CHECK_THAT(whyNot(BdBuilder(TileKind::Shim).length(Words(1)).base(Bytes(6))),
             Contains("multiple of 4"));
  const AccessDim four[] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}};
  CHECK_THAT(whyNot(core().access(four, 4)), Contains("4 dimensions") && Contains("has 3"));
  const AccessDim odd[] = {{3, 1}};
  CHECK_THAT(whyNot(core().access(odd, 2)), Contains("3 elements of 2 bytes"));
  const AccessDim strided[] = {{4, 2}};
  CHECK_THAT(whyNot(core().access(strided, 1)), Contains("innermost stride is 2"));
}

TEST_CASE("padding needs a dimension that ends", "[npu][device]") {
  const auto mem = [] { return BdBuilder(TileKind::Mem).length(Words(1)); };
  CHECK_THAT(whyNot(mem().set(BdField::D0After, 1)), Contains("does not end"));
  CHECK_THAT(whyNot(mem().set(BdField::D1Before, 1)), Contains("D0_Wrap is 0"));
  CHECK(mem().set(BdField::D0Wrap, 4).set(BdField::D0After, 1).make());
}

TEST_CASE("what only the channel shows", "[npu][device]") {
  const auto own = *BdBuilder(TileKind::Mem).length(Words(1)).base(Bytes(0x80000)).next(3).make();
  const auto west = *BdBuilder(TileKind::Mem).length(Words(1)).make();
  CHECK_FALSE(misuse(own, 2, DmaDirection::Mm2s, 4));
  CHECK_THAT(misuse(own, 2, DmaDirection::Mm2s, 1)->message, Contains("uses BDs 24..47"));
  CHECK_THAT(misuse(own, 25, DmaDirection::Mm2s, 1)->message, Contains("chains to BD 3"));
  CHECK_THAT(misuse(west, 2, DmaDirection::Mm2s, 4)->message, Contains("neighbour"));
  CHECK_FALSE(misuse(west, 2, DmaDirection::Mm2s, 2));
  CHECK_THAT(misuse(west, 2, DmaDirection::Mm2s, 6)->message, Contains("no MM2S 6"));
}

TEST_CASE("fields of a BD hold what the table of devices says", "[npu][bd]") {
  const auto field = [](BdField first, unsigned dim) { return BdField(unsigned(first) + dim); };
  const auto most = [](TileKind kind, BdField of) {
    const auto limits = limitsOf(kind, of);
    return limits ? uint64_t(limits->most) : 0;
  };
  for (const auto kind : {TileKind::Core, TileKind::Mem, TileKind::Shim}) {
    const auto& model = modelOf(kind).bd;
    CHECK(most(kind, BdField::Length) == model.maxLength);
    CHECK(most(kind, BdField::IterationWrap) == model.maxIterations);
    CHECK(most(kind, BdField::IterationStep) == model.maxIterationStep);
    for (unsigned dim = 0; dim < model.dimensions.size(); ++dim) {
      const auto& own = model.dimensions[dim];
      CHECK(most(kind, field(BdField::D0Step, dim)) == own.maxStep);
      if (dim == 3) continue;  // no descriptor has a fourth wrap
      CHECK(most(kind, field(BdField::D0Wrap, dim)) == own.maxWrap);
      CHECK(most(kind, field(BdField::D0Before, dim)) == own.maxPadBefore);
      CHECK(most(kind, field(BdField::D0After, dim)) == own.maxPadAfter);
    }
  }
}
