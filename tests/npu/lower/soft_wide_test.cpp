// Numbers of 64 bits in pairs of words against those of the host.
#include "HostMachine.hpp"
#include "airlite/support/SplitMix64.hpp"
#include "npu/lower/core/SoftWide.hpp"
#include "support/catch_all.hpp"

#include <bit>
#include <cmath>

using namespace airlite;
using namespace airlite::npu::soft;

namespace {

using W = Wide<HostMachine>;
HostMachine machine;

W::Pair pair(uint64_t value) {
  return {{static_cast<uint32_t>(value)}, {static_cast<uint32_t>(value >> 32)}};
}
uint64_t number(W::Pair value) { return uint64_t(value.high.value) << 32 | value.low.value; }

/// Of all lengths, with long runs of ones and zeros.
uint64_t randomNumber(SplitMix64& random) {
  uint64_t value = random.next(), shape = random.next();
  if (shape & 1) value >>= shape >> 8 & 63;
  if (shape & 2) value |= ~uint64_t(0) << (shape >> 16 & 63);
  return shape & 4 ? 0 - value : value;
}

}  // namespace

TEST_CASE("soft wide: numbers of 64 bits", "[npu][soft]") {
  SplitMix64 random(31);
  W wide(machine);
  for (int i = 0; i < 200'000; ++i) {
    uint64_t a = randomNumber(random), b = randomNumber(random);
    CAPTURE(a, b);
    REQUIRE(number(wide.add(pair(a), pair(b))) == a + b);
    REQUIRE(number(wide.subtract(pair(a), pair(b))) == a - b);
    REQUIRE(number(wide.multiply(pair(a), pair(b))) == a * b);
    REQUIRE(wide.equal(pair(a), pair(b)).value == (a == b));
    REQUIRE(wide.less(pair(a), pair(b)).value == (a < b));
    REQUIRE(wide.lessSigned(pair(a), pair(b)).value ==
            (static_cast<int64_t>(a) < static_cast<int64_t>(b)));
    uint32_t by = static_cast<uint32_t>(random.next() & 63);
    REQUIRE(number(wide.shiftLeft(pair(a), {by})) == a << by);
    REQUIRE(number(wide.shiftRight(pair(a), {by})) == a >> by);
    REQUIRE(number(wide.shiftRightSigned(pair(a), {by})) ==
            static_cast<uint64_t>(static_cast<int64_t>(a) >> by));
    REQUIRE(std::bit_cast<float>(wide.toFloat(pair(a), false).value) == static_cast<float>(a));
    REQUIRE(std::bit_cast<float>(wide.toFloatSigned(pair(a), false).value) ==
            static_cast<float>(static_cast<int64_t>(a)));
    float small =
        static_cast<float>(static_cast<int64_t>(a)) * std::ldexp(1.0f, -static_cast<int>(by));
    if (std::abs(small) < 0x1p63f)
      REQUIRE(number(wide.fromFloat({std::bit_cast<uint32_t>(small)})) ==
              static_cast<uint64_t>(static_cast<int64_t>(small)));
    if (b && i % 8 == 0) REQUIRE(number(wide.divideUnsigned(pair(a), pair(b))) == a / b);
  }
}
