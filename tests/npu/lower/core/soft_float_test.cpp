// The float routines of cores against the floats of the host, millions of pairs each.
// AIRLITE_SOFT_RUNS says how many; every special number meets every other.
#include "HostMachine.hpp"
#include "SoftNumbers.hpp"
#include "npu/lower/core/SoftFloat.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::soft;

namespace {

using Word = HostMachine::Word;
using F = Float<HostMachine>;

HostMachine machine;

uint64_t numRuns() {
  const char* text = std::getenv("AIRLITE_SOFT_RUNS");
  return text ? std::strtoull(text, nullptr, 10) : 2'000'000;
}

float floatOf(uint32_t bits) { return std::bit_cast<float>(bits); }
/// With the one NaN that comes out of arithmetic.
uint32_t bitsOf(float value) { return std::isnan(value) ? kNaN : std::bit_cast<uint32_t>(value); }

using Pair = std::function<uint32_t(uint32_t, uint32_t)>;

void comparePair(uint32_t a, uint32_t b, const Pair& soft, const Pair& hard) {
  uint32_t computed = soft(a, b), expected = hard(a, b);
  if (computed == expected) return;
  CAPTURE(a, b, computed, expected);
  FAIL("a routine differs from the host");
}

void comparePairs(const Pair& soft, const Pair& hard) {
  for (uint32_t a : specialFloats())
    for (uint32_t b : specialFloats())
      comparePair(a, b, soft, hard);
  SplitMix64 random(17);
  for (uint64_t i = 0, end = numRuns(); i < end; ++i) {
    uint32_t a = randomFloat(random), b = randomFloat(random, a);
    comparePair(a, b, soft, hard);
  }
}

/// bf16 from f32 as the interpreter rounds.
uint32_t narrow(float value) {
  if (std::isnan(value)) return kNaN >> 16;
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Rounded once.
double nearestBf16(int32_t number) {
  double unit = std::ldexp(1.0, number ? std::ilogb(static_cast<double>(number)) - 7 : 0);
  return std::nearbyint(number / unit) * unit;
}

}  // namespace

TEST_CASE("soft float: sums", "[npu][soft]") {
  comparePairs([](uint32_t a, uint32_t b) { return F(machine).add({a}, {b}).value; },
               [](uint32_t a, uint32_t b) { return bitsOf(floatOf(a) + floatOf(b)); });
}

TEST_CASE("soft float: products", "[npu][soft]") {
  comparePairs([](uint32_t a, uint32_t b) { return F(machine).multiply({a}, {b}).value; },
               [](uint32_t a, uint32_t b) { return bitsOf(floatOf(a) * floatOf(b)); });
}

TEST_CASE("soft float: quotients", "[npu][soft]") {
  comparePairs([](uint32_t a, uint32_t b) { return F(machine).divide({a}, {b}).value; },
               [](uint32_t a, uint32_t b) { return bitsOf(floatOf(a) / floatOf(b)); });
}

TEST_CASE("soft float: comparisons", "[npu][soft]") {
  comparePairs([](uint32_t a, uint32_t b) { return F(machine).compare({a}, {b}).value; },
               [](uint32_t a, uint32_t b) {
                 float x = floatOf(a), y = floatOf(b);
                 if (std::isunordered(x, y)) return kUnordered;
                 return x < y ? kLess : x > y ? kGreater : kEqual;
               });
}

TEST_CASE("soft float: every conversion of every special, and of many", "[npu][soft]") {
  auto check = [](uint32_t a) {
    CAPTURE(a);
    float value = floatOf(a);
    REQUIRE(F(machine).toBf16({a}).value == narrow(value));
    REQUIRE(F(machine).canonical({a}).value == bitsOf(value));
    auto number = static_cast<int32_t>(a);
    REQUIRE(F(machine).fromSigned({a}).value == bitsOf(static_cast<float>(number)));
    REQUIRE(F(machine).fromUnsigned({a}).value == bitsOf(static_cast<float>(a)));
    if (value > -2147483904.0f && value < 2147483648.0f)
      REQUIRE(F(machine).toInteger({a}).value ==
              static_cast<uint32_t>(static_cast<int32_t>(value)));
    if (value > -1.0f && value < 4294967296.0f)
      REQUIRE(F(machine).toInteger({a}).value ==
              static_cast<uint32_t>(static_cast<int64_t>(value)));
    // Rounding twice, through f32, is rounding once.
    float twice = floatOf(F(machine).fromSigned(F(machine).narrowed({a})).value);
    REQUIRE(floatOf(narrow(twice) << 16) == nearestBf16(number));
  };
  for (uint32_t a : specialFloats())
    check(a);
  SplitMix64 random(5);
  for (uint64_t i = 0, end = numRuns() / 20; i < end; ++i) {
    uint32_t a = randomFloat(random);
    check(a);
    check(a >> (a & 31));
  }
}

// AIRLITE_SOFT_STEP=1 tries every number (minutes). docs/npu_core_ir.md says which were.
TEST_CASE("soft float: functions round as those of double", "[npu][soft]") {
  const char* text = std::getenv("AIRLITE_SOFT_STEP");
  uint64_t step = text ? std::strtoull(text, nullptr, 10) : 20'011;
  auto check = [](uint32_t a) {
    CAPTURE(a);
    double x = floatOf(a);
    Math<HostMachine> math(machine);
    REQUIRE(math.exponential({a}).value == bitsOf(static_cast<float>(std::exp(x))));
    F floats(machine);
    REQUIRE(floats.whole({a}, F::Whole::Floor).value == bitsOf(std::floor(floatOf(a))));
    REQUIRE(floats.whole({a}, F::Whole::Ceil).value == bitsOf(std::ceil(floatOf(a))));
    REQUIRE(floats.whole({a}, F::Whole::Trunc).value == bitsOf(std::trunc(floatOf(a))));
    REQUIRE(floats.whole({a}, F::Whole::Round).value == bitsOf(std::round(floatOf(a))));
    REQUIRE(floats.whole({a}, F::Whole::RoundEven).value == bitsOf(std::nearbyint(floatOf(a))));
    REQUIRE(math.squareRoot({a}).value == bitsOf(static_cast<float>(std::sqrt(x))));
    REQUIRE(math.reciprocalRoot({a}).value == bitsOf(static_cast<float>(1.0 / std::sqrt(x))));
  };
  for (uint32_t a : specialFloats())
    check(a);
  for (uint64_t a = 0; a < uint64_t(1) << 32; a += step)
    check(static_cast<uint32_t>(a));
}

TEST_CASE("soft float: logarithms, sines, tanh and erf round as those of double", "[npu][soft]") {
  const char* text = std::getenv("AIRLITE_SOFT_STEP");
  uint64_t step = text ? std::strtoull(text, nullptr, 10) : 150'001;
  auto check = [](uint32_t a) {
    CAPTURE(a);
    double x = floatOf(a);
    Logarithms<HostMachine> logarithms(machine);
    Sines<HostMachine> sines(machine);
    REQUIRE(logarithms.compute({a}, LogBase::E).value == bitsOf(static_cast<float>(std::log(x))));
    REQUIRE(logarithms.compute({a}, LogBase::Two).value ==
            bitsOf(static_cast<float>(std::log2(x))));
    REQUIRE(logarithms.compute({a}, LogBase::Ten).value ==
            bitsOf(static_cast<float>(std::log10(x))));
    REQUIRE(Tanh<HostMachine>(machine).compute({a}).value ==
            bitsOf(static_cast<float>(std::tanh(x))));
    REQUIRE(sines.compute({a}, false).value == bitsOf(static_cast<float>(std::sin(x))));
    REQUIRE(sines.compute({a}, true).value == bitsOf(static_cast<float>(std::cos(x))));
    REQUIRE(Powers<HostMachine>(machine).ofTwo({a}).value ==
            bitsOf(static_cast<float>(std::exp2(x))));
    REQUIRE(Erf<HostMachine>(machine).compute({a}).value ==
            bitsOf(static_cast<float>(std::erf(x))));
  };
  for (uint32_t a : specialFloats())
    check(a);
  for (uint64_t a = 0; a < uint64_t(1) << 32; a += step)
    check(static_cast<uint32_t>(a));
}

namespace {

/// Numbers whose powers are numbers, small whole ones and those next to 1 among them.
uint32_t randomFactor(SplitMix64& random) {
  uint64_t shape = random.next();
  uint32_t exponent = 119 + (shape >> 8 & 15);
  uint32_t bits = (static_cast<uint32_t>(shape >> 16) & 0x807fffff) | exponent << 23;
  switch (shape & 7) {
    case 0: return randomFloat(random);
    case 1:
      return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int>(shape >> 16 & 63) - 32));
    case 2:
      return bits & 0xfff80000;  // few bits: exact results, and results halfway between two numbers
    case 3: return 0x3f800000 + static_cast<uint32_t>(shape >> 16 & 0xfff) - 0x800;
    default: return bits;
  }
}

}  // namespace

TEST_CASE("soft float: powers round as those of double", "[npu][soft]") {
  auto check = [](uint32_t a, uint32_t b) {
    comparePair(
        a, b,
        [](uint32_t x, uint32_t y) { return Powers<HostMachine>(machine).compute({x}, {y}).value; },
        [](uint32_t x, uint32_t y) {
          return bitsOf(static_cast<float>(std::pow(double(floatOf(x)), double(floatOf(y)))));
        });
  };
  for (uint32_t a : specialFloats())
    for (uint32_t b : specialFloats())
      check(a, b);
  SplitMix64 random(19);
  for (uint64_t i = 0, end = numRuns() / 20; i < end; ++i) {
    uint32_t a = randomFactor(random);
    check(a, randomFactor(random));
  }
}

TEST_CASE("soft float: fused multiply-add", "[npu][soft]") {
  auto check = [](uint32_t a, uint32_t b, uint32_t c) {
    CAPTURE(a, b, c);
    REQUIRE(FusedMultiplyAdd<HostMachine>(machine).compute({a}, {b}, {c}).value ==
            bitsOf(std::fma(floatOf(a), floatOf(b), floatOf(c))));
  };
  std::vector<uint32_t> specials;
  for (uint32_t a : specialFloats())
    specials.push_back(a);
  SplitMix64 random(23);
  for (uint32_t a : specials)
    for (uint32_t b : specials)
      check(a, b, specials[random.next() % specials.size()]);
  for (uint64_t i = 0, end = numRuns() / 4; i < end; ++i) {
    uint32_t a = randomFloat(random), b = randomFloat(random, a), c = randomFloat(random, b);
    check(a, b, c);
    // Next to where the sum cancels.
    uint32_t opposite = std::bit_cast<uint32_t>(-(floatOf(a) * floatOf(b)));
    check(a, b, opposite + static_cast<uint32_t>(random.next() % 5) - 2);
  }
}

TEST_CASE("soft float: products of two words", "[npu][soft]") {
  SplitMix64 random(9);
  for (int i = 0; i < 100'000; ++i) {
    uint64_t r = random.next();
    auto a = static_cast<uint32_t>(r), b = static_cast<uint32_t>(r >> 32);
    auto [high, low] = F(machine).product({a}, {b});
    uint64_t exact = uint64_t(a) * b;
    REQUIRE(high.value == exact >> 32);
    REQUIRE(low.value == static_cast<uint32_t>(exact));
  }
}
