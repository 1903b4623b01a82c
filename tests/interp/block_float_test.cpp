// Numbers that share an exponent: how far they are from what they stand for.
#include "airlite/support/BlockFloat.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace airlite;

namespace {

std::vector<uint32_t> bitsOf(const std::vector<float>& numbers) {
  std::vector<uint32_t> bits;
  for (float number : numbers)
    bits.push_back(std::bit_cast<uint32_t>(number));
  return bits;
}

double heldBy(const FloatBlock& block, size_t i) {
  return std::ldexp(double(block.mantissas[i]), int(block.exponent) - 127 - 6);
}

std::vector<float> randomBlock(SplitMix64& random, int spread) {
  std::vector<float> numbers;
  for (size_t i = 0; i < kBlockLength; ++i)
    numbers.push_back(std::ldexp(float(int64_t(random.next() >> 40) - (1 << 23)),
                                 -23 - int(random.next() % unsigned(spread))));
  return numbers;
}

}  // namespace

TEST_CASE("a number of a block is less than 2^-6 of the largest above what is held", "[blocks]") {
  SplitMix64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::vector<float> numbers = randomBlock(random, 1 + round % 30);
    float largest = 0;
    for (float number : numbers)
      largest = std::max(largest, std::fabs(number));
    const FloatBlock block = floatBlockOf(bitsOf(numbers));
    for (size_t i = 0; i < kBlockLength; ++i) {
      const double error = numbers[i] - heldBy(block, i);
      REQUIRE(error >= 0);
      REQUIRE(error < std::ldexp(1.0, std::ilogb(largest == 0 ? 1.0F : largest) - 6));
    }
  }
}

TEST_CASE("bf16 of one size lose their last bit alone", "[blocks]") {
  for (uint32_t mantissa = 0; mantissa < 128; ++mantissa) {
    const float number = 1 + float(mantissa) / 128;
    const FloatBlock block = floatBlockOf(bitsOf({number, -number}));
    CHECK(heldBy(block, 0) == std::floor(number * 64) / 64);
    CHECK(heldBy(block, 1) == std::floor(-number * 64) / 64);
    CHECK(heldBy(block, 2) == 0);
  }
}

TEST_CASE("a product of blocks is within twice the bound of its factors", "[blocks]") {
  SplitMix64 random(2);
  for (int round = 0; round < 20000; ++round) {
    const std::vector<float> a = randomBlock(random, 3), b = randomBlock(random, 3);
    double exact = 0, largestA = 0, largestB = 0;
    for (size_t i = 0; i < kBlockLength; ++i) {
      exact += double(a[i]) * b[i];
      largestA = std::max<double>(largestA, std::fabs(a[i]));
      largestB = std::max<double>(largestB, std::fabs(b[i]));
    }
    const double bound = 8 * (2 * std::ldexp(1.0, -6) + std::ldexp(1.0, -12)) * largestA * largestB;
    REQUIRE(std::fabs(dotOf(floatBlockOf(bitsOf(a)), floatBlockOf(bitsOf(b))) - exact) <= bound);
  }
}

TEST_CASE("blocks with numbers that are not finite, and with the smallest", "[blocks]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const FloatBlock one = floatBlockOf(bitsOf({1})), bad = floatBlockOf(bitsOf({1, infinity}));
  CHECK(std::isnan(dotOf(one, bad)));
  CHECK(addBlocks(bad, one, 0) == 0x7fc00000);
  CHECK(dotOf(one, floatBlockOf(bitsOf({0, 0}))) == 0);
  const float smallest = std::numeric_limits<float>::min();
  CHECK(heldBy(floatBlockOf(bitsOf({smallest, smallest / 2})), 0) == smallest);
  CHECK(heldBy(floatBlockOf(bitsOf({smallest, smallest / 2})), 1) == smallest / 2);
}
