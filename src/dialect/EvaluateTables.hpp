// What the evaluations of arith and math share: the shape of their tables, floats and their bits.
#pragma once

#include "airlite/dialect/Evaluate.hpp"
#include "airlite/ir/Attribute.hpp"

#include <bit>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace airlite {

struct EvaluationEntry {
  Evaluation (*compute)(const ElementOp& op, const uint64_t* in, uint64_t* out);
  const void* detail = nullptr;
  EvaluationEntry(Evaluation (*function)(const ElementOp&, const uint64_t*, uint64_t*),
                  const void* more = nullptr)  // NOLINT: a table row is a function
      : compute(function), detail(more) {}
};
using EvaluationTable = std::unordered_map<std::string_view, EvaluationEntry>;

namespace math {
const EvaluationTable& evaluations();
/// Makes a function of f32 one whose result is rounded to bf16 (kBf16Result).
void roundToBf16(ElementOp& op);
}  // namespace math

using FloatFn2 = double (*)(double, double);

inline double decodeFloat(FloatKind kind, uint64_t bits) {
  if (kind == FloatKind::F32)
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return floatFromBits(kind, bits);
}

/// Rounded to nearest even; every NaN is the positive quiet one.
inline uint64_t encodeFloat(FloatKind kind, double value) {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  if (kind == FloatKind::F32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return floatToBits(kind, value);
}

}  // namespace airlite
