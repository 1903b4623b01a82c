// Vector loads and stores, lanes of integers, moves of lanes, shuffles.
#include "CoreTesting.hpp"
#include "airlite/npu/device/ShuffleModes.hpp"

#include <algorithm>
#include <type_traits>

using namespace airlite;
using namespace airlite::npu::sim;
using airlite::npu::isa::Reg;

namespace {

/// Runs one instruction on random x0, x1 and r16 (a selector; r17 above it), results in x2, r20,
/// r21.
struct Lanes {
  TestCore t;
  explicit Lanes(const std::string& instruction) : t(instruction) {}
  void run(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, uint64_t selector = 0) {
    t.core->reset();
    t.core->enable(true);
    t.set(Reg::x0, a);
    t.set(Reg::x1, b);
    t.set(Reg::l0, std::vector{selector});
    t.runToEnd();
  }
};

template <typename T> std::vector<T> as(const std::vector<uint8_t>& bytes) {
  std::vector<T> lanes(bytes.size() / sizeof(T));
  std::memcpy(lanes.data(), bytes.data(), bytes.size());
  return lanes;
}

/// Bytes of which some lanes are equal.
std::vector<uint8_t> partner(SplitMix64& random, std::vector<uint8_t> a) {
  for (size_t i = 0; i < a.size(); i += 4)
    if (random.next() % 3)
      for (size_t k = i; k < i + 4; ++k)
        a[k] = static_cast<uint8_t>(random.next());
  return a;
}

template <typename T> std::string width() { return std::to_string(sizeof(T) * 8); }
template <typename T> std::string mask() { return sizeof(T) == 1 ? "r21:r20" : "r20"; }

/// value and flag of each lane of `instruction x2, mask, x0, x1` (either may be missing).
template <typename T, typename V, typename F>
void check(const std::string& text, V value, F flag, bool hasValue, bool hasMask,
           uint64_t selector = 0) {
  SplitMix64 random(5);
  Lanes lanes(text);
  for (int round = 0; round < 20; ++round) {
    auto a = randomLanes<uint8_t>(random, 64);
    auto b = partner(random, a);
    lanes.run(a, b, selector);
    auto x = as<T>(a), y = as<T>(b), got = lanes.t.template lanes<T>(Reg::x2);
    uint64_t flags = lanes.t.u64(Reg::l2);
    if (sizeof(T) > 1) flags &= 0xffffffff;
    INFO(text);
    for (unsigned i = 0; i < x.size(); ++i) {
      if (hasValue) CHECK(got[i] == static_cast<T>(value(x[i], y[i], i)));
      if (hasMask) CHECK((flags >> i & 1) == static_cast<uint64_t>(flag(x[i], y[i])));
    }
  }
}

template <typename T> void checkWidth() {
  const std::string w = width<T>(), s = ".s" + w;
  auto none = [](T, T) { return false; };
  auto less = [](T a, T b) { return a < b; };
  auto geq = [](T a, T b) { return a >= b; };
  auto zero = [](T, T, unsigned) { return T{0}; };
  auto wide = [](T v) { return static_cast<int64_t>(v); };
  auto add = [=](T a, T b, unsigned) { return wide(a) + wide(b); };
  auto sub = [=](T a, T b, unsigned) { return wide(a) - wide(b); };
  check<T>("vadd." + w + " x2, x0, x1", add, none, true, false);
  check<T>("vsub." + w + " x2, x0, x1", sub, none, true, false);
  check<T>("vlt" + s + " " + mask<T>() + ", x0, x1", zero, less, false, true);
  check<T>("vge" + s + " " + mask<T>() + ", x0, x1", zero, geq, false, true);
  const std::string both = " x2, " + mask<T>() + ", x0, x1";
  check<T>("vsub_lt" + s + both, sub, less, true, true);
  check<T>("vsub_ge" + s + both, sub, geq, true, true);
  check<T>(
      "vmax_lt" + s + both, [](T a, T b, unsigned) { return std::max(a, b); }, less, true, true);
  check<T>(
      "vmin_ge" + s + both, [](T a, T b, unsigned) { return std::min(a, b); }, geq, true, true);
  check<T>(
      "vmaxdiff_lt" + s + both, [=](T a, T b, unsigned) { return a < b ? 0 : wide(a) - wide(b); },
      less, true, true);
  const std::string one = " x2, " + mask<T>() + ", x0";
  auto above = [](T a, T) { return a > 0; };
  check<T>(
      "vabs_gtz" + s + one, [=](T a, T, unsigned) { return a < 0 ? -wide(a) : wide(a); }, above,
      true, true);
  check<T>(
      "vneg_gtz" + w + one, [=](T a, T, unsigned) { return -wide(a); }, above, true, true);
  check<T>(
      "vbneg_ltz" + s + one, [=](T a, T, unsigned) { return ~wide(a); },
      [](T a, T) { return a < 0; }, true, true);
  check<T>(
      "veqz." + w + " " + mask<T>() + ", x0", zero, [](T a, T) { return a == 0; }, false, true);
  const uint64_t selector = 0xa5f00f5a3c96c369;
  const std::string sel = sizeof(T) == 1 ? "r17:r16" : "r16";
  check<T>(
      "vsel." + w + " x2, x0, x1, " + sel,
      [=](T a, T b, unsigned i) { return selector >> i & 1 ? b : a; }, none, true, false, selector);
  check<T>(
      "vaddsub." + w + " x2, x0, x1, " + sel,
      [=](T a, T b, unsigned i) {
        return selector >> i & 1 ? wide(a) - wide(b) : wide(a) + wide(b);
      },
      none, true, false, selector);
}

}  // namespace

TEST_CASE("lanes of 8, 16 and 32 bits", "[core][vector]") {
  checkWidth<int8_t>();
  checkWidth<int16_t>();
  checkWidth<int32_t>();
}

TEST_CASE("dynamic forms take the sign from crVaddSign", "[core][vector]") {
  for (uint32_t isSigned : {0u, 1u}) {
    TestCore t("vlt.d16 r20, x0, x1\n vextract.d8 r21, x0, r16");
    t.set(Reg::x0, std::vector<int16_t>(32, -1));
    t.set(Reg::x1, std::vector<int16_t>(32, 1));
    t.set(Reg::crVaddSign, isSigned);
    t.runToEnd();
    CHECK(t.u32(Reg::r20) == (isSigned ? 0xffffffff : 0));
    CHECK(t.u32(Reg::r21) == (isSigned ? 0xffffffff : 0xff));
  }
}

TEST_CASE("logic of whole vectors", "[core][vector]") {
  auto none = [](uint64_t, uint64_t) { return false; };
  check<uint64_t>(
      "vband x2, x0, x1", [](uint64_t a, uint64_t b, unsigned) { return a & b; }, none, true,
      false);
  check<uint64_t>(
      "vbor x2, x0, x1", [](uint64_t a, uint64_t b, unsigned) { return a | b; }, none, true, false);
}

TEST_CASE("comparisons of bf16", "[core][vector]") {
  Lanes lanes("vmax_lt.bf16 x2, r20, x0, x1");
  std::vector<uint16_t> a(32, 0x3f80), b(32, 0xc000);  // 1 and -2
  a[3] = 0xbf80, b[3] = 0x4000;                        // -1 and 2
  std::vector<uint8_t> x(64), y(64);
  std::memcpy(x.data(), a.data(), 64);
  std::memcpy(y.data(), b.data(), 64);
  lanes.run(x, y);
  CHECK(lanes.t.lanes<uint16_t>(Reg::x2)[3] == 0x4000);
  CHECK(lanes.t.lanes<uint16_t>(Reg::x2)[4] == 0x3f80);
  CHECK(lanes.t.u32(Reg::r20) == 8);
}

TEST_CASE("broadcast, extract, insert and push", "[core][vector]") {
  SplitMix64 random(6);
  auto x = randomLanes<uint8_t>(random, 64);
  TestCore t("vbcst.8 x1, r0\n vbcst.16 x2, r0\n vbcst.32 x3, r0\n vbcst.64 x4, r21:r20\n"
             "vextbcst.16 x5, x0, #5\n vextbcst.32 x6, x0, r1\n"
             "vextract.s8 r2, x0, r16\n vextract.s16 r3, x0, r16\n vextract.s32 r4, x0, r16\n"
             "vextract.s64 r23:r22, x0, r17\n"
             "vinsert.16 x7, x0, r29, r0\n vpush.lo.32 x8, r0, x0\n vpush.hi.16 x9, x0, r0\n"
             "vshift x10, x0, x7, r5");
  t.set(Reg::x0, x);
  t.set(Reg::r0, 0x8899aabb);
  t.set(Reg::r1, 9);
  t.set(Reg::r5, 37);
  t.set(Reg::r16, 11);
  t.set(Reg::r17, 3);
  t.set(Reg::r29, 30);
  t.set(Reg::l2, std::vector<uint64_t>{0x1122334455667788});
  t.runToEnd();
  CHECK(t.lanes<uint8_t>(Reg::x1) == std::vector<uint8_t>(64, 0xbb));
  CHECK(t.lanes<uint16_t>(Reg::x2) == std::vector<uint16_t>(32, 0xaabb));
  CHECK(t.lanes<uint32_t>(Reg::x3) == std::vector<uint32_t>(16, 0x8899aabb));
  CHECK(t.lanes<uint64_t>(Reg::x4) == std::vector<uint64_t>(8, 0x1122334455667788));
  CHECK(t.lanes<uint16_t>(Reg::x5) == std::vector<uint16_t>(32, as<uint16_t>(x)[5]));
  CHECK(t.lanes<uint32_t>(Reg::x6) == std::vector<uint32_t>(16, as<uint32_t>(x)[9]));
  CHECK(static_cast<int32_t>(t.u32(Reg::r2)) == as<int8_t>(x)[11]);
  CHECK(static_cast<int32_t>(t.u32(Reg::r3)) == as<int16_t>(x)[11]);
  CHECK(static_cast<int32_t>(t.u32(Reg::r4)) == as<int32_t>(x)[11]);
  CHECK(t.u64(Reg::l3) == as<uint64_t>(x)[3]);
  auto inserted = as<uint16_t>(x);
  inserted[30] = 0xaabb;
  CHECK(t.lanes<uint16_t>(Reg::x7) == inserted);
  auto low = as<uint32_t>(x);
  low.insert(low.begin(), 0x8899aabb);
  low.pop_back();
  CHECK(t.lanes<uint32_t>(Reg::x8) == low);
  auto high = as<uint16_t>(x);
  high.erase(high.begin());
  high.push_back(0xaabb);
  CHECK(t.lanes<uint16_t>(Reg::x9) == high);
  std::vector<uint8_t> pair = x;
  auto second = t.lanes<uint8_t>(Reg::x7);
  pair.insert(pair.end(), second.begin(), second.end());
  CHECK(t.lanes<uint8_t>(Reg::x10) == std::vector<uint8_t>(pair.begin() + 37, pair.begin() + 101));
}

namespace {

struct NamedMode {
  unsigned mode, bits, rows, columns;
  bool high;
};

}  // namespace

TEST_CASE("shuffles transpose", "[core][vector]") {
  // docs/hardware/vector_facts.md, section 9: the name is the shape.
  const NamedMode modes[] = {{0, 8, 64, 2, false},   {3, 16, 32, 2, true},   {4, 32, 16, 2, false},
                             {17, 32, 2, 16, true},  {18, 16, 2, 32, false}, {21, 8, 2, 64, true},
                             {22, 512, 1, 2, false}, {23, 512, 1, 2, true},  {30, 32, 8, 4, false},
                             {11, 256, 2, 2, true},  {27, 16, 4, 16, true}};
  SplitMix64 random(7);
  for (const NamedMode& m : modes) {
    auto pair = randomLanes<uint8_t>(random, 128);
    TestCore t("vshuffle x2, x0, x1, r0\n vshuffle bml0, x0, x1, r0");
    t.set(Reg::x0, std::vector<uint8_t>(pair.begin(), pair.begin() + 64));
    t.set(Reg::x1, std::vector<uint8_t>(pair.begin() + 64, pair.end()));
    t.set(Reg::r0, m.mode);
    t.runToEnd();
    std::vector<uint8_t> all;
    for (unsigned c = 0; c < m.columns; ++c)
      for (unsigned r = 0; r < m.rows; ++r)
        for (unsigned byte = 0; byte < m.bits / 8; ++byte)
          all.push_back(pair[(r * m.columns + c) * m.bits / 8 + byte]);
    auto half = all.begin() + (m.high ? 64 : 0);
    INFO("mode " << m.mode);
    CHECK(t.lanes<uint8_t>(Reg::x2) == std::vector<uint8_t>(half, half + 64));
    CHECK(t.lanes<uint8_t>(Reg::bml0) == std::vector<uint8_t>(half, half + 64));
  }
}

TEST_CASE("a shuffle in one vector, and modes that do not exist", "[core][vector][fault]") {
  std::vector<uint8_t> x(64);
  for (unsigned i = 0; i < 64; ++i)
    x[i] = static_cast<uint8_t>(i);
  TestCore t("vshuffle x2, x0, x0, r0\n vshuffle x3, x0, x0, r1\n vshuffle x4, x0, x0, r2");
  t.set(Reg::x0, x);
  t.set(Reg::r0, 35);  // T8_8x8
  t.set(Reg::r1, 38);  // T16_1x2_flip
  t.set(Reg::r2, 48);
  CHECK(t.run().text == "not modelled: shuffle mode 48");
  t.core->reset();
  t.core->enable(true);
  t.set(Reg::x0, x);
  t.set(Reg::r0, 35);
  t.set(Reg::r1, 38);
  t.runToEnd();
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(t.lanes<uint8_t>(Reg::x2)[i] == i % 8 * 8 + i / 8);
    CHECK(t.lanes<uint8_t>(Reg::x3)[i] == (i ^ 2));
  }
}

TEST_CASE("vector loads and stores of all kinds", "[core][memory][vector]") {
  SplitMix64 random(8);
  TestCore t(
      "vlda wl0, [p0], #32 ; vldb wh0, [p1, #32]\n vlda wl1, [p0], m0\n vlda amll0, [p1, dj0]\n"
      "vldb.2d wl2, [p2], d1\n vlda.3d wh2, [p3], d2\n vlda wl3, [sp, #-32]\n" +
      TestCore::repeat("nop\n", 8) +
      "vst wl0, [p4], #32\n vst wh0, [p4, #0]\n vst amll0, [p4, #32]\n vst.2d wl2, [p5], d1\n"
      "vst wl3, [sp, #-64]\n vst.128 wl1, [p6, #0]\n");
  auto data = randomLanes<uint8_t>(random, 0x1000);
  std::copy(data.begin(), data.end(), t.host.memory.begin() + 0x70000);
  for (Reg p : {Reg::p0, Reg::p1, Reg::p2, Reg::p3})
    t.set(p, 0x70000);
  t.set(Reg::p4, 0x60000);
  t.set(Reg::p5, 0x50000);
  t.set(Reg::p6, 0x48010);
  t.set(Reg::m0, 64);
  t.set(Reg::dj0, 0x200);
  t.set(Reg::SP, 0x70420);
  t.runToEnd();
  auto at = [&](uint32_t from, uint32_t count = 32) {
    return std::vector<uint8_t>(t.host.memory.begin() + from, t.host.memory.begin() + from + count);
  };
  CHECK(t.lanes<uint8_t>(Reg::wl0) == at(0x70000));
  CHECK(t.lanes<uint8_t>(Reg::wh0) == at(0x70020));
  CHECK(t.lanes<uint8_t>(Reg::wl1) == at(0x70020));
  CHECK(t.lanes<uint8_t>(Reg::amll0) == at(0x70200));
  CHECK(t.lanes<uint8_t>(Reg::wl2) == at(0x70000));
  CHECK(t.lanes<uint8_t>(Reg::wh2) == at(0x70000));
  CHECK(t.u32(Reg::p0) == 0x70060);
  CHECK(at(0x60000) == at(0x70000));
  CHECK(at(0x60020) == at(0x70020));
  CHECK(at(0x60040) == at(0x70200));
  CHECK(at(0x50000) == at(0x70000));
  CHECK(at(0x703e0) == at(0x70400));
  CHECK(at(0x48010, 16) == at(0x70020, 16));
}

TEST_CASE("moves with a bypass are a cycle earlier, others are not", "[core][pipeline][vector]") {
  // vadd to vadd: distance 1. vadd to a store: distance 2.
  TestCore t("vadd.32 x0, x1, x1\n vadd.32 x2, x0, x1\n" + TestCore::repeat("nop\n", 4) +
             "vadd.32 x3, x1, x1\n vst wl3, [p0], #32\n vst wl3, [p0, #0]");
  t.set(Reg::x1, std::vector<uint32_t>(16, 5));
  t.set(Reg::x3, std::vector<uint32_t>(16, 7));
  t.set(Reg::p0, 0x70000);
  t.runToEnd();
  CHECK(t.lanes<uint32_t>(Reg::x2) == std::vector<uint32_t>(16, 15));
  CHECK(t.at<uint32_t>(0x70000) == 7);
  CHECK(t.at<uint32_t>(0x70020) == 10);
}

TEST_CASE("the modes that transpose blocks are found by what they do", "[core][vector]") {
  struct Blocks {
    unsigned elementBytes;
    int64_t rows, columns;
  };
  for (auto [bytes, rows, columns] :
       {Blocks{1, 8, 8}, Blocks{1, 8, 4}, Blocks{1, 4, 8}, Blocks{1, 16, 4}, Blocks{1, 4, 16},
        Blocks{2, 4, 4}, Blocks{2, 8, 4}, Blocks{2, 4, 8}, Blocks{2, 8, 2}, Blocks{2, 2, 8},
        Blocks{2, 4, 2}, Blocks{2, 2, 4}, Blocks{2, 16, 2}, Blocks{2, 2, 16}, Blocks{4, 4, 4}}) {
    std::vector<int64_t> from;
    const int64_t lanes = 64 / bytes;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      const int64_t block = lane / (rows * columns) * rows * columns, at = lane - block;
      from.push_back(block + at % rows * columns + at / rows);
    }
    CAPTURE(bytes, rows, columns);
    const auto mode = npu::findShuffleMode(aie::Generation::Aie2, bytes, from, lanes);
    REQUIRE(mode);
    SplitMix64 random(7);
    const auto x = randomLanes<uint8_t>(random, 64);
    std::vector<uint8_t> expected;
    for (int64_t lane : from)
      for (unsigned i = 0; i < bytes; ++i)
        expected.push_back(x[static_cast<size_t>(lane) * bytes + i]);
    TestCore t("vshuffle x2, x0, x1, r0");
    t.set(Reg::x0, x);
    t.set(Reg::r0, *mode);
    t.runToEnd();
    CHECK(t.lanes<uint8_t>(Reg::x2) == expected);
  }
}
