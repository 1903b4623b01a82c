// What an elementwise op of arith and math computes for one element. The interpreter and the
// folders of constants use these functions.
//
//   uint64_t in[] = {7, 3}, out = 0;
//   auto add = elementOp(op);  // of an arith.addi
//   if (add && add->compute(*add, in, &out) == Evaluation::Value) use(out);
#pragma once

#include "airlite/ir/Operation.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace airlite {

/// Undefined: the program has no meaning (division by zero). Poison: the element has none.
enum class Evaluation : uint8_t { Value, Poison, Undefined };

/// An elementwise op without its shape: an element is its bits, an integer zero-extended from its
/// width (index: 64), a float in its own format.
struct ElementOp {
  /// `in`: one element of each operand; `out`: one of each result, without the bits above its
  /// width.
  Evaluation (*compute)(const ElementOp& op, const uint64_t* in, uint64_t* out) = nullptr;
  unsigned inWidth = 64, outWidth = 64;
  FloatKind inFloat = FloatKind::F64, outFloat = FloatKind::F64;
  uint32_t flags = 0;      // arith::Overflow
  uint32_t predicate = 0;  // of a comparison
  Bf16PieceCounts pieces;  // of a product in pieces
  const void* detail = nullptr;
};

/// How many pieces of bf16 the factors of a math.fma are split into (kBf16Pieces); none where they
/// are multiplied whole.
std::optional<Bf16PieceCounts> bf16PiecesOf(const Operation& op);

/// Empty for other ops than elementwise ones of arith or math, and for elements of more than 64
/// bits.
std::optional<ElementOp> elementOp(Operation& op);
/// The op called `name` on elements of `operand`, without flags; empty when it is not known.
std::optional<ElementOp> namedElementOp(std::string_view name, Type operand, Type result);
/// The ops that elementOp knows, with their dialect.
std::vector<std::string_view> elementOpNames();

}  // namespace airlite
