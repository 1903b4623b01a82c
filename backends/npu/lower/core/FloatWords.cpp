#include "FloatWords.hpp"

namespace airlite::npu {

namespace {

/// A row of as many elements of another type.
VectorType withElements(Value row, Type element) {
  return VectorType::get(element.context(), row.type().cast<VectorType>().shape(), element);
}

}  // namespace

Value FloatWords::binary(std::string_view name, Value a, Value b) {
  return rewriter_.create(location_, name, {a, b}, {a.type()})->result();
}

Value FloatWords::words(uint32_t bits, Value like) {
  Attribute number = rewriter_.i32Attr(static_cast<int32_t>(bits));
  VectorType type = withElements(like, rewriter_.intType(32));
  return rewriter_.constant(location_, DenseElementsAttr::get(type, {&number, 1}));
}

Value FloatWords::with(std::string_view name, Value a, uint32_t bits) {
  return binary(name, a, words(bits, a));
}

Value FloatWords::asFloats(Value words) {
  return rewriter_
      .create(location_, "arith.bitcast", {words}, {withElements(words, rewriter_.f32())})
      ->result();
}

Value FloatWords::asWords(Value floats) {
  return rewriter_
      .create(location_, "arith.bitcast", {floats}, {withElements(floats, rewriter_.intType(32))})
      ->result();
}

/// After the point of 1.5 * 2^23, which goes again. Nothing is rounded.
Value FloatWords::floatsOfShort(Value numbers) {
  Value base = words(0x4b400000, numbers);
  return binary("arith.subf", asFloats(binary("arith.addi", numbers, base)), asFloats(base));
}

/// The upper 16 bits after the point of 2^39 and the lower ones after that of 2^23. Both are taken
/// away from the upper ones, which rounds nothing; the sum is rounded once.
Value FloatWords::floatsOfWords(Value numbers, bool areSigned) {
  Value low = with("arith.ori", with("arith.andi", numbers, 0xffff), 0x4b000000);
  Value high = areSigned ? with("arith.xori", numbers, 0x80000000) : numbers;
  high = with("arith.ori", with("arith.shrui", high, 16), 0x53000000);
  // 2^39 + 2^23, and what the turned sign adds: 2^31.
  Value bases = asFloats(words(areSigned ? 0x53008080 : 0x53000080, numbers));
  return binary("arith.addf", binary("arith.subf", asFloats(high), bases), asFloats(low));
}

FloatWords::Split FloatWords::split(Value floats, uint32_t base) {
  Value point = asFloats(words(base, floats));
  Value sum = binary("arith.addf", floats, point);
  Value whole = with("arith.subi", asWords(sum), base);
  return {whole, binary("arith.subf", sum, point)};
}

/// The magnitude is rounded to a multiple of 2^16 after the point of 2^39; what is left, after that
/// of 1.5 * 2^23, to a whole number, which is one less where it became larger. All differences are
/// exact.
Value FloatWords::wholePart(Value floats, bool areSigned) {
  Value bits = asWords(floats);
  Value magnitude = asFloats(with("arith.andi", bits, 0x7fffffff));
  auto [upper, upperValue] = split(magnitude, 0x53000000);
  Value rest = binary("arith.subf", magnitude, upperValue);
  auto [lower, lowerValue] = split(rest, 0x4b400000);
  Value excess = asWords(binary("arith.subf", rest, lowerValue));
  lower = binary("arith.addi", lower, with("arith.shrsi", excess, 31));
  Value whole = binary("arith.addi", with("arith.shli", upper, 16), lower);
  if (!areSigned) return whole;
  Value sign = with("arith.shrsi", bits, 31);
  return binary("arith.subi", binary("arith.xori", whole, sign), sign);
}

}  // namespace airlite::npu
