// Arithmetic of f32 made of what the vector unit of AIE2 computes lane by lane: sums of f32, products of
// bf16 pieces (support/Bf16Pieces.hpp) and integers. FastFloat.hpp has the functions.
#pragma once

#include "airlite/ir/Rewriter.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace airlite {

/// Of what accuracy results are: all of f32's bits that are cheap, or those that bf16 has.
enum class FloatQuality : uint8_t { F32, Bf16 };

/// The number that `value` is, or all of its lanes are; none when that is not known.
std::optional<double> floatConstantOf(Value value);

/// Emits ops on f32, or on vectors of them with the shape of `like`.
class FloatOps {
 public:
  FloatOps(Rewriter& rewriter, Location location, FloatQuality quality, Type like)
      : rewriter_(rewriter), location_(location), quality_(quality), like_(like) {}

  Rewriter& rewriter() { return rewriter_; }
  FloatQuality quality() const { return quality_; }
  Location location() const { return location_; }
  Type like() const { return like_; }
  /// A number of this type, or a vector of it.
  Type shaped(Type element) const;

  // -- Numbers and their bits --
  /// A number, or lanes of it.
  Value constant(Attribute element);
  Value number(double value);
  Value word(uint32_t bits);
  Value bits(Value x);
  Value fromBits(Value word);
  /// An op on one value, which gives one with elements of another type.
  Value converted(std::string_view name, Value x, Type element);
  /// An op on two values of one type.
  Value binary(std::string_view name, Value a, Value b);

  // -- Sums --
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  /// Exactly -x.
  Value negate(Value x);
  Value magnitude(Value x);

  // -- Comparisons --
  /// i1, of integers, by the number of an arith.cmpi predicate.
  Value compare(uint8_t predicate, Value a, Value b);
  /// i1: a < b, for numbers. A NaN is less than nothing.
  Value isLess(Value a, Value b);
  Value select(Value condition, Value onTrue, Value onFalse);
  /// The larger one; of two equal ones the first. Of a constant that is not negative and a NaN,
  /// either.
  Value larger(Value a, Value b);
  Value smaller(Value a, Value b);

  // -- Products --
  /// F32: 2^-21. Factors of bf16 are taken as they are.
  Value multiply(Value a, Value b);
  /// a * b + c.
  Value multiplyAdd(Value a, Value b, Value c);
  /// a * b + c with so many pieces of each factor.
  Value sumOfProduct(Value a, Value b, Value c, unsigned piecesA, unsigned piecesB);
  /// With so many at most.
  Value sumWith(unsigned most, Value a, Value b, Value c);
  /// With two pieces at most, one for bf16: what the middle of a function needs.
  Value roughSum(Value a, Value b, Value c);
  Value rough(Value a, Value b) { return roughSum(a, b, number(0)); }
  Value polynomial(Value x, std::span<const double> coefficients);

 private:
  unsigned piecesOf(Value x) const;

  Rewriter& rewriter_;
  Location location_;
  FloatQuality quality_;
  Type like_;
};

}  // namespace airlite
