// Accumulators: srs, ups, conversions, the matrix unit.
#include "CoreTesting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace airlite;
using namespace airlite::npu::sim;
using airlite::npu::isa::Reg;

namespace {

/// value / 2^shift by a mode of crRnd, with doubles that hold everything exactly.
double rounded(double value, unsigned shift, unsigned mode) {
  const double exact = std::ldexp(value, -static_cast<int>(shift));
  const double low = std::floor(exact), high = std::ceil(exact);
  const bool isHalf = exact - low == 0.5;
  const double nearest = exact - low < 0.5 ? low : high;
  const double away = exact < 0 ? low : high, toward = exact < 0 ? high : low;
  switch (mode) {
    case 0: return low;
    case 1: return high;
    case 2: return toward;
    case 3: return away;
    case 8: return isHalf ? low : nearest;
    case 9: return isHalf ? high : nearest;
    case 10: return isHalf ? toward : nearest;
    case 11: return isHalf ? away : nearest;
    case 12: return isHalf ? (std::fmod(low, 2) == 0 ? low : high) : nearest;
    default: return isHalf ? (std::fmod(low, 2) == 0 ? high : low) : nearest;
  }
}

template <typename Acc, typename T> void checkSrs(const std::string& source, Reg to, Reg from) {
  SplitMix64 random(9);
  for (unsigned mode : {0, 1, 2, 3, 8, 9, 10, 11, 12, 13})
    for (unsigned shift : {0, 1, 4, 13}) {
      TestCore t(source);
      std::vector<Acc> acc(t.core->read(from).size() / sizeof(Acc));
      for (Acc& value : acc)
        value = static_cast<Acc>(static_cast<int64_t>(random.next()) >> (40 + random.next() % 20));
      for (unsigned i = 0; i < 4; ++i)  // halves
        acc[i] = static_cast<Acc>((2 * static_cast<int>(i) - 3) * (1 << shift) / 2);
      t.set(from, acc);
      t.set(Reg::s0, shift);
      t.set(Reg::crSat, 1);
      t.set(Reg::crRnd, mode);
      t.runToEnd();
      auto got = t.lanes<T>(to);
      bool overflow = false;
      INFO(source << " mode " << mode << " shift " << shift);
      for (unsigned i = 0; i < got.size(); ++i) {
        double value = rounded(static_cast<double>(acc[i]), shift, mode);
        const double largest = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
        overflow |= value > largest || value < least;
        CHECK(got[i] == static_cast<T>(std::clamp(value, least, largest)));
      }
      CHECK(t.u32(Reg::srSRS_of) == overflow);
    }
}

template <typename A, typename B, typename C>
void checkMatrix(uint32_t conf, unsigned m, unsigned k, unsigned n) {
  SplitMix64 random(10);
  TestCore t("vmac cm0, cm0, x0, x1, r0\n nop\n vmsc cm1, cm1, x0, x1, r0\n vmul cm2, x0, x1, r0\n"
             "vnegmac cm3, cm3, x0, x1, r0");
  auto a = randomLanes<A>(random, 64 / sizeof(A)), b = randomLanes<B>(random, 64 / sizeof(B));
  auto c = randomLanes<C>(random, 128 / sizeof(C));
  t.set(Reg::x0, a);
  t.set(Reg::x1, b);
  for (Reg cm : {Reg::cm0, Reg::cm1, Reg::cm3})
    t.set(cm, c);
  t.set(Reg::r0, conf);
  t.runToEnd();
  using U = std::make_unsigned_t<C>;
  INFO("configuration " << conf);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      U sum = 0;
      for (unsigned l = 0; l < k; ++l)
        sum += static_cast<U>(int64_t{a[i * k + l]} * int64_t{b[l * n + j]});
      const unsigned at = i * n + j;
      const U old = static_cast<U>(c[at]);
      CHECK(static_cast<U>(t.lanes<C>(Reg::cm0)[at]) == static_cast<U>(old + sum));
      CHECK(static_cast<U>(t.lanes<C>(Reg::cm1)[at]) == static_cast<U>(old - sum));
      CHECK(static_cast<U>(t.lanes<C>(Reg::cm2)[at]) == sum);
      CHECK(static_cast<U>(t.lanes<C>(Reg::cm3)[at]) == static_cast<U>(0 - old - sum));
    }
}

uint16_t bf16(float value) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16); }
float wide(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

/// Small integers: every sum is exact.
std::vector<uint16_t> smallBf16(SplitMix64& random, size_t count) {
  std::vector<uint16_t> values(count);
  for (uint16_t& value : values)
    value = bf16(static_cast<float>(static_cast<int>(random.next() % 31) - 15));
  return values;
}

}  // namespace

TEST_CASE("srs rounds and saturates", "[core][srs]") {
  checkSrs<int32_t, int8_t>("vsrs.s8.s32 wl0, cm0, s0", Reg::wl0, Reg::cm0);
  checkSrs<int64_t, int16_t>("vsrs.s16.s64 wl0, cm0, s0", Reg::wl0, Reg::cm0);
  checkSrs<int32_t, int16_t>("vsrs.s16.s32 wl0, bml0, s0", Reg::wl0, Reg::bml0);
  checkSrs<int64_t, int32_t>("vsrs.s32.s64 x0, cm0, s0", Reg::x0, Reg::cm0);
  checkSrs<int32_t, int16_t>("vsrsm.s16.s32 wl0, bml0, s0", Reg::wl0, Reg::bml0);
}

TEST_CASE("srs: wrapping, unsigned, symmetric, stored, a reserved mode", "[core][srs]") {
  TestCore t("vsrs.s8.s32 wl0, cm0, s0\n nop\n nop\n vsrs.d8.s32 wl1, cm0, s0\n"
             "vst.srs.s8.s32 cm0, s0, [p0, #0]\n");
  for (uint32_t sat : {0u, 1u, 3u}) {
    t.core->reset();
    t.core->enable(true);
    std::vector<int32_t> acc(32, -1000);
    acc[1] = 300;
    t.set(Reg::cm0, acc);
    t.set(Reg::p0, 0x70000);
    t.set(Reg::crSat, sat);
    t.runToEnd();
    const auto wl0 = t.lanes<int8_t>(Reg::wl0);
    CHECK(wl0[0] == (sat == 0 ? static_cast<int8_t>(-1000) : sat == 1 ? -128 : -127));
    CHECK(wl0[1] == (sat == 0 ? static_cast<int8_t>(300) : 127));
    CHECK(t.lanes<uint8_t>(Reg::wl1)[0] == (sat == 0 ? static_cast<uint8_t>(-1000) : 0));
    CHECK(t.lanes<uint8_t>(Reg::wl1)[1] == (sat == 0 ? 44 : 255));
    CHECK(t.at<int8_t>(0x70001) == wl0[1]);
  }
  t.core->reset();
  t.core->enable(true);
  t.set(Reg::crRnd, 5);
  CHECK(t.run().text == "not modelled: rounding mode 5");
}

TEST_CASE("ups widens and shifts", "[core][ups]") {
  SplitMix64 random(11);
  TestCore t("vups.s32.s8 cm0, wl0, s0\n vups.s64.s16 cm1, wl0, s0\n vups.s32.s16 cm2, x0, s0\n"
             "vups.s64.d32 bml3, wl0, s0\n vlda.ups.s32.s16 bml4, s0, [p0, #0]");
  auto x = randomLanes<uint8_t>(random, 64);
  t.set(Reg::x0, x);
  t.set(Reg::s0, 5);
  t.set(Reg::p0, 0x70000);
  std::copy(x.begin(), x.end(), t.host.memory.begin() + 0x70000);
  t.runToEnd();
  auto bytes = t.lanes<int8_t>(Reg::x0);
  auto halves = t.lanes<int16_t>(Reg::x0);
  auto words = t.lanes<uint32_t>(Reg::x0);
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(t.lanes<int32_t>(Reg::cm0)[i] == bytes[i] * 32);
    CHECK(t.lanes<int32_t>(Reg::cm2)[i] == halves[i] * 32);
  }
  for (unsigned i = 0; i < 16; ++i) {
    CHECK(t.lanes<int64_t>(Reg::cm1)[i] == halves[i] * 32);
    CHECK(t.lanes<int32_t>(Reg::bml4)[i] == halves[i] * 32);
  }
  for (unsigned i = 0; i < 8; ++i)  // crUPSSign is 0: unsigned
    CHECK(t.lanes<uint64_t>(Reg::bml3)[i] == uint64_t{words[i]} * 32);
}

TEST_CASE("ups saturates", "[core][ups]") {
  TestCore t("vups.s32.s16 bml0, wl0, s0");
  t.set(Reg::wl0, std::vector<int16_t>{1000, -1000, 3});
  t.set(Reg::s0, 24);
  t.set(Reg::crSat, 1);
  t.runToEnd();
  auto got = t.lanes<int32_t>(Reg::bml0);
  CHECK(got[0] == std::numeric_limits<int32_t>::max());
  CHECK(got[1] == std::numeric_limits<int32_t>::min());
  CHECK(got[2] == 3 << 24);
  CHECK(t.u32(Reg::srUPS_of) == 1);
}

TEST_CASE("ups with a symmetric limit, fused conversions", "[core][ups][convert]") {
  TestCore t("vups.s32.s16 bml0, wl0, s0\n vlda.2d.conv.fp32.bf16 bml1, [p0], d0\n" +
             TestCore::repeat("nop\n", 8) +
             "vst.conv.bf16.fp32 bml1, [p1], #32\n"
             "vst.3d.srs.s16.s32 bml0, s1, [p2], d1\n");
  t.set(Reg::wl0, std::vector<int16_t>{-1000, 1000, -1});
  t.set(Reg::s0, 24);
  t.set(Reg::s1, 20);
  t.set(Reg::crSat, 3);
  t.set(Reg::p0, 0x70000);
  t.set(Reg::p1, 0x60000);
  t.set(Reg::p2, 0x50000);
  for (unsigned i = 0; i < 32; ++i)
    t.host.memory[0x70000 + i] = static_cast<uint8_t>(i * 3);
  t.runToEnd();
  CHECK(t.lanes<int32_t>(Reg::bml0)[0] == -std::numeric_limits<int32_t>::max());
  CHECK(t.lanes<int32_t>(Reg::bml0)[1] == std::numeric_limits<int32_t>::max());
  CHECK(t.lanes<int32_t>(Reg::bml0)[2] == -(1 << 24));
  for (unsigned i = 0; i < 16; ++i) {
    CHECK(t.lanes<uint32_t>(Reg::bml1)[i] == uint32_t{t.at<uint16_t>(0x70000 + 2 * i)} << 16);
    CHECK(t.at<uint16_t>(0x60000 + 2 * i) == t.at<uint16_t>(0x70000 + 2 * i));
  }
  CHECK(t.u32(Reg::p1) == 0x60020);
  CHECK(t.at<int16_t>(0x50002) == 2047);  // (2^31 - 1) / 2^20, rounded down
  CHECK(t.at<int16_t>(0x50004) == -16);
}

TEST_CASE("pack and unpack", "[core][convert]") {
  SplitMix64 random(12);
  TestCore t("vpack.s8.s16 wl1, x0\n vunpack.s16.s8 x2, wl0\n vunpack.d16.d8 x3, wl0\n"
             "vpack.s4.s8 wl4, x0\n" +
             TestCore::repeat("nop\n", 7) +
             "vunpack.s8.s4 x5, wl4\n vst.pack.s8.s16 x0, [p0, #0]\n nop\n nop\n nop\n nop\n"
             "vldb.unpack.s16.s8 x6, [p0, dj0]\n");
  t.set(Reg::x0, randomLanes<uint8_t>(random, 64));
  t.set(Reg::crSat, 1);
  t.set(Reg::p0, 0x70000);
  t.runToEnd();
  auto halves = t.lanes<int16_t>(Reg::x0);
  auto bytes = t.lanes<int8_t>(Reg::x0);
  for (unsigned i = 0; i < 32; ++i) {
    const auto packed = static_cast<int8_t>(std::clamp<int>(halves[i], -128, 127));
    CHECK(t.lanes<int8_t>(Reg::wl1)[i] == packed);
    CHECK(t.lanes<int16_t>(Reg::x2)[i] == bytes[i]);
    CHECK(t.lanes<int16_t>(Reg::x3)[i] == static_cast<uint8_t>(bytes[i]));
    CHECK(t.lanes<int16_t>(Reg::x6)[i] == packed);
  }
  for (unsigned i = 0; i < 64; ++i)
    CHECK(t.lanes<int8_t>(Reg::x5)[i] == std::clamp<int>(bytes[i], -8, 7));
}

TEST_CASE("bf16 to f32, to bf16, to integers", "[core][convert]") {
  TestCore t("vconv.fp32.bf16 bml0, wl0\n vconv.bf16.fp32 wl2, bml1\n vfloor.s32.bf16 x3, wl0, s0");
  std::vector<uint16_t> source(16);
  std::vector<float> floats(16);
  for (unsigned i = 0; i < 16; ++i) {
    source[i] = bf16(static_cast<float>(i) * 0.75f - 4);
    floats[i] = 1.0f + static_cast<float>(i) / 512;
  }
  t.set(Reg::wl0, source);
  t.set(Reg::bml1, floats);
  t.set(Reg::s0, 2);
  t.set(Reg::crRnd, 12);
  t.runToEnd();
  for (unsigned i = 0; i < 16; ++i) {
    CHECK(t.lanes<float>(Reg::bml0)[i] == wide(source[i]));
    const float units = std::nearbyint(static_cast<float>(i) / 4);  // steps of 1/128, ties to even
    CHECK(wide(t.lanes<uint16_t>(Reg::wl2)[i]) == 1.0f + units / 128);
    CHECK(t.lanes<int32_t>(Reg::x3)[i] == static_cast<int32_t>(std::floor(wide(source[i]) * 4)));
  }
}

TEST_CASE("matrix products of integers", "[core][matrix]") {
  checkMatrix<uint8_t, uint8_t, int32_t>(0x8, 4, 8, 8);
  checkMatrix<int8_t, int8_t, int32_t>(0x308, 4, 8, 8);
  checkMatrix<int16_t, int8_t, int32_t>(0x310, 4, 4, 8);
  checkMatrix<int16_t, int16_t, int32_t>(0x318, 4, 2, 8);
  checkMatrix<int16_t, int8_t, int64_t>(0x312, 2, 8, 8);
  checkMatrix<int16_t, int8_t, int64_t>(0x332, 4, 8, 4);
  checkMatrix<int16_t, int16_t, int64_t>(0x31a, 2, 4, 8);
  checkMatrix<int16_t, int16_t, int64_t>(0x33a, 4, 4, 4);
  checkMatrix<int32_t, int16_t, int64_t>(0x302, 4, 2, 4);
  checkMatrix<int8_t, uint8_t, int32_t>(0x208, 4, 8, 8);
}

TEST_CASE("lane by lane, 4-bit operands, two accumulators", "[core][matrix]") {
  SplitMix64 random(15);
  TestCore t("vmul cm2, x0, x1, r0\n vmul cm3, x0, x1, r1\n vmul cm4, x0, x1, r2\n"
             "vaddmsc cm0, cm0, cm1, x0, x1, r3");
  t.set(Reg::x0, randomLanes<uint8_t>(random, 64));
  t.set(Reg::x1, randomLanes<uint8_t>(random, 64));
  auto c0 = randomLanes<int32_t>(random, 32), c1 = randomLanes<int32_t>(random, 32);
  t.set(Reg::cm0, c0);
  t.set(Reg::cm1, c1);
  t.set(Reg::r0, 0x328);  // i8, 32 lanes, two products each
  t.set(Reg::r1, 0x35a);  // i16, 16 lanes, two products each
  t.set(Reg::r2, 0x300);  // i8 x i4, 4x16x8
  t.set(Reg::r3, 0x308);  // i8, 4x8x8
  t.runToEnd();
  auto a = t.lanes<int8_t>(Reg::x0), b = t.lanes<int8_t>(Reg::x1);
  auto a16 = t.lanes<int16_t>(Reg::x0), b16 = t.lanes<int16_t>(Reg::x1);
  auto nibble = [&](unsigned i) { return static_cast<int8_t>(b[i / 2] << (i % 2 ? 0 : 4)) >> 4; };
  for (unsigned i = 0; i < 32; ++i)
    CHECK(t.lanes<int32_t>(Reg::cm2)[i] == a[i] * b[i] + a[i + 32] * b[i + 32]);
  for (unsigned i = 0; i < 16; ++i)
    CHECK(t.lanes<int64_t>(Reg::cm3)[i] ==
          int64_t{a16[i]} * b16[i] + int64_t{a16[i + 16]} * b16[i + 16]);
  for (unsigned i = 0; i < 32; ++i) {
    int32_t small = 0;
    uint32_t sum = 0;
    for (unsigned k = 0; k < 16; ++k)
      small += a[i / 8 * 16 + k] * nibble(k * 8 + i % 8);
    for (unsigned k = 0; k < 8; ++k)
      sum += static_cast<uint32_t>(a[i / 8 * 8 + k] * b[k * 8 + i % 8]);
    CHECK(t.lanes<int32_t>(Reg::cm4)[i] == small);
    CHECK(t.lanes<uint32_t>(Reg::cm0)[i] ==
          static_cast<uint32_t>(c0[i]) + static_cast<uint32_t>(c1[i]) - sum);
  }
}

TEST_CASE("matrix products of bf16", "[core][matrix]") {
  SplitMix64 random(13);
  TestCore t(
      "vmac.f bml0, bml0, x0, x1, r0\n vmul.f bml1, x0, x1, r0\n vmsc.f bmh0, bmh0, x0, x1, r0\n"
      "vmac.f bmh1, bmh1, x0, x1, r1");
  auto a = smallBf16(random, 32), b = smallBf16(random, 32);
  std::vector<float> c(16, 0.5f);
  t.set(Reg::x0, a);
  t.set(Reg::x1, b);
  t.set(Reg::bml0, c);
  t.set(Reg::bmh0, c);
  t.set(Reg::bmh1, c);
  t.set(Reg::r0, 28);
  t.set(Reg::r1, 0x3d);  // lane by lane, the accumulator left out
  t.runToEnd();
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) {
      float sum = 0;
      for (unsigned k = 0; k < 8; ++k)
        sum += wide(a[i * 8 + k]) * wide(b[k * 4 + j]);
      CHECK(t.lanes<float>(Reg::bml0)[i * 4 + j] == sum + 0.5f);
      CHECK(t.lanes<float>(Reg::bml1)[i * 4 + j] == sum);
      CHECK(t.lanes<float>(Reg::bmh0)[i * 4 + j] == 0.5f - sum);
    }
  for (unsigned i = 0; i < 16; ++i)
    CHECK(t.lanes<float>(Reg::bmh1)[i] ==
          wide(a[i]) * wide(b[i]) + wide(a[i + 16]) * wide(b[i + 16]));
}

TEST_CASE("products of bf16: infinities, NaN, alignment to the largest", "[core][matrix]") {
  TestCore t("vmac.f bml0, bml0, x0, x1, r0");
  std::vector<uint16_t> a(32, 0), b(32, 0);
  std::vector<uint32_t> c(16, 0);
  a[0] = 0x7f80, b[0] = 0x3f80;                     // infinity * 1
  a[1] = 0x7f80, b[1] = 0;                          // infinity * 0
  a[2] = 0x3f80, b[2] = 0x3f80, c[2] = 0x7f800001;  // a NaN to add to
  a[3] = 0x3f80, b[3] = 0x3f80, c[3] = 0x33800000;  // 1 + 2^-24: the half unit is lost
  a[4] = 0x4000, b[4] = 0xc000, c[4] = 0x40800000;  // 2 * -2 + 4
  t.set(Reg::x0, a);
  t.set(Reg::x1, b);
  t.set(Reg::bml0, c);
  t.set(Reg::r0, 0x3c);
  t.runToEnd();
  auto got = t.lanes<uint32_t>(Reg::bml0);
  CHECK(got[0] == 0x7f800000);
  CHECK(std::isnan(std::bit_cast<float>(got[1])));
  CHECK(std::isnan(std::bit_cast<float>(got[2])));
  CHECK(got[3] == 0x3f800000);
  CHECK(got[4] == 0);
}

TEST_CASE("lanes of accumulators", "[core][accumulator]") {
  SplitMix64 random(14);
  TestCore t("vadd cm2, cm0, cm1, r0\n vsub cm3, cm0, cm1, r0\n vnegadd cm4, cm0, cm1, r0\n"
             "vnegsub cm5, cm0, cm1, r1\n vneg cm6, cm0, r0\n vadd.f bml7, bml0, bml1, r2\n"
             "vsub.f bmh7, bml0, bml1, r2\n vclr cm8\n vmov.d cm0, cm1");
  auto a = randomLanes<uint32_t>(random, 32), b = randomLanes<uint32_t>(random, 32);
  for (unsigned i = 0; i < 16; ++i) {
    a[i] = std::bit_cast<uint32_t>(static_cast<float>(i) * 0.5f);
    b[i] = std::bit_cast<uint32_t>(3.25f - static_cast<float>(i));
  }
  t.set(Reg::cm0, a);
  t.set(Reg::cm1, b);
  t.set(Reg::cm8, a);
  t.set(Reg::r0, 0);
  t.set(Reg::r1, 1u);  // without the first
  t.set(Reg::r2, 28);
  t.runToEnd();
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(t.lanes<uint32_t>(Reg::cm2)[i] == a[i] + b[i]);
    CHECK(t.lanes<uint32_t>(Reg::cm3)[i] == a[i] - b[i]);
    CHECK(t.lanes<uint32_t>(Reg::cm4)[i] == 0 - a[i] - b[i]);
    CHECK(t.lanes<uint32_t>(Reg::cm5)[i] == b[i]);
    CHECK(t.lanes<uint32_t>(Reg::cm6)[i] == 0 - a[i]);
    CHECK(t.lanes<uint32_t>(Reg::cm8)[i] == 0);
    CHECK(t.lanes<uint32_t>(Reg::cm0)[i] == b[i]);
  }
  for (unsigned i = 0; i < 16; ++i) {
    const float x = std::bit_cast<float>(a[i]), y = std::bit_cast<float>(b[i]);
    CHECK(t.lanes<float>(Reg::bml7)[i] == x + y);
    CHECK(t.lanes<float>(Reg::bmh7)[i] == x - y);
  }
}

TEST_CASE("multiply and accumulate at distance 2, not at distance 1", "[core][pipeline][matrix]") {
  TestCore near("vmac cm0, cm0, x0, x1, r0\n vmac cm0, cm0, x0, x1, r0");
  TestCore apart("vmac cm0, cm0, x0, x1, r0\n nop\n vmac cm0, cm0, x0, x1, r0");
  for (TestCore* t : {&near, &apart}) {
    t->set(Reg::x0, std::vector<int8_t>(64, 1));
    t->set(Reg::x1, std::vector<int8_t>(64, 1));
    t->set(Reg::r0, 0x308);
    t->runToEnd();
  }
  CHECK(near.lanes<int32_t>(Reg::cm0)[0] == 8);  // the second began with the old value
  CHECK(apart.lanes<int32_t>(Reg::cm0)[0] == 16);
}

TEST_CASE("a shape that is not modelled is a fault by name", "[core][matrix][fault]") {
  TestCore t("vmul cm0, x0, x1, r0");
  t.set(Reg::r0, 0x48);  // a convolution
  CHECK(t.run().text == "not modelled: the shape of the configuration 0x48");
}
