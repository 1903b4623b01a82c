// Cores of AIE2P: what they share with AIE2 computes the same on both, and what is their own computes
// what plain code says.
#include "CoreTesting.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

using namespace airlite;
using namespace airlite::npu;
using namespace airlite::npu::sim;
using isa::Reg;

namespace {

std::string nops(unsigned count) { return TestCore::repeat("nop\n", count); }
TestCore aie2p(const std::string& source) { return TestCore(source, 0, 2, isa::aie2p()); }
Reg gpr(unsigned number) { return Reg(unsigned(Reg::r0) + number); }

/// A line of scalar code that both assemblers take.
std::string randomScalarLine(SplitMix64& random) {
  static constexpr std::string_view kThree[] = {"add", "sub", "adc",  "sbc",  "mul", "and",
                                                "or",  "xor", "lshl", "ashl", "eq",  "ne",
                                                "lt",  "ge",  "ltu",  "geu"};
  static constexpr std::string_view kTwo[] = {
      "abs", "clz", "clb", "eqz", "nez", "extend.s8", "extend.s16", "extend.u8", "extend.u16"};
  const auto r = [&] { return random.next() % 20; };
  switch (random.next() % 8) {
    case 0: return fmt::format("{} r{}, r{}", kTwo[random.next() % std::size(kTwo)], r(), r());
    case 1: return fmt::format("sel.eqz r{}, r{}, r{}, r27", r(), r(), r());
    case 2: return fmt::format("mova r{}, #{}", r(), int(random.next() % 2048) - 1024);
    case 3: return fmt::format("movxm r{}, #{}", r(), int32_t(random.next()));
    case 4: return fmt::format("lda r{}, [p0, #{}]", r(), int(random.next() % 8) * 4);
    case 5: return fmt::format("st r{}, [p0, #{}]", r(), int(random.next() % 8) * 4);
    case 6: return fmt::format("add.nc r{}, r{}, #{}", r(), r(), int(random.next() % 64) - 32);
    default:
      return fmt::format("{} r{}, r{}, r{}", kThree[random.next() % std::size(kThree)], r(), r(),
                         r());
  }
}

struct Ran {
  std::vector<uint32_t> registers;
  std::vector<uint8_t> memory;
  bool operator==(const Ran&) const = default;
};

Ran runScalar(const std::string& source, uint64_t seed, const isa::InstructionSet& set) {
  TestCore t(source, 0, 2, set);
  SplitMix64 random(seed);
  for (unsigned i = 0; i < 32; ++i)
    t.set(gpr(i), uint32_t(random.next()));
  t.set(Reg::p0, 0x70000);
  for (unsigned i = 0; i < 64; ++i)
    t.host.memory[0x70000 + i] = uint8_t(random.next());
  t.runToEnd();
  Ran ran;
  for (unsigned i = 0; i < 32; ++i)
    ran.registers.push_back(t.u32(gpr(i)));
  ran.memory.assign(t.host.memory.begin() + 0x70000, t.host.memory.begin() + 0x70040);
  return ran;
}

/// sums + sign * a * b, wrapping like the accumulator; `a` and `b` row by row.
template <typename A, typename B, typename Acc>
std::vector<Acc> product(const std::vector<A>& a, const std::vector<B>& b, std::vector<Acc> sums,
                         unsigned rows, unsigned inner, unsigned columns, int sign) {
  using U = std::make_unsigned_t<Acc>;
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j)
      for (unsigned k = 0; k < inner; ++k)
        sums[i * columns + j] =
            Acc(U(sums[i * columns + j]) +
                U(Acc(sign)) * U(Acc(a[i * inner + k])) * U(Acc(b[k * columns + j])));
  return sums;
}

/// vmul, vmac and vmsc in one shape, on random bits.
template <typename A, typename B, typename Acc>
void checkShape(uint32_t conf, unsigned rows, unsigned inner, unsigned columns) {
  SplitMix64 random(conf);
  for (const std::string_view op : {"vmul", "vmac", "vmsc"}) {
    TestCore t = aie2p(fmt::format("{} dm0, {}x0, x1, r0", op, op == "vmul" ? "" : "dm1, "));
    const auto a = randomLanes<A>(random, 64 / sizeof(A));
    const auto b = randomLanes<B>(random, 64 / sizeof(B));
    auto sums = randomLanes<Acc>(random, 256 / sizeof(Acc));
    t.set(Reg::x0, a);
    t.set(Reg::x1, b);
    t.set(Reg::dm1, sums);
    t.set(Reg::r0, conf);
    t.runToEnd();
    if (op == "vmul") std::fill(sums.begin(), sums.end(), Acc{0});
    INFO(op << " " << conf);
    CHECK(t.lanes<Acc>(Reg::dm0) ==
          product(a, b, sums, rows, inner, columns, op == "vmsc" ? -1 : 1));
  }
}

/// Numbers of many sizes, as blocks of eight.
std::vector<float> numbersOfBlocks(SplitMix64& random) {
  std::vector<float> numbers;
  for (unsigned i = 0; i < 64; ++i)
    numbers.push_back(std::ldexp(float(int64_t(random.next() % 20001) - 10000) / 10000,
                                 int(random.next() % 16) - 8));
  return numbers;
}

/// What blocks hold: multiples of 2^-6 of the power of two below their largest number, rounded down.
std::vector<double> inBlocks(const std::vector<float>& numbers) {
  std::vector<double> held;
  for (size_t first = 0; first < numbers.size(); first += 8) {
    float largest = 0;
    for (size_t i = first; i < first + 8; ++i)
      largest = std::max(largest, std::fabs(numbers[i]));
    const double unit = largest == 0 ? 1 : std::ldexp(1.0, std::ilogb(largest) - 6);
    for (size_t i = first; i < first + 8; ++i)
      held.push_back(std::floor(numbers[i] / unit) * unit);
  }
  return held;
}

int64_t laneOf(const std::vector<uint8_t>& bytes, unsigned i, unsigned bits) {
  int64_t value = 0;
  std::memcpy(&value, &bytes[i * bits / 8], bits / 8);
  return value;
}

int64_t extended(int64_t value, unsigned bits) {
  return int64_t(uint64_t(value) << (64 - bits)) >> (64 - bits);
}

/// value / 2^shift to the nearest, ties to even, saturated to `bits`, as the bits that are kept.
int64_t shiftedDown(int64_t value, unsigned shift, unsigned bits, bool isSigned) {
  const int64_t half = shift ? int64_t{1} << (shift - 1) : 0;
  const int64_t low = value & ((int64_t{1} << shift) - 1);
  int64_t result = value >> shift;
  if (shift && (low > half || (low == half && (result & 1)))) ++result;
  const int64_t top = (int64_t{1} << (bits - isSigned)) - 1, bottom = isSigned ? -top - 1 : 0;
  return std::clamp(result, bottom, top) & ((int64_t{1} << bits) - 1);
}

/// value * 2^shift, saturated to an accumulator's lane, as the bits that are kept.
uint64_t shiftedUp(int64_t value, unsigned shift, unsigned bits) {
  const __int128 top = bits == 64 ? INT64_MAX : INT32_MAX;
  const auto all = std::clamp(__int128{value} << shift, -top - 1, top);
  return uint64_t(all) & (bits == 64 ? ~uint64_t{0} : 0xffffffffu);
}

void checkShifts(bool isWide, bool isSigned, unsigned shift, SplitMix64& random) {
  const int sign = isSigned;
  TestCore t =
      aie2p(fmt::format("vsrs.4x x0, dm0, s0, srssign{0}\n vsrs.2x x1, cml0, s0, srssign{0}\n"
                        "vups.4x dm1, x2, s0, upssign{0}\n vups.2x cml2, x2, s0, upssign{0}\n"
                        "vst.srs.4x dm0, s0, srssign{0}, [p0, #64]\n"
                        "vlda.ups.2x cml3, s0, upssign{0}, [p1, #0]\n",
                        sign));
  const auto acc = randomLanes<uint8_t>(random, 256), vec = randomLanes<uint8_t>(random, 64);
  t.set(Reg::dm0, acc);
  t.set(Reg::x2, vec);
  t.set(Reg::s0, shift);
  t.set(Reg::p0, 0x70000);
  t.set(Reg::p1, 0x70400);
  std::copy(vec.begin(), vec.end(), t.host.memory.begin() + 0x70400);
  t.set(Reg::crSat, 1);
  t.set(Reg::crRnd, 12);
  t.set(Reg::crSRSMode, isWide);
  t.set(Reg::crUPSMode, isWide);
  t.runToEnd();
  const unsigned accBits = isWide ? 64 : 32, half = accBits / 2, quarter = accBits / 4;
  const auto down = [&](unsigned i, unsigned bits) {
    return shiftedDown(extended(laneOf(acc, i, accBits), accBits), shift, bits, isSigned);
  };
  const auto up = [&](unsigned i, unsigned bits) {
    const int64_t value = laneOf(vec, i, bits);
    return shiftedUp(isSigned ? extended(value, bits) : value, shift, accBits);
  };
  INFO("wide " << isWide << " signed " << isSigned << " shift " << shift);
  const auto quarters = t.lanes<uint8_t>(Reg::x0), halves = t.lanes<uint8_t>(Reg::x1);
  const auto up4 = t.lanes<uint8_t>(Reg::dm1), up2 = t.lanes<uint8_t>(Reg::cml2);
  for (unsigned i = 0; i < 512 / quarter; ++i) {
    CHECK(laneOf(quarters, i, quarter) == down(i, quarter));
    CHECK(uint64_t(laneOf(up4, i, accBits)) == up(i, quarter));
  }
  for (unsigned i = 0; i < 512 / half; ++i) {
    CHECK(laneOf(halves, i, half) == down(i, half));
    CHECK(uint64_t(laneOf(up2, i, accBits)) == up(i, half));
  }
  CHECK(std::equal(quarters.begin(), quarters.end(), t.host.memory.begin() + 0x70040));
  CHECK(t.lanes<uint8_t>(Reg::cml3) == up2);
}

float bf16At(const std::vector<int16_t>& lanes, unsigned i) {
  return std::bit_cast<float>(uint32_t{uint16_t(lanes[i])} << 16);
}
bool same(float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); }

}  // namespace

TEST_CASE("random scalar programs do the same on both sets", "[core][aie2p]") {
  SplitMix64 random(2);
  for (unsigned run = 0; run < 80; ++run) {
    std::string source;
    for (unsigned i = 0; i < 60; ++i)
      source += randomScalarLine(random) + "\n" + nops(random.next() % 8);
    INFO(source);
    CHECK(runScalar(source, run, isa::aie2()) == runScalar(source, run, isa::aie2p()));
  }
}

TEST_CASE("AIE2P: scalars that AIE2 lacks", "[core][aie2p]") {
  SplitMix64 random(3);
  for (unsigned run = 0; run < 100; ++run) {
    TestCore t =
        aie2p("mac r0, r0, r2, r3\n msc r4, r4, r6, r7\n popcount r8, r9\n movs p1, r10\n"
              "paddxm [sp], #-128\n mov.d6 r11, r12\n mov dj3, r13\n nop\n paddxm [sp], m1\n");
    std::array<uint32_t, 14> r{};
    for (unsigned i = 0; i < r.size(); ++i)
      t.set(gpr(i), r[i] = uint32_t(random.next()));
    t.set(Reg::SP, 0x70400);
    t.set(Reg::m1, 64);
    t.runToEnd();
    CHECK(t.u32(Reg::r0) == r[0] + r[2] * r[3]);
    CHECK(t.u32(Reg::r4) == r[4] - r[6] * r[7]);
    CHECK(t.u32(Reg::r8) == uint32_t(std::popcount(r[9])));
    CHECK(t.u32(Reg::p1) == (r[10] & 0xfffff));
    CHECK(t.u32(Reg::SP) == 0x703c0);
    CHECK(t.u32(Reg::r11) == r[12]);
    CHECK(t.u32(Reg::dj3) == (r[13] & 0xfffff));
  }
}

TEST_CASE("AIE2P: loops, calls, locks and streams", "[core][aie2p]") {
  const std::string rounds = "movxm ls, #body\n movxm le, #last\n mova r1, #5\n mov lc, r1\n" +
                             nops(8) + ".align 16\nbody:\n add r0, r0, #3\n" + nops(2) +
                             ".align 16\nlast:\n nopa ; nopb ; nops ; nopxm ; nopv\n";
  const std::string rest = "acq #48, r2\n" + nops(6) + "rel #49, r3\n" + nops(6) + "mov r5, ss\n" +
                           nops(8) + "mov ms, r5\n jl #f\n" + nops(5) + ".align 16\n done\n" +
                           nops(6) + ".align 16\nf: ret lr\n add r0, r0, #1\n" + nops(4);
  TestCore t = aie2p(rounds + rest);
  t.set(Reg::r2, uint32_t(-1));
  t.set(Reg::r3, 1);
  t.host.locks[48] = 1;
  t.host.streamIn.push_back({0x1234, false});
  t.runToEnd();
  CHECK(t.u32(Reg::r0) == 16);
  CHECK(t.host.locks[48] == 0);
  CHECK(t.host.locks[49] == 1);
  REQUIRE(t.host.streamOut.size() == 1);
  CHECK(t.host.streamOut[0].value == 0x1234);
  CHECK(t.core->mayRelease(49));
  CHECK_FALSE(t.core->mayRelease(48));
}

TEST_CASE("AIE2P: parts of words and 2D pointers", "[core][aie2p]") {
  TestCore t =
      aie2p("st.s8 r0, [p0, #1]\n" + nops(12) + "lda.s8 r1, [p0, #1]\n lda.u16 r2, [p0, #0]\n" +
            nops(8) + "lda.2d r3, [p0], d1\n lda.2d r4, [p0], d1\n lda.2d r5, [p0], d1\n");
  t.set(Reg::r0, 0x1fe);
  t.set(Reg::p0, 0x70000);
  t.set(Reg::dn1, 1);
  t.set(Reg::dj1, 8);
  t.set(Reg::m1, 64);
  for (uint32_t at : {0u, 8u, 72u})
    t.host.memory[0x70000 + at] = uint8_t(at + 1);
  t.runToEnd();
  CHECK(t.u32(Reg::r1) == 0xfffffffe);
  CHECK(t.u32(Reg::r2) == 0xfe01);
  CHECK((t.u32(Reg::r3) & 0xff) == 1);
  CHECK(t.u32(Reg::r4) == 9);
  CHECK(t.u32(Reg::r5) == 73);
}

TEST_CASE("AIE2P: vectors of 512 bits are loaded, moved and stored", "[core][aie2p]") {
  SplitMix64 random(4);
  TestCore t = aie2p(
      "vlda x0, [p0, #0] ; vldb x1, [p0, #64]\n vlda bmhl2, [p0, #128]\n vlda wl4, [p0, #64]\n"
      "vlda.128 wh5, [p0, #16]\n" +
      nops(8) + "vst x0, [p1, #0] ; vmov bmll0, x1\n vst bmhl2, [p1, #64]\n vmov cml3, cmh2\n" +
      nops(2) + "vst bmll0, [p1, #128]\n vmov bmhh4, bmll3\n");
  t.set(Reg::p0, 0x70000);
  t.set(Reg::p1, 0x70400);
  const auto bytes = randomLanes<uint8_t>(random, 192);
  std::copy(bytes.begin(), bytes.end(), t.host.memory.begin() + 0x70000);
  t.runToEnd();
  const auto loaded = [&](unsigned from, unsigned size) {
    return std::vector<uint8_t>(bytes.begin() + from, bytes.begin() + from + size);
  };
  const auto stored = [&](unsigned from) {
    const auto begin = t.host.memory.begin() + 0x70400 + from;
    return std::vector<uint8_t>(begin, begin + 64);
  };
  CHECK(stored(0) == loaded(0, 64));
  CHECK(stored(64) == loaded(128, 64));
  CHECK(stored(128) == loaded(64, 64));
  CHECK(t.lanes<uint8_t>(Reg::bmhh4) == loaded(128, 64));
  CHECK(t.lanes<uint8_t>(Reg::wl4) == loaded(64, 32));
  const auto half = t.lanes<uint8_t>(Reg::wh5), first = loaded(16, 16);
  CHECK(std::equal(first.begin(), first.end(), half.begin()));
  CHECK(t.lanes<uint8_t>(Reg::dm3).size() == 256);
  TestCore odd = aie2p("vlda x0, [p0, #0]");
  odd.set(Reg::p0, 0x70020);
  CHECK(odd.run().text == "vlda: address 0x70020 is not a multiple of 64");
}

TEST_CASE("AIE2P: matrix products of integers", "[core][aie2p]") {
  checkShape<int8_t, int8_t, int32_t>(0x308, 8, 8, 8);
  checkShape<uint8_t, uint8_t, int32_t>(0x008, 8, 8, 8);
  checkShape<int16_t, int8_t, int32_t>(0x310, 8, 4, 8);
  checkShape<int16_t, int16_t, int32_t>(0x318, 8, 2, 8);
  checkShape<int32_t, int16_t, int64_t>(0x302, 4, 2, 8);
  checkShape<int16_t, int8_t, int64_t>(0x312, 4, 8, 8);
  checkShape<int16_t, int16_t, int64_t>(0x31a, 4, 4, 8);
}

TEST_CASE("AIE2P: products lane by lane", "[core][aie2p]") {
  SplitMix64 random(5);
  TestCore t = aie2p("vmac dm0, dm1, x0, x1, r0\n vmul dm2, y1, y2, r1\n vmul.f dm3, x2, x4, r2\n"
                     "vmac.f dm4, dm1, y1, y2, r2\n");
  const auto a = randomLanes<int8_t>(random, 64), b = randomLanes<int8_t>(random, 64);
  const auto acc = randomLanes<int32_t>(random, 64);
  const auto c = randomLanes<int16_t>(random, 64), d = randomLanes<int16_t>(random, 64);
  t.set(Reg::x0, a);
  t.set(Reg::x1, b);
  t.set(Reg::y1, c);  // x2, x3
  t.set(Reg::y2, d);  // x4, x5
  t.set(Reg::dm1, acc);
  t.set(Reg::r0, 0x328);
  t.set(Reg::r1, 0x338);
  t.set(Reg::r2, 0x33c);
  t.runToEnd();
  const auto sums = t.lanes<int32_t>(Reg::dm0), wide = t.lanes<int32_t>(Reg::dm2);
  const auto products = t.lanes<float>(Reg::dm3), totals = t.lanes<float>(Reg::dm4);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(uint32_t(sums[i]) == uint32_t(acc[i]) + uint32_t(a[i] * b[i]));
    CHECK(wide[i] == c[i] * d[i]);
    if (i < 32) CHECK(same(products[i], bf16At(c, i) * bf16At(d, i)));
    const float total = std::bit_cast<float>(acc[i]) + bf16At(c, i) * bf16At(d, i);
    CHECK(same(totals[i], total));
  }
}

TEST_CASE("AIE2P: blocks that share exponents", "[core][aie2p]") {
  SplitMix64 random(11);
  for (int round = 0; round < 50; ++round) {
    TestCore t = aie2p("vconv.bfp16ebs8.fp32 ex0, dm1\n vconv.bfp16ebs8.fp32 ex3, dm2\n" + nops(4) +
                       "vmac.f dm0, dm3, ex0, ex3, r0\n vmul.f dm4, ex0, ex3, r0\n");
    const auto a = numbersOfBlocks(random), b = numbersOfBlocks(random);
    const auto sums = numbersOfBlocks(random);
    t.set(Reg::dm1, a);
    t.set(Reg::dm2, b);
    t.set(Reg::dm3, sums);
    t.set(Reg::r0, 0x30c);
    t.runToEnd();
    const auto totals = t.lanes<float>(Reg::dm0), products = t.lanes<float>(Reg::dm4);
    const auto p = inBlocks(a), q = inBlocks(b);
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned j = 0; j < 8; ++j) {
        double sum = 0;
        for (unsigned k = 0; k < 8; ++k)
          sum += p[i * 8 + k] * q[j * 8 + k];
        CHECK(same(products[i * 8 + j], float(sum)));
        CHECK(same(totals[i * 8 + j], sums[i * 8 + j] + float(sum)));
      }
  }
  TestCore rounded = aie2p("mov crrnd, #12\n nop\n nop\n vconv.bfp16ebs8.fp32 ex0, dm1\n");
  CHECK(rounded.run().text == "not modelled: blocks by rounding mode 12");
}

TEST_CASE("AIE2P: shift, round, saturate and back", "[core][aie2p]") {
  SplitMix64 random(6);
  for (const bool isWide : {false, true})
    for (const bool isSigned : {false, true})
      for (const unsigned shift : {0u, 5u, 17u})
        checkShifts(isWide, isSigned, shift, random);
}

TEST_CASE("AIE2P: lanes are compared, selected, extracted, packed and converted", "[core][aie2p]") {
  SplitMix64 random(7);
  TestCore t =
      aie2p("vmax_lt.16 x2, r16, x0, x1, vaddsign1\n nop\n vsel.16 x3, x0, x1, r16\n"
            "vlt.8 r1:r0, x0, x1, vaddsign0\n vextract.8 r2, x0, #5, vaddsign1\n"
            "vextract.16 r3, x0, #5, vaddsign0\n vunpack y3, x0, unpacksign1\n" +
            nops(8) +
            "vpack x8, y3, packsign1\n vconv.fp32.bf16 cml0, x0\n nop\n nop\n"
            "vconv.bf16.fp32 x9, cml0\n vextbcst.128 x10, x0, #2\n vinsert.32 x11, x0, #0, r4\n"
            "vshuffle x5, x0, x1, r5\n");
  const auto a = randomLanes<int16_t>(random, 32), b = randomLanes<int16_t>(random, 32);
  t.set(Reg::x0, a);
  t.set(Reg::x1, b);
  t.set(Reg::r4, 0x89abcdef);
  t.set(Reg::r5, 54);
  t.set(Reg::crUnpackSize, 1);
  t.set(Reg::crPackSize, 1);
  t.runToEnd();
  const auto largest = t.lanes<int16_t>(Reg::x2), chosen = t.lanes<int16_t>(Reg::x3);
  const auto wide = t.lanes<int16_t>(Reg::y3);
  const auto bytes = t.lanes<uint8_t>(Reg::x0), others = t.lanes<uint8_t>(Reg::x1);
  const auto words = t.lanes<uint32_t>(Reg::x0), back = t.lanes<uint32_t>(Reg::x11);
  const auto bf16s = t.lanes<uint16_t>(Reg::x9);
  uint64_t less = 0;
  for (unsigned i = 0; i < 32; ++i) {
    CHECK(largest[i] == std::max(a[i], b[i]));
    CHECK(chosen[i] == std::max(a[i], b[i]));
    if (const auto bits = uint16_t(a[i]); (bits & 0x7fff) <= 0x7f80) CHECK(bf16s[i] == bits);
  }
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(wide[i] == int8_t(bytes[i]));
    less |= uint64_t{bytes[i] < others[i]} << i;
  }
  CHECK(t.u64(Reg::r1_r0) == less);
  CHECK(int32_t(t.u32(Reg::r2)) == int8_t(bytes[5]));
  CHECK(t.u32(Reg::r3) == uint16_t(a[5]));
  CHECK(t.lanes<uint8_t>(Reg::x8) == bytes);
  CHECK(t.lanes<int16_t>(Reg::x10)[9] == a[17]);
  CHECK(back[0] == 0x89abcdef);
  CHECK(back[1] == words[1]);
  for (unsigned i = 0; i < 16; ++i)
    CHECK(t.lanes<uint32_t>(Reg::x5)[i] == words[15 - i]);
}

TEST_CASE("AIE2P: accumulators are added, negated and cleared", "[core][aie2p]") {
  SplitMix64 random(8);
  TestCore t = aie2p("vadd dm2, dm0, dm1, r0\n vsub dm3, dm0, dm1, r1\n vclr dm4\n" + nops(6) +
                     "vneg dm0, dm1, r0\n");
  const auto a = randomLanes<uint32_t>(random, 64), b = randomLanes<uint32_t>(random, 64);
  t.set(Reg::dm0, a);
  t.set(Reg::dm1, b);
  t.set(Reg::dm4, a);
  t.set(Reg::r0, 0);
  t.set(Reg::r1, 2);
  t.runToEnd();
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(t.lanes<uint32_t>(Reg::dm2)[i] == a[i] + b[i]);
    CHECK(t.lanes<uint32_t>(Reg::dm0)[i] == 0 - b[i]);
    CHECK(t.lanes<uint32_t>(Reg::dm4)[i] == 0);
  }
  const auto wide = [](const std::vector<uint32_t>& lanes, unsigned i) {
    return uint64_t{lanes[2 * i + 1]} << 32 | lanes[2 * i];
  };
  for (unsigned i = 0; i < 32; ++i)
    CHECK(t.lanes<uint64_t>(Reg::dm3)[i] == wide(a, i) - wide(b, i));
}

TEST_CASE("AIE2P: the cascade moves parts of an accumulator", "[core][aie2p]") {
  TestCore t = aie2p("vmov.2 dm1, scd\n vmov mcd, bmlh0\n");
  std::array<uint8_t, 64> word{};
  std::iota(word.begin(), word.end(), uint8_t{1});
  t.host.cascadeIn.push_back(word);
  t.set(Reg::bmlh0, std::vector<uint8_t>(64, 7));
  t.runToEnd();
  CHECK(t.lanes<uint8_t>(Reg::bmhl1) == std::vector<uint8_t>(word.begin(), word.end()));
  REQUIRE(t.host.cascadeOut.size() == 1);
  CHECK(t.host.cascadeOut[0][63] == 7);
}

TEST_CASE("AIE2P: functions give the nearest bf16", "[core][aie2p]") {
  const auto [op, function] = GENERATE(
      table<std::string, double (*)(double)>({{"vexp2", [](double x) { return std::exp2(x); }},
                                              {"vtanh", [](double x) { return std::tanh(x); }}}));
  TestCore t = aie2p(op + " wl0, bmll0\n");
  std::vector<float> numbers = {0,        -0.0f,    1,   -1,   0.5f,   -127.25f, -140,
                                3.14159f, 127.999f, 200, -200, 0.001f, 1e-30f};
  numbers.resize(16, std::numeric_limits<float>::quiet_NaN());
  t.set(Reg::bmll0, numbers);
  t.runToEnd();
  const std::vector<uint16_t> lanes = t.lanes<uint16_t>(Reg::wl0);
  for (size_t i = 0; i < numbers.size(); ++i) {
    INFO(op << " of " << numbers[i]);
    const double exact = function(numbers[i]);
    const float got = std::bit_cast<float>(uint32_t{lanes[i]} << 16);
    if (std::isnan(exact)) {
      CHECK(lanes[i] == 0x7fc0);
      continue;
    }
    // Not farther than the neighbours on both sides.
    for (int step : {-1, 1}) {
      const float other = std::bit_cast<float>(uint32_t(lanes[i] + step) << 16);
      if (std::isfinite(other) && std::isfinite(got))
        CHECK(std::abs(got - exact) <= std::abs(other - exact));
    }
    if (exact > 3.4e38) CHECK(std::isinf(got));
  }
}

TEST_CASE("AIE2P: what is not known is a fault by name", "[core][aie2p]") {
  const auto [source, text] = GENERATE(table<std::string, std::string>({
      {"vlda.pop.576 ex0, [p0, lf0, r24]", "no semantics: VLDA_POP_576"},
      {"inv r0, r1", "no semantics: INV"},
      {"vmac dm0, dm0, x0, qx1, r0", "no semantics: VMAC"},
      {"mova r0, #0x48\n vmul dm0, x0, x1, r0",
       "not modelled: the shape of the configuration 0x48"},
      {"mova r0, #8\n vmul dm0, y0, y1, r0", "not modelled: the shape of the configuration 0x8"},
      {"mova r0, #60\n vadd.f dm0, dm0, scd[r31], r0", "no semantics: VADD_F"},
  }));
  TestCore t = aie2p(source);
  const CoreStatus status = t.run();
  INFO(status.text);
  CHECK(status.state == CoreState::Faulted);
  CHECK(status.text.substr(0, text.size()).size() == text.size());
  CHECK(std::equal(text.begin(), text.end(), status.text.begin(),
                   [](char a, char b) { return std::tolower(a) == std::tolower(b); }));
}
