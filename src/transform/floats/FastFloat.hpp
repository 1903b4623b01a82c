// Functions of f32 made of what the vector unit of AIE2 computes lane by lane: sums of f32,
// products of bf16 pieces (support/Bf16Pieces.hpp) and integers. Used by air-fast-floats.
#pragma once

#include "airlite/ir/Rewriter.hpp"

namespace airlite {

/// Of what accuracy results are: all of f32's bits that are cheap, or those that bf16 has.
enum class FloatQuality : uint8_t { F32, Bf16 };

/// The number that `value` is, or all of its lanes are; none when that is not known.
std::optional<double> floatConstantOf(Value value);

/// Emits ops on f32, or on vectors of them with the shape of `like`. Errors that are given are relative, with those of products
/// included, for numbers whose results and intermediate powers are normal and finite; they are
/// tested against double (tests/transform/fast_floats_test.cpp).
class FastFloat {
 public:
  FastFloat(Rewriter& rewriter, Location location, FloatQuality quality, Type like)
      : rewriter_(rewriter), location_(location), quality_(quality), like_(like) {}

  /// A number of this type, or a vector of it.
  Type shaped(Type element) const;

  /// A number, or lanes of it.
  Value constant(Attribute element);
  Value number(double value);
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  /// Exactly -x.
  Value negate(Value x);
  /// F32: 2^-21. Factors of bf16 are taken as they are.
  Value multiply(Value a, Value b);
  /// a * b + c.
  Value multiplyAdd(Value a, Value b, Value c);
  /// F32: 2^-20, bf16: 2^-11.
  Value reciprocal(Value x);
  Value divide(Value a, Value b);
  /// Of positive numbers. F32: 2^-20, bf16: 2^-11.
  Value reciprocalRoot(Value x);
  /// Of 0 and positive numbers.
  Value root(Value x);
  // Functions of bf16 take what an arith.extf gives.
  /// F32: 2^-14; bf16: 2^-7.8, which is 0.6 units in the last place. 0 below -87.5, infinite above
  /// 88.7.
  Value exponential(Value x);
  /// F32: 2^-13; bf16: 2^-6.8, which is 1.5 units in the last place.
  Value tangent(Value x);
  /// The error function. F32: 2^-14, an absolute error; bf16: 2^-7.3.
  Value errorFunction(Value x);
  Value magnitude(Value x);
  /// i1: a < b, for numbers. A NaN is less than nothing.
  Value isLess(Value a, Value b);
  /// i1: a = b.
  Value isEqual(Value a, Value b);
  Value select(Value condition, Value onTrue, Value onFalse);
  /// The larger one; of two equal ones the first. Of a constant that is not negative and a NaN,
  /// either.
  Value larger(Value a, Value b);
  Value smaller(Value a, Value b);

 private:
  Value word(uint32_t bits);
  Value bits(Value x);
  Value fromBits(Value word);
  Value binary(std::string_view name, Value a, Value b);
  Value compare(uint8_t predicate, Value a, Value b);
  unsigned piecesOf(Value x) const;
  Value sumOfProduct(Value a, Value b, Value c, unsigned piecesA, unsigned piecesB);
  /// a * b + c with so many pieces of each factor at most.
  Value sumWith(unsigned most, Value a, Value b, Value c);
  unsigned piecesOfLastStep() const;
  /// With two pieces at most, one for bf16: what the middle of a function needs.
  Value roughSum(Value a, Value b, Value c);
  Value rough(Value a, Value b) { return roughSum(a, b, number(0)); }
  Value polynomial(Value x, std::span<const double> coefficients);
  Value clamped(Value x, double least, double most);
  Value ofBf16Bits(Value lanes);
  Value wideExponential(Value x);
  Value narrowExponential(Value x);
  Value oddFunction(Value x, double most, double middle, std::span<const double> series);

  Rewriter& rewriter_;
  Location location_;
  FloatQuality quality_;
  Type like_;
};

}  // namespace airlite
