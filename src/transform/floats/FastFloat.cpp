// See FastFloat.hpp.
#include "FastFloat.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/support/UnitFunctions.hpp"

#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace airlite {

using arith::CmpIPredicate;

namespace {

constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
/// 1.5 * 2^23: added to a small number, it rounds that to a whole one.
constexpr double kMagic = 12582912;
constexpr uint32_t kInfiniteBits = 0x7f800000, kNaNBits = 0x7fc00000, kSignBit = 0x80000000;

/// `result`, or 0 and infinity for a base without sign that is 0 or infinite, whose logarithm has no product with y.
Value powerOfEdge(FloatOps& ops, Value base, Value y, Value result) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kLeastNormal = 0x1p-126;
  Value isInverse = ops.isLess(y, ops.number(0));
  Value ofZero = ops.select(isInverse, ops.number(kInfinity), ops.number(0)),
        ofInfinity = ops.select(isInverse, ops.number(0), ops.number(kInfinity));
  Value isInfinite =
      ops.compare(static_cast<uint8_t>(CmpIPredicate::eq), ops.bits(base), ops.word(kInfiniteBits));
  // A subnormal number counts as 0.
  result = ops.select(ops.isLess(base, ops.number(kLeastNormal)), ofZero, result);
  return ops.select(isInfinite, ofInfinity, result);
}

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
  Value isNegative = compare(static_cast<uint8_t>(CmpIPredicate::ugt), bits(x), word(kSignBit));
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

Value FastFloat::unitFunction(std::string_view name, Value x) {
  return rewriter()
      .create(location(), name, {x}, {x.type()},
              {rewriter().named(kBf16Result, UnitAttr::get(rewriter().context()))})
      ->result();
}

Value FastFloat::exponential(Value x) {
  if (usesUnit()) {
    // Two bf16 of one sign: products of infinity with others would cancel each other.
    constexpr double kMost = 1.4375;
    const Value most = sumOfProduct(x, number(kMost), number(0), 1, 1);
    return unitFunction("math.exp2", sumOfProduct(x, number(kLog2E - kMost), most, 1, 1));
  }
  return quality() == FloatQuality::Bf16 ? narrowExponential(x) : wideExponential(x);
}

/// The exponent's bits of 2^n, for the number n in the last bits of `shifted`.
Value FastFloat::exponentOf(Value shifted) { return binary("arith.shli", bits(shifted), word(23)); }

Value FastFloat::withExponent(Value fraction, Value exponent) {
  return fromBits(binary("arith.addi", bits(fraction), exponent));
}

/// 0 and infinity for arguments whose power has no exponent.
Value FastFloat::boundedPower(Value x, Value power, double lowest, double highest) {
  Value bounded = select(isLess(x, number(lowest)), number(0), power);
  return select(isLess(number(highest), x), fromBits(word(kInfiniteBits)), bounded);
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
  Value exponent = exponentOf(shifted);
  return boundedPower(x, withExponent(polynomial(rest, kSeries), exponent), kLowest, kHighest);
}

/// 2^n. Its bits as a bf16 are a sum: n + 127, the exponent, is counted in 128ths there. n = -127 gives 0, n = 128 infinity.
Value FastFloat::narrowPower(Value whole) {
  Value power = bits(sumOfProduct(whole, number(128), number(kMagic + 127 * 128), 1, 1));
  return ofBf16Bits(converted("arith.trunci", power, rewriter().intType(16)));
}

/// As `wideExponential`, with r between -0.21 and 0.49, so that 2^n is finite where the result is.
Value FastFloat::narrowExponential(Value x) {
  constexpr double kLeast = -88, kMost = 89, kOffset = -0.2;
  // The least largest relative error of its degree: 7.8e-5.
  constexpr double kSeries[] = {0.999984842, 0.99901267, 0.501012888, 0.190283078};
  Value bounded = clamped(x, kLeast, kMost);
  Value magic = number(kMagic);
  Value shifted = add(sumOfProduct(bounded, number(kLog2E), number(kOffset), 1, 2), magic);
  Value whole = subtract(shifted, magic);
  Value rest = sumOfProduct(whole, number(-kLn2), bounded, 1, 2);
  Value power = narrowPower(whole);
  return rough(polynomial(rest, kSeries), power);
}

/// As the exponential, but that n is taken from x exactly.
Value FastFloat::powerOfTwo(Value x) {
  if (usesUnit()) return unitFunction("math.exp2", x);
  Value magic = number(kMagic);
  if (quality() == FloatQuality::Bf16) {
    constexpr double kLeast = -127, kMost = 128, kOffset = -0.2;
    // The series of `narrowExponential` in r / ln 2.
    constexpr double kSeries[] = {0.999984842, 0.692462815, 0.240713892, 0.0633680353};
    Value bounded = clamped(x, kLeast, kMost);
    Value whole = subtract(add(add(bounded, number(kOffset)), magic), magic);
    Value rest = subtract(bounded, whole);
    Value power = narrowPower(whole);
    return rough(polynomial(rest, kSeries), power);
  }
  // The least largest relative error of its degree between -0.5 and 0.5: 2.6e-6.
  constexpr double kSeries[] = {0.9999992614, 0.6931218147, 0.2402474483, 0.05591786031,
                                0.009570101757};
  Value shifted = add(x, magic);
  Value rest = subtract(x, subtract(shifted, magic));
  Value exponent = exponentOf(shifted);
  return boundedPower(x, withExponent(polynomial(rest, kSeries), exponent), -126, 127.99999);
}

/// Near 0 the series of e^x, without its first term.
Value FastFloat::exponentialLessOne(Value x) {
  constexpr double kSeries[] = {1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720};
  Value near = multiply(x, polynomial(x, kSeries)), far = subtract(wideExponential(x), number(1));
  return select(isLess(magnitude(x), number(0.35)), near, far);
}

// -- Logarithms -----------------------------------------------------------------------------------

/// Of what is left of x when 1 is taken from it: of a bf16 between 0.7 and 1.4 it is one.
unsigned FastFloat::piecesOfRest(Value x) const {
  if (quality() == FloatQuality::F32) return 3;
  return x.definingOp() && x.definingOp()->is("arith.extf") ? 1 : 2;
}

/// x = 2^n m with m between the roots of 1/2 and 2: log x = n ln 2 + t P(t) with t = m - 1, which is exact. P has the least largest
/// relative error of its degree.
Value FastFloat::logarithmTimes(Value x, double scale, unsigned pieces) {
  constexpr uint32_t kRootOfHalf = 0x3f3504f3, kFraction = 0x007fffff, kLeastNormal = 0x00800000;
  constexpr double kWide[] = {1.000000975,  -0.5000111288, 0.3331450892, -0.2490974429,
                              0.2049632936, -0.1866785362, 0.1189610467};  // 1.1e-6
  constexpr double kNarrow[] = {0.9999661813, -0.4994506482, 0.3363888472, -0.2709459828,
                                0.1765804954};  // 5e-5
  const bool isWide = quality() == FloatQuality::F32;
  std::vector<double> series(std::begin(kNarrow), std::end(kNarrow));
  if (isWide) series.assign(std::begin(kWide), std::end(kWide));
  for (double& coefficient : series)
    coefficient *= scale;
  Value root = word(kRootOfHalf), from = binary("arith.subi", bits(x), root);
  Value exponent =
      binary("arith.addi", binary("arith.shrsi", from, word(23)), bits(number(kMagic)));
  Value whole = subtract(fromBits(exponent), number(kMagic));
  Value fraction =
      fromBits(binary("arith.addi", binary("arith.andi", from, word(kFraction)), root));
  Value rest = subtract(fraction, number(1));
  Value ofExponent = sumOfProduct(whole, number(kLn2 * scale), number(0), 1, isWide ? 3 : 2);
  Value result = sumOfProduct(rest, polynomial(rest, series), ofExponent, pieces, isWide ? 3 : 2);
  auto isBelow = [&](uint32_t limit) {
    return compare(static_cast<uint8_t>(CmpIPredicate::slt), bits(x), word(limit));
  };
  // Above the bits of -0 are those of negative numbers.
  Value isNegative = compare(static_cast<uint8_t>(CmpIPredicate::ugt), bits(x), word(kSignBit));
  Value small =
      select(isNegative, fromBits(word(kNaNBits)), fromBits(word(kSignBit | kInfiniteBits)));
  return select(isBelow(kLeastNormal), small, select(isBelow(kInfiniteBits), result, x));
}

Value FastFloat::logarithm(Value x) { return logarithmTimes(x, 1, piecesOfRest(x)); }
Value FastFloat::binaryLogarithm(Value x) { return logarithmTimes(x, kLog2E, piecesOfRest(x)); }
Value FastFloat::decimalLogarithm(Value x) {
  return logarithmTimes(x, 0.4342944819032518, piecesOfRest(x));
}

/// The sum 1 + x loses the last bits of x: near 0 the logarithm grows by what was lost, for others that is too small to count.
Value FastFloat::logarithmOfOneMore(Value x) {
  Value sum = add(x, number(1)), lost = subtract(x, subtract(sum, number(1)));
  Value result = logarithmTimes(sum, 1, piecesOfRest(sum));
  return add(result, select(isLess(magnitude(x), number(1)), lost, number(0)));
}

// -- Sine and cosine ------------------------------------------------------------------------------

/// sin(x + shift * pi) = sin(r) with the sign of (-1)^n for x = (n - shift) pi + r: n is odd where the last bit is set that the sum with
/// 1.5 * 2^23 has.
Value FastFloat::sineOfShifted(Value x, double shift) {
  constexpr double kPi = 3.141592653589793, kLargest = 65536;
  const bool isWide = quality() == FloatQuality::F32;
  // sin(r) / r in r^2, up to pi/2 with the least largest relative errors of their degrees: 9.4e-7, 1.1e-4.
  constexpr double kWide[] = {0.9999990609, -0.1666555409, 0.008311899801, -0.0001848814028};
  constexpr double kNarrow[] = {0.9998918212, -0.1659601165, 0.007602903331};
  const unsigned pieces = isWide ? 3 : 2;
  Value turns = sumOfProduct(x, number(1 / kPi), number(shift), pieces, pieces);
  Value shifted = add(turns, number(kMagic));
  Value whole = subtract(shifted, number(kMagic));
  Value multiple = shift == 0 ? whole : subtract(whole, number(shift));
  Value rest = sumOfProduct(multiple, number(-kPi), x, 3, 3);
  // At pi/2 the terms are large: with one piece each a cosine of bf16 could be more than 1.
  FastFloat exact(rewriter(), location(), FloatQuality::F32, like());
  Value series =
      exact.polynomial(exact.rough(rest, rest), isWide ? std::span<const double>(kWide) : kNarrow);
  Value result = multiply(rest, series);
  Value sign = binary("arith.shli", bits(shifted), word(31));
  result = fromBits(binary("arith.xori", bits(result), sign));
  return select(isLess(magnitude(x), number(kLargest)), result, fromBits(word(kNaNBits)));
}

Value FastFloat::sine(Value x) { return sineOfShifted(x, 0); }
Value FastFloat::cosine(Value x) { return sineOfShifted(x, 0.5); }

// -- Powers ---------------------------------------------------------------------------------------

Value FastFloat::wholePower(Value x, int64_t exponent) {
  if (exponent == 0) return number(1);
  if (exponent < 0) return reciprocal(wholePower(x, -exponent));
  if (exponent == 1) return x;
  Value half = wholePower(x, exponent / 2), square = multiply(half, half);
  return exponent % 2 ? multiply(square, x) : square;
}

Value FastFloat::powerOfAny(Value x, Value y) {
  // No base but 1 has a finite power other than 0 from here on, and products with the logarithm stay finite.
  constexpr float kLargest = 0x1p60F;
  constexpr double kLeastNormal = 0x1p-126;
  FastFloat wide(rewriter(), location(), FloatQuality::F32, like());
  Value base = magnitude(x), size = magnitude(y);
  Value exponent =
      fromBits(binary("arith.minsi", bits(size), word(std::bit_cast<uint32_t>(kLargest))));
  Value result =
      wide.powerOfTwo(wide.multiply(signedLike(exponent, y), wide.binaryLogarithm(base)));
  Value half = roundedToZero(wide.multiply(exponent, number(0.5)));
  // It holds for -0, which has a sign but all powers.
  Value isNegative = isLess(x, number(0)), isFraction = isLess(roundedToZero(exponent), exponent);
  Value ofNegative = select(isFraction, fromBits(word(kNaNBits)), result);
  result = powerOfEdge(*this, base, y, select(isNegative, ofNegative, result));
  Value odd = select(isLess(add(half, half), exponent), negate(result), result);
  result = select(isNegative, select(isFraction, result, odd), result);
  Value isNaN = compare(static_cast<uint8_t>(CmpIPredicate::sgt), bits(size), word(kInfiniteBits));
  Value isOne = compare(static_cast<uint8_t>(CmpIPredicate::eq), bits(x), bits(number(1)));
  result = select(isNaN, select(isOne, x, y), result);
  return select(isLess(size, number(kLeastNormal)), number(1), result);
}

Value FastFloat::power(Value x, Value y) {
  if (!floatConstantOf(y)) return powerOfAny(x, y);
  constexpr double kMostProducts = 8;
  const double exponent = floatConstantOf(y).value();
  if (exponent == std::trunc(exponent) && std::abs(exponent) <= kMostProducts)
    return wholePower(x, static_cast<int64_t>(exponent));
  if (exponent == 0.5) return root(x);
  if (exponent == -0.5) return reciprocalRoot(x);
  // An error of the logarithm is multiplied by its size: pieces for the quality of f32 whatever the result is.
  FastFloat wide(rewriter(), location(), FloatQuality::F32, like());
  const bool isWhole = exponent == std::trunc(exponent);
  Value base = isWhole ? magnitude(x) : x;
  Value result = wide.powerOfTwo(wide.multiply(y, wide.binaryLogarithm(base)));
  result = powerOfEdge(*this, magnitude(x), y, result);
  return isWhole && std::fmod(exponent, 2) != 0 ? signedLike(result, x) : result;
}

// -- Whole numbers --------------------------------------------------------------------------------

/// Of a number that has no sign, the nearest whole one. From 2^23 on all are whole.
Value FastFloat::wholeSize(Value size) {
  constexpr double kAllWhole = 8388608;
  Value rounded = subtract(add(size, number(kAllWhole)), number(kAllWhole));
  return select(isLess(size, number(kAllWhole)), rounded, size);
}

Value FastFloat::signedLike(Value size, Value x) {
  Value sign = binary("arith.andi", bits(x), word(kSignBit));
  return fromBits(binary("arith.ori", bits(size), sign));
}

Value FastFloat::roundedToEven(Value x) { return signedLike(wholeSize(magnitude(x)), x); }

Value FastFloat::roundedToZero(Value x) {
  Value size = magnitude(x), whole = wholeSize(size);
  return signedLike(select(isLess(size, whole), subtract(whole, number(1)), whole), x);
}

Value FastFloat::roundedFromZero(Value x) {
  Value size = magnitude(x), whole = roundedToZero(size);
  Value isLow = isLess(subtract(size, whole), number(0.5));
  return signedLike(select(isLow, whole, add(whole, number(1))), x);
}

Value FastFloat::roundedDown(Value x) {
  Value whole = roundedToEven(x);
  return signedLike(select(isLess(x, whole), subtract(whole, number(1)), whole), x);
}

Value FastFloat::roundedUp(Value x) {
  Value whole = roundedToEven(x);
  return signedLike(select(isLess(whole, x), add(whole, number(1)), whole), x);
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
  if (usesUnit()) return unitFunction("math.tanh", x);
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
