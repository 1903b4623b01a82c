// Functions of f32 made of what the vector unit of AIE2 computes lane by lane (FloatOps.hpp). Used by
// air-fast-floats.
#pragma once

#include "FloatOps.hpp"

namespace airlite {

/// Emits functions of f32, or of vectors of them. Errors that are given are relative, with those of
/// products included, for numbers whose results and intermediate powers are normal and finite; they
/// are tested against double (tests/transform/fast_floats_test.cpp, and as kernels of the array by
/// scripts/prove_floats.py; docs/npu_floats.md has the table). One class: functions are made of each other, and all emit at one
/// place.
class FastFloat : public FloatOps {
 public:
  using FloatOps::FloatOps;
  /// With functions of bf16 that the unit has as instructions (support/UnitFunctions.hpp).
  void useUnitFunctions() { hasUnitFunctions_ = true; }

  /// F32: 2^-20, bf16: 2^-11. Results below 2^-126 may be 0. NaN of 0.
  Value reciprocal(Value x);
  Value divide(Value a, Value b);
  /// Of positive numbers. F32: 2^-20, bf16: 2^-11.
  Value reciprocalRoot(Value x);
  /// Of 0 and positive numbers.
  Value root(Value x);
  // Functions of bf16 take what an arith.extf gives.
  /// F32: 2^-16; bf16: 2^-7.8, which is 0.6 units in the last place. 0 below -87.5, infinite above
  /// 88.7.
  Value exponential(Value x);
  /// F32: 2^-16; bf16: 2^-7.1, which is 1.2 units in the last place.
  Value tangent(Value x);
  /// The error function. F32: 2^-17, an absolute error; bf16: 2^-7.1.
  Value errorFunction(Value x);
  /// 2^x, with the errors of `exponential`.
  Value powerOfTwo(Value x);
  /// e^x - 1. F32: 2^-14; bf16: 2^-9.
  Value exponentialLessOne(Value x);
  /// To the bases e, 2 and 10. F32: 2^-17; bf16: 2^-9. A subnormal number counts as 0.
  Value logarithm(Value x);
  Value binaryLogarithm(Value x);
  Value decimalLogarithm(Value x);
  /// log(1 + x).
  Value logarithmOfOneMore(Value x);
  /// F32: 2^-16, a part of x where that is larger than 32; bf16: 2^-9. NaN of numbers above 2^16.
  Value sine(Value x);
  Value cosine(Value x);
  /// x^y for a number y that is known: products, roots and reciprocals where these are enough, else of positive numbers.
  Value power(Value x, Value y);
  // Whole numbers, exactly.
  Value roundedDown(Value x);
  Value roundedUp(Value x);
  Value roundedToZero(Value x);
  Value roundedToEven(Value x);
  Value roundedFromZero(Value x);

 private:
  bool usesUnit() const { return hasUnitFunctions_ && quality() == FloatQuality::Bf16; }
  Value unitFunction(std::string_view name, Value x);
  unsigned piecesOfLastStep() const;
  Value clamped(Value x, double least, double most);
  Value ofBf16Bits(Value lanes);
  Value wideExponential(Value x);
  Value narrowExponential(Value x);
  Value exponentOf(Value shifted);
  Value withExponent(Value fraction, Value exponent);
  Value boundedPower(Value x, Value power, double lowest, double highest);
  Value narrowPower(Value whole);
  Value logarithmTimes(Value x, double scale, unsigned pieces);
  unsigned piecesOfRest(Value x) const;
  Value sineOfShifted(Value x, double shift);
  Value wholePower(Value x, int64_t exponent);
  Value powerOfAny(Value x, Value y);
  Value wholeSize(Value size);
  Value signedLike(Value size, Value x);
  Value oddFunction(Value x, double most, double middle, std::span<const double> series);

  bool hasUnitFunctions_ = false;
};

}  // namespace airlite
