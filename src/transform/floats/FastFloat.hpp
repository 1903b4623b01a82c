// Functions of f32 made of what the vector unit of AIE2 computes lane by lane (FloatOps.hpp). Used by
// air-fast-floats.
#pragma once

#include "FloatOps.hpp"

namespace airlite {

/// Emits functions of f32, or of vectors of them. Errors that are given are relative, with those of
/// products included, for numbers whose results and intermediate powers are normal and finite; they
/// are tested against double (tests/transform/fast_floats_test.cpp, and as kernels of the array by
/// scripts/prove_floats.py; docs/npu_floats.md has the table).
class FastFloat : public FloatOps {
 public:
  using FloatOps::FloatOps;

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

 private:
  unsigned piecesOfLastStep() const;
  Value clamped(Value x, double least, double most);
  Value ofBf16Bits(Value lanes);
  Value wideExponential(Value x);
  Value narrowExponential(Value x);
  Value oddFunction(Value x, double most, double middle, std::span<const double> series);
};

}  // namespace airlite
