// See FloatOps.hpp.
#include "FloatOps.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace airlite {

using arith::CmpIPredicate;

/// Of lanes that are all alike, too, and of extended ones.
std::optional<double> floatConstantOf(Value x) {
  for (const char* name : {"arith.extf", "vector.broadcast"})
    if (Operation* op = x.definingOp(); op && op->is(name)) x = op->operand(0);
  Attribute constant = constantOf(x);
  if (auto lanes = constant ? constant.dynCast<DenseElementsAttr>() : DenseElementsAttr())
    constant = lanes.isSplat() ? lanes.splatValue() : Attribute();
  auto value = constant ? constant.dynCast<FloatAttr>() : FloatAttr();
  return value ? std::optional(value.value()) : std::nullopt;
}

Type FloatOps::shaped(Type element) const {
  auto vector = like_.dynCast<VectorType>();
  return vector ? Type(VectorType::get(element.context(), vector.shape(), element)) : element;
}

Value FloatOps::constant(Attribute element) {
  Type type = shaped(attributeType(element));
  if (!type.isa<VectorType>()) return rewriter_.constant(location_, element);
  return rewriter_.constant(location_,
                            DenseElementsAttr::get(type.cast<ShapedType>(), {&element, 1}));
}

Value FloatOps::number(double value) { return constant(FloatAttr::get(rewriter_.f32(), value)); }

Value FloatOps::word(uint32_t bits) {
  return constant(rewriter_.i32Attr(static_cast<int32_t>(bits)));
}

Value FloatOps::converted(std::string_view name, Value x, Type element) {
  return rewriter_.create(location_, name, {x}, {shaped(element)})->result();
}

Value FloatOps::bits(Value x) { return converted("arith.bitcast", x, rewriter_.intType(32)); }

Value FloatOps::fromBits(Value word) { return converted("arith.bitcast", word, rewriter_.f32()); }

Value FloatOps::binary(std::string_view name, Value a, Value b) {
  return rewriter_.create(location_, name, {a, b}, {a.type()})->result();
}

Value FloatOps::add(Value a, Value b) { return binary("arith.addf", a, b); }
Value FloatOps::subtract(Value a, Value b) { return binary("arith.subf", a, b); }
Value FloatOps::negate(Value x) { return subtract(number(-0.0), x); }

Value FloatOps::compare(uint8_t predicate, Value a, Value b) {
  return rewriter_
      .create(location_, "arith.cmpi", {a, b}, {shaped(rewriter_.intType(1))},
              {rewriter_.named("predicate", rewriter_.i64Attr(predicate))})
      ->result();
}

Value FloatOps::isLess(Value a, Value b) {
  return compare(static_cast<uint8_t>(CmpIPredicate::slt), bits(subtract(a, b)), word(0));
}

Value FloatOps::select(Value condition, Value onTrue, Value onFalse) {
  return rewriter_.create(location_, "arith.select", {condition, onTrue, onFalse}, {onTrue.type()})
      ->result();
}

Value FloatOps::magnitude(Value x) {
  return fromBits(binary("arith.andi", bits(x), word(0x7fffffff)));
}

/// The larger of x and 0 is, as an integer, that of its bits and 0.
Value FloatOps::larger(Value a, Value b) {
  for (auto [x, other] : {std::pair{a, b}, {b, a}})
    if (floatConstantOf(other) == 0.0) return fromBits(binary("arith.maxsi", bits(x), word(0)));
  return select(isLess(a, b), b, a);
}

Value FloatOps::smaller(Value a, Value b) { return select(isLess(b, a), b, a); }

// -- Products -------------------------------------------------------------------------------------

/// 1 for what a bf16 holds.
unsigned FloatOps::piecesOf(Value x) const {
  Operation* op = x.definingOp();
  if (op && op->is("arith.extf")) return 1;
  const auto value = floatConstantOf(x);
  const bool isShort = value && (std::bit_cast<uint32_t>(static_cast<float>(*value)) & 0xffff) == 0;
  return isShort ? 1 : 3;
}

Value FloatOps::sumOfProduct(Value a, Value b, Value c, unsigned piecesA, unsigned piecesB) {
  const std::array<int64_t, 2> counts = {piecesA, piecesB};
  return rewriter_
      .create(location_, "math.fma", {a, b, c}, {shaped(rewriter_.f32())},
              {rewriter_.named(kBf16Pieces, DenseArrayAttr::getI64(rewriter_.context(), counts))})
      ->result();
}

Value FloatOps::sumWith(unsigned most, Value a, Value b, Value c) {
  return sumOfProduct(a, b, c, std::min(most, piecesOf(a)), std::min(most, piecesOf(b)));
}

Value FloatOps::roughSum(Value a, Value b, Value c) {
  return sumWith(quality_ == FloatQuality::F32 ? 2 : 1, a, b, c);
}

Value FloatOps::multiplyAdd(Value a, Value b, Value c) {
  return sumWith(quality_ == FloatQuality::F32 ? 3 : 2, a, b, c);
}

Value FloatOps::multiply(Value a, Value b) { return multiplyAdd(a, b, number(0)); }

Value FloatOps::polynomial(Value x, std::span<const double> coefficients) {
  Value sum = number(coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;)
    sum = roughSum(sum, x, number(coefficients[i]));
  return sum;
}

}  // namespace airlite
