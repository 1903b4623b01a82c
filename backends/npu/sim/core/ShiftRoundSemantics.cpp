// srs: accumulators to vectors, shifted right, rounded, saturated. ups: vectors to accumulators,
// shifted left (docs/hardware/vector_facts.md, 4, 5). The sticky overflow bits are set when a value
// was saturated; whether they are set too when crSat is 0 is not known (C).
#include "Pipeline.hpp"
#include "Rounding.hpp"
#include "Semantics.hpp"

#include <limits>
#include <type_traits>

namespace airlite::npu::sim::core {
namespace {

constexpr uint32_t kShiftMask = 63;

/// Which inputs are crSat and crRnd; the first two are accumulator and shift.
struct Modes {
  unsigned sat, rnd;
};
constexpr Modes kAie2Modes = {2, 3}, kAie2pModes = {4, 2};

/// Returns whether a lane was saturated.
template <typename Acc, typename T>
bool shiftRound(Flight& f, Value& to, unsigned lanes, bool isSigned, Modes modes = kAie2Modes) {
  bool overflow = false;
  const uint32_t rnd = f.u(modes.rnd), sat = f.u(modes.sat);
  for (unsigned i = 0; i < lanes; ++i) {
    int64_t value = 0;
    if (!shiftRounded(f.in[0].get<Acc>(i), f.u(1) & kShiftMask, rnd, value)) {
      f.pipe->fault(f.pc, "not modelled: rounding mode " + std::to_string(rnd));
      return false;
    }
    value = saturated(value, sizeof(T) * 8, isSigned, sat, overflow);
    to.set(static_cast<T>(static_cast<uint64_t>(value)), i);
  }
  return overflow;
}

template <bool isDynamic> bool srsSign(const Flight& f) { return !isDynamic || (f.u(4) & 1); }

template <typename Acc, typename T, bool isDynamic> void srs(Flight& f) {
  const unsigned lanes = f.op->out[0].place->bytes() / sizeof(T);
  f.result(shiftRound<Acc, T>(f, f.out[0], lanes, srsSign<isDynamic>(f)), 1);
}

template <typename Acc, typename T, bool isDynamic> void storeSrs(Flight& f) {
  const unsigned lanes = f.op->memoryBytes / sizeof(T);
  f.result(shiftRound<Acc, T>(f, f.memory, lanes, srsSign<isDynamic>(f)));
}

/// AIE2P: accumulator, shift, crRnd, crSRSMode (lanes of 64 bits), crSat, sign. Results have a half
/// or a quarter of a lane's bits.
template <typename Half, typename Quarter, bool isQuarter, typename Acc>
bool sizedLanes(Flight& f, Value& to, unsigned bytes) {
  using T = std::conditional_t<isQuarter, Quarter, Half>;
  return shiftRound<Acc, T>(f, to, bytes / sizeof(T), f.u(5) & 1, kAie2pModes);
}
template <bool isQuarter> bool srsSized(Flight& f, Value& to, unsigned bytes) {
  if (f.u(3) & 1) return sizedLanes<int32_t, int16_t, isQuarter, int64_t>(f, to, bytes);
  return sizedLanes<int16_t, int8_t, isQuarter, int32_t>(f, to, bytes);
}
template <bool isQuarter> void srsTo(Flight& f) {
  f.result(srsSized<isQuarter>(f, f.out[0], f.op->out[0].place->bytes()), 1);
}
template <bool isQuarter> void storeSrsTo(Flight& f) {
  f.result(srsSized<isQuarter>(f, f.memory, f.op->memoryBytes));
}

/// `value` * 2^shift in as many bits as Acc has, saturated when crSat says so.
template <typename Acc> Acc shiftUp(int64_t value, unsigned shift, uint32_t crSat, bool& overflow) {
  using Limits = std::numeric_limits<Acc>;
  const auto shifted = static_cast<int64_t>(static_cast<uint64_t>(value) << shift);
  const bool fits =
      shifted >> shift == value && shifted >= Limits::min() && shifted <= Limits::max();
  if (fits || !(crSat & 1)) return static_cast<Acc>(static_cast<uint64_t>(shifted));
  overflow = true;
  if (value >= 0) return Limits::max();
  return static_cast<Acc>(Limits::min() + ((crSat & 2) != 0));
}

template <typename T, typename Acc>
void shiftUpAll(Flight& f, const Value& from, uint32_t shift, uint32_t crSat) {
  bool overflow = false;
  const unsigned lanes = f.op->out[0].place->bytes() / sizeof(Acc);
  Value result;
  for (unsigned i = 0; i < lanes; ++i)
    result.set(
        shiftUp<Acc>(static_cast<int64_t>(from.get<T>(i)), shift & kShiftMask, crSat, overflow), i);
  f.out[0] = result;
  f.result(overflow, 1);
}

/// Inputs: [vector,] shift, crSat and for the dynamic forms crUPSSign.
template <typename T, typename Acc, bool isDynamic, bool loads> void ups(Flight& f) {
  constexpr unsigned kShift = loads ? 0 : 1;
  const Value& from = loads ? f.memory : f.in[0];
  if (isDynamic && !(f.u(kShift + 2) & 1))
    shiftUpAll<std::make_unsigned_t<T>, Acc>(f, from, f.u(kShift), f.u(kShift + 1));
  else
    shiftUpAll<T, Acc>(f, from, f.u(kShift), f.u(kShift + 1));
}

/// AIE2P: [vector,] shift, crSat, crUPSMode (lanes of 64 bits), sign.
template <typename T, typename Acc, bool loads> void upsSigned(Flight& f) {
  constexpr unsigned kShift = loads ? 0 : 1;
  const Value& from = loads ? f.memory : f.in[0];
  if (f.u(kShift + 3) & 1)
    shiftUpAll<T, Acc>(f, from, f.u(kShift), f.u(kShift + 1));
  else
    shiftUpAll<std::make_unsigned_t<T>, Acc>(f, from, f.u(kShift), f.u(kShift + 1));
}
template <typename Narrow, typename Wide, bool loads> void upsFrom(Flight& f) {
  f.u(loads ? 2 : 3) & 1 ? upsSigned<Wide, int64_t, loads>(f)
                         : upsSigned<Narrow, int32_t, loads>(f);
}

// clang-format off
#define AIRLITE_SRS(T, ACC, TEXT, S, A) \
  {"vsrs.s" TEXT, {srs<A, S, false>}}, {"vsrs.d" TEXT, {srs<A, S, true>}}, \
  {"vsrsm.s" TEXT, {srs<A, S, false>}}, {"vsrsm.d" TEXT, {srs<A, S, true>}}, \
  {"vst.srs.s" TEXT, {storeSrs<A, S, false>}}, {"vst.srs.d" TEXT, {storeSrs<A, S, true>}}, \
  {"vups.s" #ACC ".s" #T, {ups<S, A, false, false>}}, \
  {"vups.s" #ACC ".d" #T, {ups<S, A, true, false>}}, \
  {"vlda.ups.s" #ACC ".s" #T, {ups<S, A, false, true>}}, \
  {"vlda.ups.s" #ACC ".d" #T, {ups<S, A, true, true>}}

constexpr SemanticRow kShiftRoundRows[] = {
    AIRLITE_SRS(8, 32, "8.s32", int8_t, int32_t),
    AIRLITE_SRS(16, 32, "16.s32", int16_t, int32_t),
    AIRLITE_SRS(16, 64, "16.s64", int16_t, int64_t),
    AIRLITE_SRS(32, 64, "32.s64", int32_t, int64_t),
    {"vsrs.2x", {srsTo<false>}}, {"vsrs.4x", {srsTo<true>}},
    {"vst.srs.2x", {storeSrsTo<false>}}, {"vst.srs.4x", {storeSrsTo<true>}},
    {"vups.2x", {upsFrom<int16_t, int32_t, false>}}, {"vups.4x", {upsFrom<int8_t, int16_t, false>}},
    {"vlda.ups.2x", {upsFrom<int16_t, int32_t, true>}},
    {"vlda.ups.4x", {upsFrom<int8_t, int16_t, true>}},
};
#undef AIRLITE_SRS
// clang-format on

}  // namespace

std::span<const SemanticRow> shiftRoundSemantics() { return kShiftRoundRows; }

}  // namespace airlite::npu::sim::core
