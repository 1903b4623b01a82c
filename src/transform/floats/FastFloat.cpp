// See FastFloat.hpp.
#include "FastFloat.hpp"

#include "airlite/dialect/Arith.hpp"

#include <bit>

namespace airlite {

using arith::CmpIPredicate;

namespace {

constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
/// 1.5 * 2^23: added to a small number, it rounds that to a whole one.
constexpr double kMagic = 12582912;
constexpr uint32_t kInfiniteBits = 0x7f800000, kNaNBits = 0x7fc00000;

}  // namespace

/// Of a factor, in the last step of Newton's method.
unsigned FastFloat::piecesOfLastStep() const { return quality() == FloatQuality::F32 ? 3 : 2; }

/// Newton's method from a guess of the exponent and a line for the fraction, which is 12 % off at
/// most; each step squares the error, and needs no more pieces than that leaves right. From 0 it
/// stays 0: that is the guess for large numbers, as sums of powers become, and an infinite one is
/// limited for the steps. Negative numbers of that size are left alone (NaN), and NaN stays NaN.
Value FastFloat::reciprocal(Value x) {
  constexpr uint32_t kGuess = 0x7ef311c7, kMinusLarge = 0xff000000;
  Value limited = binary("arith.minsi", bits(x), word(kGuess));
  Value guess = fromBits(binary("arith.subi", word(kGuess), limited));
  Value minus = fromBits(binary("arith.minui", bits(negate(x)), word(kMinusLarge)));
  Value one = number(1);
  for (unsigned pieces = 1; pieces < piecesOfLastStep(); ++pieces)
    guess = sumWith(1, guess, sumWith(pieces, minus, guess, one), guess);
  return roughSum(guess, multiplyAdd(minus, guess, one), guess);
}

Value FastFloat::divide(Value a, Value b) {
  if (floatConstantOf(a) == 1.0) return reciprocal(b);
  return multiply(a, reciprocal(b));
}

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
  return select(isNegative, fromBits(word(kNaNBits)), root);
}

Value FastFloat::root(Value x) { return multiply(x, reciprocalRoot(x)); }

/// Of a number that a bf16 holds, by its bits: a negative number is an integer that has no sign and
/// grows with its size.
Value FastFloat::clamped(Value x, double least, double most) {
  auto bitsOf = [&](double limit) {
    const auto wide = std::bit_cast<uint32_t>(static_cast<float>(limit));
    return constant(IntegerAttr::get(rewriter().intType(16), static_cast<int16_t>(wide >> 16)));
  };
  Value narrow = x.definingOp()->operand(0);
  Value lanes = converted("arith.bitcast", narrow, rewriter().intType(16));
  lanes = binary("arith.minui", binary("arith.minsi", lanes, bitsOf(most)), bitsOf(least));
  return ofBf16Bits(lanes);
}

Value FastFloat::ofBf16Bits(Value lanes) {
  Type narrow = FloatType::get(rewriter().context(), FloatKind::BF16);
  return converted("arith.extf", converted("arith.bitcast", lanes, narrow), rewriter().f32());
}

Value FastFloat::exponential(Value x) {
  return quality() == FloatQuality::Bf16 ? narrowExponential(x) : wideExponential(x);
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
  return select(isLess(number(kHighest), x), fromBits(word(kInfiniteBits)), bounded);
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
  Value lanes = converted("arith.trunci", power, rewriter().intType(16));
  return rough(polynomial(rest, kSeries), ofBf16Bits(lanes));
}

/// x P(x^2) for a function that is odd and ends near `most`: P is written in x^2 - `middle`, where
/// its terms do not cancel each other. The series are chosen so that the result of `most` is 1.
Value FastFloat::oddFunction(Value x, double most, double middle, std::span<const double> series) {
  Value bounded = clamped(x, -most, most);
  Value square = roughSum(bounded, bounded, number(-middle));
  return rough(bounded, polynomial(square, series));
}

/// F32: near 0 a series, elsewhere 1 - 2 / (e^2x + 1).
Value FastFloat::tangent(Value x) {
  if (quality() == FloatQuality::Bf16) {
    constexpr double kSeries[] = {0.494180329,    -0.0555390332,   0.00781849783, -0.00100211671,
                                  0.000270770611, -7.09894518e-05, 6.56909023e-06};
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
  if (quality() == FloatQuality::Bf16) {
    constexpr double kNarrow[] = {0.674889188, -0.129705049, 0.0298505885, -0.00694322167,
                                  0.00122077092};
    return oddFunction(x, 2, 2, kNarrow);
  }
  constexpr double kScale = 0.3275911;
  constexpr double kSeries[] = {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429};
  // Beyond 10 it is 1; the square of a large number would be infinite.
  Value size = fromBits(binary("arith.minsi", bits(magnitude(x)), bits(number(10))));
  Value one = number(1);
  Value inverse = reciprocal(roughSum(size, number(kScale), one));
  Value sum = number(kSeries[4]);
  for (size_t i = 4; i-- > 0;)
    sum = multiplyAdd(sum, inverse, number(kSeries[i]));  // of large terms with either sign
  Value tail = multiply(multiply(inverse, sum), exponential(multiply(negate(size), size)));
  Value result = subtract(one, tail);
  return select(isLess(x, number(0)), negate(result), result);
}

}  // namespace airlite
