// Lanes of integers in 512-bit registers: arithmetic, comparison, selection
// (docs/hardware/vector_facts.md, section 8). A comparison gives a bit per lane, lane 0 lowest.
// What vmaxdiff, vaddsub, vbneg and the flags of the one-operand forms mean comes from an emulator
// (C).
#include "Semantics.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace airlite::npu::sim::core {
namespace {

/// Wraps around like the machine.
template <typename T, typename Wide> T narrow(Wide value) {
  return static_cast<T>(static_cast<uint64_t>(value));
}

struct Add {
  template <typename T> static T value(T a, T b) { return narrow<T>(int64_t{a} + int64_t{b}); }
};
struct Sub {
  template <typename T> static T value(T a, T b) { return narrow<T>(int64_t{a} - int64_t{b}); }
};
struct And {
  template <typename T> static T value(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> static T value(T a, T b) { return a | b; }
};
struct Less {
  template <typename T> static bool flag(T a, T b) { return a < b; }
};
struct GreaterEqual {
  template <typename T> static bool flag(T a, T b) { return a >= b; }
};
struct SubLess : Sub, Less {};
struct SubGreaterEqual : Sub, GreaterEqual {};
struct MaxLess : Less {
  template <typename T> static T value(T a, T b) { return a < b ? b : a; }
};
struct MinGreaterEqual : GreaterEqual {
  template <typename T> static T value(T a, T b) { return a >= b ? b : a; }
};
struct MaxDifference : Less {
  template <typename T> static T value(T a, T b) {
    return narrow<T>(std::max<int64_t>(int64_t{a} - int64_t{b}, 0));
  }
};
// Of one operand; `b` is not used.
struct AbsoluteAboveZero {
  template <typename T> static T value(T a) { return narrow<T>(a < 0 ? -int64_t{a} : int64_t{a}); }
  template <typename T> static bool flag(T a) { return a > 0; }
};
struct NegateAboveZero {
  template <typename T> static T value(T a) { return narrow<T>(-int64_t{a}); }
  template <typename T> static bool flag(T a) { return a > 0; }
};
struct InvertBelowZero {
  template <typename T> static T value(T a) { return static_cast<T>(~a); }
  template <typename T> static bool flag(T a) { return a < 0; }
};
struct IsZero {
  template <typename T> static bool flag(T a) { return a == 0; }
};

template <typename O, typename T>
concept HasValue2 = requires(T a) {
  O::value(a, a);
};
template <typename O, typename T>
concept HasFlag2 = requires(T a) {
  O::flag(a, a);
};
template <typename O, typename T>
concept HasValue1 = requires(T a) {
  O::value(a);
};

/// Result, or mask, or both, in this order.
template <typename O, typename T> void two(Flight& f) {
  Value result;
  uint64_t mask = 0;
  for (unsigned i = 0; i < lanesOf<T>; ++i) {
    const T a = f.in[0].get<T>(i), b = f.in[1].get<T>(i);
    if constexpr (HasValue2<O, T>) result.set<T>(O::template value<T>(a, b), i);
    if constexpr (HasFlag2<O, T>) mask |= uint64_t{O::template flag<T>(a, b)} << i;
  }
  if constexpr (HasValue2<O, T>) f.out[0] = result;
  if constexpr (HasFlag2<O, T>) f.out[HasValue2<O, T>].set(mask);
}

template <typename O, typename T> void one(Flight& f) {
  Value result;
  uint64_t mask = 0;
  for (unsigned i = 0; i < lanesOf<T>; ++i) {
    const T a = f.in[0].get<T>(i);
    if constexpr (HasValue1<O, T>) result.set<T>(O::template value<T>(a), i);
    mask |= uint64_t{O::template flag<T>(a)} << i;
  }
  if constexpr (HasValue1<O, T>) f.out[0] = result;
  f.out[HasValue1<O, T>].set(mask);
}

/// crVaddSign says whether lanes have a sign.
template <typename O, typename T> void twoDynamic(Flight& f) {
  f.u(2) & 1 ? two<O, T>(f) : two<O, std::make_unsigned_t<T>>(f);
}
template <typename O, typename T> void oneDynamic(Flight& f) {
  f.u(1) & 1 ? one<O, T>(f) : one<O, std::make_unsigned_t<T>>(f);
}

float ofBf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

/// Comparisons of bf16 are those of IEEE: false with a NaN, and -0 equals 0 (C).
template <typename O, bool hasValue> void twoBf16(Flight& f) {
  Value result;
  uint32_t mask = 0;
  for (unsigned i = 0; i < lanesOf<uint16_t>; ++i) {
    const auto a = f.in[0].get<uint16_t>(i), b = f.in[1].get<uint16_t>(i);
    const bool flag = O::flag(ofBf16(a), ofBf16(b));
    result.set(flag ? b : a, i);
    mask |= uint32_t{flag} << i;
  }
  if constexpr (hasValue) f.out[0] = result;
  f.out[hasValue].set(mask);
}

/// A set bit takes the lane of the second operand.
template <typename T> void select(Flight& f) {
  const uint64_t mask = f.in[2].u64();
  Value result;
  for (unsigned i = 0; i < lanesOf<T>; ++i)
    result.set(f.in[mask >> i & 1].get<T>(i), i);
  f.out[0] = result;
}

/// A set bit subtracts.
template <typename T> void addOrSubtract(Flight& f) {
  const uint64_t mask = f.in[2].u64();
  Value result;
  for (unsigned i = 0; i < lanesOf<T>; ++i) {
    const T a = f.in[0].get<T>(i), b = f.in[1].get<T>(i);
    result.set<T>(mask >> i & 1 ? Sub::value<T>(a, b) : Add::value<T>(a, b), i);
  }
  f.out[0] = result;
}

// clang-format off
#define AIRLITE_COMMA ,
#define AIRLITE_WIDTHS(NAME, RUN, ...) \
  {NAME "8", {RUN<__VA_ARGS__ int8_t>}}, {NAME "16", {RUN<__VA_ARGS__ int16_t>}}, \
  {NAME "32", {RUN<__VA_ARGS__ int32_t>}}
#define AIRLITE_SIGNS2(NAME, OP) \
  {NAME ".s8", {two<OP, int8_t>}}, {NAME ".s16", {two<OP, int16_t>}}, \
  {NAME ".s32", {two<OP, int32_t>}}, {NAME ".d8", {twoDynamic<OP, int8_t>}}, \
  {NAME ".d16", {twoDynamic<OP, int16_t>}}, {NAME ".d32", {twoDynamic<OP, int32_t>}}

constexpr SemanticRow kVectorAluRows[] = {
    {"vadd.8", {two<Add, int8_t>}}, {"vadd.16", {two<Add, int16_t>}},
    {"vadd.32", {two<Add, int32_t>}},
    {"vsub.8", {two<Sub, int8_t>}}, {"vsub.16", {two<Sub, int16_t>}},
    {"vsub.32", {two<Sub, int32_t>}},
    {"vband", {two<And, uint64_t>}}, {"vbor", {two<Or, uint64_t>}},
    AIRLITE_SIGNS2("vlt", Less), AIRLITE_SIGNS2("vge", GreaterEqual),
    AIRLITE_SIGNS2("vsub_lt", SubLess), AIRLITE_SIGNS2("vsub_ge", SubGreaterEqual),
    AIRLITE_SIGNS2("vmax_lt", MaxLess), AIRLITE_SIGNS2("vmin_ge", MinGreaterEqual),
    AIRLITE_SIGNS2("vmaxdiff_lt", MaxDifference),
    {"vlt.bf16", {twoBf16<Less, false>}}, {"vge.bf16", {twoBf16<GreaterEqual, false>}},
    {"vmax_lt.bf16", {twoBf16<Less, true>}}, {"vmin_ge.bf16", {twoBf16<GreaterEqual, true>}},
    {"vabs_gtz.s8", {one<AbsoluteAboveZero, int8_t>}},
    {"vabs_gtz.s16", {one<AbsoluteAboveZero, int16_t>}},
    {"vabs_gtz.s32", {one<AbsoluteAboveZero, int32_t>}},
    {"vabs_gtz.d8", {oneDynamic<AbsoluteAboveZero, int8_t>}},
    {"vabs_gtz.d16", {oneDynamic<AbsoluteAboveZero, int16_t>}},
    {"vabs_gtz.d32", {oneDynamic<AbsoluteAboveZero, int32_t>}},
    {"vneg_gtz8", {one<NegateAboveZero, int8_t>}}, {"vneg_gtz16", {one<NegateAboveZero, int16_t>}},
    {"vneg_gtz32", {one<NegateAboveZero, int32_t>}},
    {"vbneg_ltz.s8", {one<InvertBelowZero, int8_t>}},
    {"vbneg_ltz.s16", {one<InvertBelowZero, int16_t>}},
    {"vbneg_ltz.s32", {one<InvertBelowZero, int32_t>}},
    {"veqz.8", {one<IsZero, int8_t>}}, {"veqz.16", {one<IsZero, int16_t>}},
    {"veqz.32", {one<IsZero, int32_t>}},
    // AIE2P: whether lanes have a sign is the last operand of every form.
    AIRLITE_WIDTHS("vlt.", twoDynamic, Less AIRLITE_COMMA), AIRLITE_WIDTHS("vge.", twoDynamic, GreaterEqual AIRLITE_COMMA),
    AIRLITE_WIDTHS("vsub_lt.", twoDynamic, SubLess AIRLITE_COMMA),
    AIRLITE_WIDTHS("vsub_ge.", twoDynamic, SubGreaterEqual AIRLITE_COMMA),
    AIRLITE_WIDTHS("vmax_lt.", twoDynamic, MaxLess AIRLITE_COMMA),
    AIRLITE_WIDTHS("vmin_ge.", twoDynamic, MinGreaterEqual AIRLITE_COMMA),
    AIRLITE_WIDTHS("vmaxdiff_lt.", twoDynamic, MaxDifference AIRLITE_COMMA),
    AIRLITE_WIDTHS("vabs_gtz.", oneDynamic, AbsoluteAboveZero AIRLITE_COMMA),
    AIRLITE_WIDTHS("vneg_gtz.", one, NegateAboveZero AIRLITE_COMMA),
    AIRLITE_WIDTHS("vsel.", select), AIRLITE_WIDTHS("vaddsub.", addOrSubtract),
};
#undef AIRLITE_WIDTHS
#undef AIRLITE_COMMA
#undef AIRLITE_SIGNS2
// clang-format on

}  // namespace

std::span<const SemanticRow> vectorAluSemantics() { return kVectorAluRows; }

}  // namespace airlite::npu::sim::core
