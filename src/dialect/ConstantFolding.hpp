// Evaluation of constants element by element: what the folders of arith, math and ub share.
//
// An element is its bits: an integer zero-extended from its width (index: 64), a float in its own
// format. So one loop serves scalars, splats and dense elements of every type.
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace airlite::folding {

using Constants = std::span<const Attribute>;
using Results = std::vector<FoldResult>;

constexpr uint64_t maskOf(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}
constexpr int64_t signExtend(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}
constexpr uint64_t signBit(unsigned width) { return uint64_t(1) << (width - 1); }

/// A constant seen as element bits.
class ConstantBits {
 public:
  /// Empty when `constant` is null, not made of integers or floats, or wider than 64 bits.
  static std::optional<ConstantBits> get(Attribute constant);
  Type elementType() const { return element_; }
  bool isScalar() const { return !dense_; }
  bool isSplat() const { return isScalar() || dense_.isSplat(); }
  uint64_t at(int64_t i) const;

 private:
  Type element_;
  uint64_t scalar_ = 0;
  DenseElementsAttr dense_;
};

/// The bits of a scalar or splat integer constant.
std::optional<uint64_t> intSplat(Attribute constant);
/// The value of a scalar or splat float constant.
std::optional<double> floatSplat(Attribute constant);
bool isIntSplat(Attribute constant, int64_t value);
bool isFloatSplat(Attribute constant, double value);  // tells -0.0 from 0.0

/// The constant of `type` whose elements are all `bits`; null when the shape is not static.
Attribute splatOf(Type type, uint64_t bits);
Attribute floatSplatOf(Type type, double value);

/// `#ub.poison`.
bool isPoison(Attribute constant);
Attribute poisonAttr(Context& context);

double toDouble(Type floatType, uint64_t bits);
/// Rounded to the format of `floatType`; every NaN is the positive quiet one.
uint64_t fromDouble(Type floatType, double value);

/// Bits of one result element from those of the operands; empty: not foldable.
using ElementFn = FunctionRef<std::optional<uint64_t>(std::span<const uint64_t>)>;

/// Applies `element` over the constants; null when one is not constant or an element refuses.
Attribute mapElements(Type resultType, Constants operands, ElementFn element);

/// Folds the only result of `op` so. A poison operand makes poison.
LogicalResult foldElements(Operation& op, Constants operands, Results& results, ElementFn element);

/// `element(lhs, rhs, width)` on integers.
template <class Fn>
LogicalResult foldInts(Operation& op, Constants operands, Results& results, Fn element) {
  unsigned width = elementTypeOrSelf(op.operand(0).type()).bitWidth();
  return foldElements(op, operands, results,
                      [&](std::span<const uint64_t> bits) -> std::optional<uint64_t> {
                        return element(bits[0], bits[1], width);
                      });
}

/// `element(x, ...)` on floats of one type, in double and rounded once (exact for + - * / sqrt, as
/// double has more than twice the bits of every narrower format).
template <class Fn>
LogicalResult foldFloats(Operation& op, Constants operands, Results& results, Fn element) {
  Type type = elementTypeOrSelf(op.operand(0).type());
  return foldElements(
      op, operands, results, [&](std::span<const uint64_t> bits) -> std::optional<uint64_t> {
        if constexpr (std::is_invocable_v<Fn, double>)
          return fromDouble(type, element(toDouble(type, bits[0])));
        else
          return fromDouble(type, element(toDouble(type, bits[0]), toDouble(type, bits[1])));
      });
}

inline LogicalResult foldTo(Results& results, FoldResult value) {
  if (!value) return failure();
  results.push_back(value);
  return success();
}

/// Moves a constant left operand of a commutative op to the right: true when it did.
bool moveConstantRight(Operation& op, Constants operands);

/// The op called `name` that defines `value`, or null.
inline Operation* definedBy(Value value, std::string_view name) {
  Operation* op = value.definingOp();
  return op && op->is(name) ? op : nullptr;
}

}  // namespace airlite::folding
