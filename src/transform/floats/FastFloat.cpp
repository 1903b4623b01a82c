// See FastFloat.hpp.
#include "FastFloat.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <array>
#include <bit>

namespace airlite {

using arith::CmpIPredicate;

namespace {

constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
/// 1.5 * 2^23: added to a small number, it rounds that to a whole one.
constexpr double kMagic = 12582912;

}  // namespace

// -- Parts ----------------------------------------------------------------------------------------

Type FastFloat::shaped(Type element) const {
  auto vector = like_.dynCast<VectorType>();
  return vector ? Type(VectorType::get(element.context(), vector.shape(), element)) : element;
}

Value FastFloat::constant(Attribute element) {
  Type type = shaped(attributeType(element));
  if (!type.isa<VectorType>()) return rewriter_.constant(location_, element);
  return rewriter_.constant(location_,
                            DenseElementsAttr::get(type.cast<ShapedType>(), {&element, 1}));
}

Value FastFloat::number(double value) { return constant(FloatAttr::get(rewriter_.f32(), value)); }

Value FastFloat::word(uint32_t bits) {
  return constant(rewriter_.i32Attr(static_cast<int32_t>(bits)));
}

Value FastFloat::bits(Value x) {
  return rewriter_.create(location_, "arith.bitcast", {x}, {shaped(rewriter_.intType(32))})
      ->result();
}

Value FastFloat::fromBits(Value word) {
  return rewriter_.create(location_, "arith.bitcast", {word}, {shaped(rewriter_.f32())})->result();
}

Value FastFloat::binary(std::string_view name, Value a, Value b) {
  return rewriter_.create(location_, name, {a, b}, {a.type()})->result();
}

Value FastFloat::add(Value a, Value b) { return binary("arith.addf", a, b); }
Value FastFloat::subtract(Value a, Value b) { return binary("arith.subf", a, b); }
Value FastFloat::negate(Value x) { return subtract(number(-0.0), x); }

Value FastFloat::compare(uint8_t predicate, Value a, Value b) {
  return rewriter_
      .create(location_, "arith.cmpi", {a, b}, {shaped(rewriter_.intType(1))},
              {rewriter_.named("predicate", rewriter_.i64Attr(predicate))})
      ->result();
}

Value FastFloat::isLess(Value a, Value b) {
  return compare(static_cast<uint8_t>(CmpIPredicate::slt), bits(subtract(a, b)), word(0));
}

Value FastFloat::isEqual(Value a, Value b) {
  return compare(static_cast<uint8_t>(CmpIPredicate::eq), bits(subtract(a, b)), word(0));
}

Value FastFloat::select(Value condition, Value onTrue, Value onFalse) {
  return rewriter_.create(location_, "arith.select", {condition, onTrue, onFalse}, {onTrue.type()})
      ->result();
}

Value FastFloat::magnitude(Value x) {
  return fromBits(binary("arith.andi", bits(x), word(0x7fffffff)));
}

/// Of lanes that are all alike, too.
std::optional<double> floatConstantOf(Value x) {
  Attribute constant = constantOf(x);
  if (auto lanes = constant ? constant.dynCast<DenseElementsAttr>() : DenseElementsAttr())
    constant = lanes.isSplat() ? lanes.splatValue() : Attribute();
  auto value = constant ? constant.dynCast<FloatAttr>() : FloatAttr();
  return value ? std::optional(value.value()) : std::nullopt;
}

/// The larger of x and 0 is, as an integer, that of its bits and 0.
Value FastFloat::larger(Value a, Value b) {
  for (auto [x, other] : {std::pair{a, b}, {b, a}})
    if (floatConstantOf(other) == 0.0) return fromBits(binary("arith.maxsi", bits(x), word(0)));
  return select(isLess(a, b), b, a);
}

Value FastFloat::smaller(Value a, Value b) { return select(isLess(b, a), b, a); }

// -- Products -------------------------------------------------------------------------------------

/// 1 for what a bf16 holds.
unsigned FastFloat::piecesOf(Value x) const {
  Operation* op = x.definingOp();
  if (op && op->is("arith.extf")) return 1;
  const auto value = floatConstantOf(x);
  const bool isShort = value && (std::bit_cast<uint32_t>(static_cast<float>(*value)) & 0xffff) == 0;
  return isShort ? 1 : 3;
}

Value FastFloat::sumOfProduct(Value a, Value b, Value c, unsigned piecesA, unsigned piecesB) {
  const std::array<int64_t, 2> counts = {piecesA, piecesB};
  return rewriter_
      .create(location_, "math.fma", {a, b, c}, {shaped(rewriter_.f32())},
              {rewriter_.named(kBf16Pieces, DenseArrayAttr::getI64(rewriter_.context(), counts))})
      ->result();
}

Value FastFloat::sumWith(unsigned most, Value a, Value b, Value c) {
  return sumOfProduct(a, b, c, std::min(most, piecesOf(a)), std::min(most, piecesOf(b)));
}

Value FastFloat::roughSum(Value a, Value b, Value c) {
  return sumWith(quality_ == FloatQuality::F32 ? 2 : 1, a, b, c);
}

Value FastFloat::multiplyAdd(Value a, Value b, Value c) {
  return sumWith(quality_ == FloatQuality::F32 ? 3 : 2, a, b, c);
}

Value FastFloat::multiply(Value a, Value b) { return multiplyAdd(a, b, number(0)); }

/// Of a factor, in the last step of Newton's method.
unsigned FastFloat::piecesOfLastStep() const { return quality_ == FloatQuality::F32 ? 3 : 2; }

Value FastFloat::polynomial(Value x, std::span<const double> coefficients) {
  Value sum = number(coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;)
    sum = roughSum(sum, x, number(coefficients[i]));
  return sum;
}

// -- Functions ------------------------------------------------------------------------------------

/// Newton's method from a guess of the exponent and a line for the fraction, which is 12 % off at
/// most; each step squares the error, and needs no more pieces than that leaves right.
Value FastFloat::reciprocal(Value x) {
  constexpr uint32_t kGuess = 0x7ef311c7;
  Value guess = fromBits(binary("arith.subi", word(kGuess), bits(x)));
  Value minus = negate(x), one = number(1);
  for (unsigned pieces = 1; pieces < piecesOfLastStep(); ++pieces)
    guess = sumWith(1, guess, sumWith(pieces, minus, guess, one), guess);
  return roughSum(guess, multiplyAdd(minus, guess, one), guess);
}

Value FastFloat::divide(Value a, Value b) { return multiply(a, reciprocal(b)); }

/// As `reciprocal`; the guess is 3.5 % off. No square of the guess is made: of 0 it would be
/// infinite.
Value FastFloat::reciprocalRoot(Value x) {
  constexpr uint32_t kGuess = 0x5f375a86;
  Value guess =
      fromBits(binary("arith.subi", word(kGuess), binary("arith.shrsi", bits(x), word(1))));
  Value minusHalf = multiply(x, number(-0.5)), half = number(0.5);
  for (unsigned pieces = 1; pieces < piecesOfLastStep(); ++pieces) {
    Value product = sumWith(pieces, minusHalf, guess, number(0));
    guess = sumWith(1, guess, sumWith(pieces, product, guess, half), guess);
  }
  Value root = roughSum(guess, multiplyAdd(multiply(minusHalf, guess), guess, half), guess);
  // Above the bits of -0 are those of negative numbers.
  Value isNegative = compare(static_cast<uint8_t>(CmpIPredicate::ugt), bits(x), word(0x80000000));
  return select(isNegative, fromBits(word(0x7fc00000)), root);
}

Value FastFloat::root(Value x) { return multiply(x, reciprocalRoot(x)); }

/// Of a number that a bf16 holds, by its bits: a negative number is an integer that has no sign and
/// grows with its size.
Value FastFloat::clamped(Value x, double least, double most) {
  auto bitsOf = [&](double limit) {
    const auto wide = std::bit_cast<uint32_t>(static_cast<float>(limit));
    return constant(IntegerAttr::get(rewriter_.intType(16), static_cast<int16_t>(wide >> 16)));
  };
  Value narrow = x.definingOp()->operand(0);
  Value lanes =
      rewriter_.create(location_, "arith.bitcast", {narrow}, {shaped(rewriter_.intType(16))})
          ->result();
  lanes = binary("arith.minui", binary("arith.minsi", lanes, bitsOf(most)), bitsOf(least));
  return ofBf16Bits(lanes);
}

Value FastFloat::ofBf16Bits(Value lanes) {
  Value number = rewriter_
                     .create(location_, "arith.bitcast", {lanes},
                             {shaped(FloatType::get(rewriter_.context(), FloatKind::BF16))})
                     ->result();
  return rewriter_.create(location_, "arith.extf", {number}, {shaped(rewriter_.f32())})->result();
}

Value FastFloat::exponential(Value x) {
  return quality_ == FloatQuality::Bf16 ? narrowExponential(x) : wideExponential(x);
}

/// 2^n * e^r with n whole and r between -0.36 and 0.36. Adding 1.5 * 2^23 rounds to a whole number,
/// which then lies in the last bits; shifted, these are the exponent of 2^n.
Value FastFloat::wideExponential(Value x) {
  constexpr double kLowest = -87.33654, kHighest = 88.72283;
  // With the least largest relative error of its degree on the interval (Remez's exchange): 3.2e-6.
  constexpr double kSeries[] = {0.99999906590288, 0.99995725184550, 0.50005100265043,
                                0.16801014950487, 0.04144159244670};
  Value magic = number(kMagic);
  // The product first: a sum of products would round each of them to a whole number.
  Value shifted = add(sumOfProduct(x, number(kLog2E), number(0), 2, 2), magic);
  Value whole = subtract(shifted, magic);
  Value rest = sumOfProduct(whole, number(-kLn2), x, 1, 3);
  Value exponent = binary("arith.shli", bits(shifted), word(23));
  Value scaled = fromBits(binary("arith.addi", bits(polynomial(rest, kSeries)), exponent));
  Value bounded = select(isLess(x, number(kLowest)), number(0), scaled);
  return select(isLess(number(kHighest), x), fromBits(word(0x7f800000)), bounded);
}

/// As `wideExponential`, with r between -0.21 and 0.49, so that 2^n is finite where the result is.
/// The bits of 2^n as a bf16 are a sum: n + 127, the exponent, is counted in 128ths there. Limits:
/// n = -127 gives 0, n = 128 infinity.
Value FastFloat::narrowExponential(Value x) {
  constexpr double kLeast = -88, kMost = 89, kOffset = -0.2;
  // The least largest relative error of its degree: 7.8e-5.
  constexpr double kSeries[] = {0.999984842, 0.99901267, 0.501012888, 0.190283078};
  Value bounded = clamped(x, kLeast, kMost);
  Value magic = number(kMagic);
  Value shifted = add(sumOfProduct(bounded, number(kLog2E), number(kOffset), 1, 2), magic);
  Value whole = subtract(shifted, magic);
  Value rest = sumOfProduct(whole, number(-kLn2), bounded, 1, 2);
  Value power = bits(sumOfProduct(whole, number(128), number(kMagic + 127 * 128), 1, 1));
  Value lanes =
      rewriter_.create(location_, "arith.trunci", {power}, {shaped(rewriter_.intType(16))})
          ->result();
  return rough(polynomial(rest, kSeries), ofBf16Bits(lanes));
}

/// x P(x^2) for a function that is odd and ends near `most`: P is written in x^2 - `middle`, where
/// its terms do not cancel each other.
Value FastFloat::oddFunction(Value x, double most, double middle, std::span<const double> series) {
  Value bounded = clamped(x, -most, most);
  Value square = roughSum(bounded, bounded, number(-middle));
  return rough(bounded, polynomial(square, series));
}

/// F32: near 0 a series, elsewhere 1 - 2 / (e^2x + 1).
Value FastFloat::tangent(Value x) {
  if (quality_ == FloatQuality::Bf16) {
    constexpr double kSeries[] = {0.494180329,    -0.0555390332,   0.00781849783, -0.00100211671,
                                  0.000268770611, -7.09894518e-05, 6.56909023e-06};
    return oddFunction(x, 3, 3.78, kSeries);
  }
  constexpr double kSeries[] = {1, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835};
  Value grown = exponential(smaller(add(x, x), number(40)));
  Value far = multiplyAdd(number(-2), reciprocal(add(grown, number(1))), number(1));
  Value series = multiply(x, polynomial(rough(x, x), kSeries));
  return select(isLess(magnitude(x), number(0.3)), series, far);
}

/// F32: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26 (error below 1.5e-7).
Value FastFloat::errorFunction(Value x) {
  if (quality_ == FloatQuality::Bf16) {
    constexpr double kNarrow[] = {0.674889188, -0.129705049, 0.0298505885, -0.00694322167,
                                  0.00116077092};
    return oddFunction(x, 2, 2, kNarrow);
  }
  constexpr double kScale = 0.3275911;
  constexpr double kSeries[] = {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429};
  Value size = magnitude(x), one = number(1);
  Value inverse = reciprocal(roughSum(size, number(kScale), one));
  Value sum = number(kSeries[4]);
  for (size_t i = 4; i-- > 0;)
    sum = multiplyAdd(sum, inverse, number(kSeries[i]));  // of large terms with either sign
  Value tail = multiply(multiply(inverse, sum), exponential(multiply(negate(size), size)));
  Value result = subtract(one, tail);
  return select(isLess(x, number(0)), negate(result), result);
}

}  // namespace airlite
