// Lanes of accumulators: add, subtract, negate, clear. In these forms the bits 11 and 12 of the
// configuration word negate the first and the second operand (C, an emulator).
#include "Config.hpp"
#include "Pipeline.hpp"
#include "Semantics.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace airlite::npu::sim::core {
namespace {

/// The bytes of the result: 128 on AIE2 (64 of floats), 256 on AIE2P.
unsigned bytesOf(const Flight& f) { return f.op->out[0].place->bytes(); }

/// What AIE2P's bits 11 to 13 do here is not known.
bool hasKnownSigns(const Flight& f, Config conf) {
  if (!isAie2p(f.op->form) || !conf.bits(11, 3)) return true;
  f.pipe->fault(f.pc, "not modelled: signs in the configuration of an addition");
  return false;
}

struct Signs {
  bool negative1, negative2;
};

template <typename T> void addIntegers(Flight& f, Config conf, Signs signs) {
  for (unsigned i = 0; i < bytesOf(f) / sizeof(T); ++i) {
    T a = conf.zeroAcc() ? T{0} : f.in[0].get<T>(i), b = f.in[1].get<T>(i);
    if (signs.negative1) a = T{0} - a;
    if (signs.negative2) b = T{0} - b;
    f.out[0].set<T>(a + b, i);
  }
}

template <bool negative1, bool negative2> void add(Flight& f) {
  const Config conf{f.u(2)};
  if (!hasKnownSigns(f, conf)) return;
  const Signs signs{negative1 != conf.negateProduct(), negative2 != conf.negateAcc1()};
  if (conf.accMode() == kAcc64) return addIntegers<uint64_t>(f, conf, signs);
  if (conf.accMode() == kAcc32) return addIntegers<uint32_t>(f, conf, signs);
  f.pipe->fault(f.pc, "not modelled: an integer addition of float accumulators");
}

/// Rounded to the nearest, as IEEE says; a NaN is the positive quiet one (C).
template <bool negative1, bool negative2> void addFloats(Flight& f) {
  const Config conf{f.u(2)};
  if (!hasKnownSigns(f, conf)) return;
  for (unsigned i = 0; i < bytesOf(f) / sizeof(float); ++i) {
    float a = conf.zeroAcc() ? 0.0f : f.in[0].get<float>(i), b = f.in[1].get<float>(i);
    if (negative1 != conf.negateProduct()) a = -a;
    if (negative2 != conf.negateAcc1()) b = -b;
    const float sum = a + b;
    f.out[0].set(std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : sum, i);
  }
}

template <typename T> void negateLanes(Flight& f, bool zero) {
  for (unsigned i = 0; i < bytesOf(f) / sizeof(T); ++i)
    f.out[0].set<T>(zero ? T{0} : T{0} - f.in[0].get<T>(i), i);
}

void negate(Flight& f) {
  const Config conf{f.u(1)};
  if (conf.accMode() == kAcc64) return negateLanes<uint64_t>(f, conf.zeroAcc());
  if (conf.accMode() == kAcc32) return negateLanes<uint32_t>(f, conf.zeroAcc());
  f.pipe->fault(f.pc, "not modelled: an integer negation of a float accumulator");
}

void negateFloats(Flight& f) {
  const bool zero = Config{f.u(1)}.zeroAcc();
  for (unsigned i = 0; i < bytesOf(f) / sizeof(float); ++i)
    f.out[0].set(zero ? 0.0f : -f.in[0].get<float>(i), i);
}

constexpr SemanticRow kAccumulateRows[] = {
    {"vadd", {add<false, false>}},
    {"vsub", {add<false, true>}},
    {"vnegadd", {add<true, true>}},
    {"vnegsub", {add<true, false>}},
    {"vadd.f", {addFloats<false, false>}},
    {"vsub.f", {addFloats<false, true>}},
    {"vnegadd.f", {addFloats<true, true>}},
    {"vnegsub.f", {addFloats<true, false>}},
    {"vneg", {negate}},
    {"vneg.f", {negateFloats}},
    {"vclr", {[](Flight& f) { f.out[0] = Value(); }}},
};

}  // namespace

std::span<const SemanticRow> accumulateSemantics() { return kAccumulateRows; }

}  // namespace airlite::npu::sim::core
