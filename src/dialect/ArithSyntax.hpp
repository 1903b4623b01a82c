// Constraints and formats that the definitions of arith and math share.
#pragma once

#include "airlite/ir/Constraints.hpp"

#include <string_view>

namespace airlite::arith {

// ArithEnums.cpp.
extern const AttrConstraint kCmpIPredicate, kCmpFPredicate, kRoundingMode, kFastMathFlags,
    kOverflowFlags;

/// `#arith.fastmath<...>`, `#arith.overflow<...>` and `custom<FastMath>`, `custom<Overflow>`.
void registerFlagAttributes(Dialect& dialect);

inline constexpr std::string_view kNoFastMath = "#arith.fastmath<none>";
inline constexpr std::string_view kNoOverflowFlags = "#arith.overflow<none>";

/// `%a : T`, with fast-math flags.
inline constexpr std::string_view kFloatUnaryFormat =
    "$operand (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` type($result)";
inline constexpr std::string_view kFloatBinaryFormat =
    "$lhs `,` $rhs (`fastmath` `` custom<FastMath>($fastmath)^)? attr-dict `:` type($result)";

}  // namespace airlite::arith
