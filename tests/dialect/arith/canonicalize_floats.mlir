// Folding and rewriting of float ops: rounding in the format, signed zeros, NaN.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @addf_negative_zero(
func.func @addf_negative_zero(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant -0.0 : f32
  %r = arith.addf %x, %c : f32
  return %r : f32
}

// -0.0 + 0.0 is 0.0.
// CHECK-LABEL: func.func @addf_zero(
func.func @addf_zero(%x: f32) -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %0 = arith.addf %arg0, %cst : f32
  // CHECK-NEXT: return %0 : f32
  %c = arith.constant 0.0 : f32
  %r = arith.addf %x, %c : f32
  return %r : f32
}

// Unless nobody looks at the sign of a zero.
// CHECK-LABEL: func.func @addf_zero_nsz(
func.func @addf_zero_nsz(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 0.0 : f32
  %r = arith.addf %x, %c fastmath<nsz> : f32
  return %r : f32
}

// CHECK-LABEL: func.func @subf_zero(
func.func @subf_zero(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 0.0 : f32
  %r = arith.subf %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @subf_negative_zero(
func.func @subf_negative_zero(%x: f32) -> f32 {
  // CHECK-NEXT: %cst = arith.constant -0.000000e+00 : f32
  // CHECK-NEXT: %0 = arith.subf %arg0, %cst : f32
  // CHECK-NEXT: return %0 : f32
  %c = arith.constant -0.0 : f32
  %r = arith.subf %x, %c : f32
  return %r : f32
}

// It is NaN for infinities.
// CHECK-LABEL: func.func @subf_itself(
func.func @subf_itself(%x: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.subf %arg0, %arg0 : f32
  // CHECK-NEXT: return %0 : f32
  %r = arith.subf %x, %x : f32
  return %r : f32
}

// CHECK-LABEL: func.func @mulf_one(
func.func @mulf_one(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 1.0 : f32
  %r = arith.mulf %c, %x : f32
  return %r : f32
}

// CHECK-LABEL: func.func @mulf_zero(
func.func @mulf_zero(%x: f32) -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %0 = arith.mulf %arg0, %cst : f32
  // CHECK-NEXT: return %0 : f32
  %c = arith.constant 0.0 : f32
  %r = arith.mulf %x, %c : f32
  return %r : f32
}

// Only finite numbers, of either sign.
// CHECK-LABEL: func.func @mulf_zero_nnan_nsz(
func.func @mulf_zero_nnan_nsz(%x: f32) -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.0 : f32
  %r = arith.mulf %x, %c fastmath<nnan,nsz> : f32
  return %r : f32
}

// CHECK-LABEL: func.func @divf_one(
func.func @divf_one(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 1.0 : f32
  %r = arith.divf %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @negf_twice(
func.func @negf_twice(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %a = arith.negf %x : f32
  %r = arith.negf %a : f32
  return %r : f32
}

// CHECK-LABEL: func.func @negf_constant(
func.func @negf_constant() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -0.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.0 : f32
  %r = arith.negf %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @mulf_of_negations(
func.func @mulf_of_negations(%x: f32, %y: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.mulf %arg0, %arg1 : f32
  // CHECK-NEXT: return %0 : f32
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %r = arith.mulf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @divf_of_negations(
func.func @divf_of_negations(%x: f32, %y: f32) -> f32 {
  // CHECK-NEXT: %0 = arith.divf %arg0, %arg1 : f32
  // CHECK-NEXT: return %0 : f32
  %a = arith.negf %x : f32
  %b = arith.negf %y : f32
  %r = arith.divf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @maximumf_itself(
func.func @maximumf_itself(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %r = arith.maximumf %x, %x : f32
  return %r : f32
}

// CHECK-LABEL: func.func @maximumf_negative_infinity(
func.func @maximumf_negative_infinity(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 0xFF800000 : f32
  %r = arith.maximumf %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @minimumf_infinity(
func.func @minimumf_infinity(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 0x7F800000 : f32
  %r = arith.minimumf %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @maximumf_nan(
func.func @maximumf_nan() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0x7FC00000 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 0x7FC00000 : f32
  %b = arith.constant 1.0 : f32
  %r = arith.maximumf %a, %b : f32
  return %r : f32
}

// NaN loses.
// CHECK-LABEL: func.func @maxnumf_nan(
func.func @maxnumf_nan() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 0x7FC00000 : f32
  %b = arith.constant 1.0 : f32
  %r = arith.maxnumf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @maximumf_zeros(
func.func @maximumf_zeros() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant -0.0 : f32
  %b = arith.constant 0.0 : f32
  %r = arith.maximumf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @minimumf_zeros(
func.func @minimumf_zeros() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -0.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant -0.0 : f32
  %b = arith.constant 0.0 : f32
  %r = arith.minimumf %a, %b : f32
  return %r : f32
}

// The other one when one is NaN: not simply %x.
// CHECK-LABEL: func.func @maxnumf_negative_infinity(
func.func @maxnumf_negative_infinity(%x: f32) -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0xFF800000 : f32
  // CHECK-NEXT: %0 = arith.maxnumf %arg0, %cst : f32
  // CHECK-NEXT: return %0 : f32
  %c = arith.constant 0xFF800000 : f32
  %r = arith.maxnumf %x, %c : f32
  return %r : f32
}

// NaN never wins.
// CHECK-LABEL: func.func @maxnumf_with_nan(
func.func @maxnumf_with_nan(%x: f32) -> f32 {
  // CHECK-NEXT: return %arg0 : f32
  %c = arith.constant 0x7FC00000 : f32
  %r = arith.maxnumf %x, %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @addf_f16(
func.func @addf_f16() -> f16 {
  // CHECK-NEXT: %cst = arith.constant 4.398440e+00 : f16
  // CHECK-NEXT: return %cst : f16
  %a = arith.constant 1.1 : f16
  %b = arith.constant 3.3 : f16
  %r = arith.addf %a, %b : f16
  return %r : f16
}

// CHECK-LABEL: func.func @divf_f16(
func.func @divf_f16() -> f16 {
  // CHECK-NEXT: %cst = arith.constant 3.332520e-01 : f16
  // CHECK-NEXT: return %cst : f16
  %a = arith.constant 1.1 : f16
  %b = arith.constant 3.3 : f16
  %r = arith.divf %a, %b : f16
  return %r : f16
}

// CHECK-LABEL: func.func @addf_bf16(
func.func @addf_bf16() -> bf16 {
  // CHECK-NEXT: %cst = arith.constant 4.406250e+00 : bf16
  // CHECK-NEXT: return %cst : bf16
  %a = arith.constant 1.1 : bf16
  %b = arith.constant 3.3 : bf16
  %r = arith.addf %a, %b : bf16
  return %r : bf16
}

// CHECK-LABEL: func.func @divf_bf16(
func.func @divf_bf16() -> bf16 {
  // CHECK-NEXT: %cst = arith.constant 3.339840e-01 : bf16
  // CHECK-NEXT: return %cst : bf16
  %a = arith.constant 1.1 : bf16
  %b = arith.constant 3.3 : bf16
  %r = arith.divf %a, %b : bf16
  return %r : bf16
}

// CHECK-LABEL: func.func @addf_f32(
func.func @addf_f32() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 4.400000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 1.1 : f32
  %b = arith.constant 3.3 : f32
  %r = arith.addf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @divf_f32(
func.func @divf_f32() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.333333343 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 1.1 : f32
  %b = arith.constant 3.3 : f32
  %r = arith.divf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @addf_f64(
func.func @addf_f64() -> f64 {
  // CHECK-NEXT: %cst = arith.constant 4.400000e+00 : f64
  // CHECK-NEXT: return %cst : f64
  %a = arith.constant 1.1 : f64
  %b = arith.constant 3.3 : f64
  %r = arith.addf %a, %b : f64
  return %r : f64
}

// CHECK-LABEL: func.func @divf_f64(
func.func @divf_f64() -> f64 {
  // CHECK-NEXT: %cst = arith.constant 0.33333333333333337 : f64
  // CHECK-NEXT: return %cst : f64
  %a = arith.constant 1.1 : f64
  %b = arith.constant 3.3 : f64
  %r = arith.divf %a, %b : f64
  return %r : f64
}

// CHECK-LABEL: func.func @mulf_overflow_f16(
func.func @mulf_overflow_f16() -> f16 {
  // CHECK-NEXT: %cst = arith.constant 0x7C00 : f16
  // CHECK-NEXT: return %cst : f16
  %a = arith.constant 300.0 : f16
  %r = arith.mulf %a, %a : f16
  return %r : f16
}

// CHECK-LABEL: func.func @remf(
func.func @remf() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -1.500000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant -5.5 : f32
  %b = arith.constant 2.0 : f32
  %r = arith.remf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @addf_infinities(
func.func @addf_infinities() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0x7FC00000 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 0x7F800000 : f32
  %b = arith.constant 0xFF800000 : f32
  %r = arith.addf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @addf_dense(
func.func @addf_dense() -> tensor<2xf32> {
  // CHECK-NEXT: %cst = arith.constant dense<[4.000000e+00, 1.500000e+00]> : tensor<2xf32>
  // CHECK-NEXT: return %cst : tensor<2xf32>
  %a = arith.constant dense<[1.0, 2.5]> : tensor<2xf32>
  %b = arith.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %r = arith.addf %a, %b : tensor<2xf32>
  return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @cmpf_oeq_nan(
func.func @cmpf_oeq_nan(%x: f32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %c = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf oeq, %x, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_uno_nan(
func.func @cmpf_uno_nan(%x: f32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %c = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf uno, %x, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_une_nan(
func.func @cmpf_une_nan(%x: f32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %c = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf une, %x, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_true_nan(
func.func @cmpf_true_nan(%x: f32) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %c = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf true, %x, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_false_nan(
func.func @cmpf_false_nan(%x: f32) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %c = arith.constant 0x7FC00000 : f32
  %r = arith.cmpf false, %x, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_constants(
func.func @cmpf_constants() -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %a = arith.constant 1.5 : f32
  %b = arith.constant -2.0 : f32
  %r = arith.cmpf ogt, %a, %b : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_olt_5_0(
func.func @cmpf_of_int_olt_5_0(%x: i16) -> i1 {
  // CHECK-NEXT: %c5_i16 = arith.constant 5 : i16
  // CHECK-NEXT: %0 = arith.cmpi slt, %arg0, %c5_i16 : i16
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5.0 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf olt, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_olt_5_5(
func.func @cmpf_of_int_olt_5_5(%x: i16) -> i1 {
  // CHECK-NEXT: %c5_i16 = arith.constant 5 : i16
  // CHECK-NEXT: %0 = arith.cmpi sle, %arg0, %c5_i16 : i16
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5.5 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf olt, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_ogt_minus_5_5(
func.func @cmpf_of_int_ogt_minus_5_5(%x: i16) -> i1 {
  // CHECK-NEXT: %c-5_i16 = arith.constant -5 : i16
  // CHECK-NEXT: %0 = arith.cmpi sge, %arg0, %c-5_i16 : i16
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant -5.5 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf ogt, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_ueq_5_5(
func.func @cmpf_of_int_ueq_5_5(%x: i16) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %c = arith.constant 5.5 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf ueq, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_olt_40000_0(
func.func @cmpf_of_int_olt_40000_0(%x: i16) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %c = arith.constant 40000.0 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf olt, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_ole_minus_40000_0(
func.func @cmpf_of_int_ole_minus_40000_0(%x: i16) -> i1 {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: return %false : i1
  %c = arith.constant -40000.0 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf ole, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_int_ord_0_0(
func.func @cmpf_of_int_ord_0_0(%x: i16) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %c = arith.constant 0.0 : f32
  %a = arith.sitofp %x : i16 to f32
  %r = arith.cmpf ord, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_unsigned_negative(
func.func @cmpf_of_unsigned_negative(%x: i16) -> i1 {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: return %true : i1
  %c = arith.constant -0.5 : f32
  %a = arith.uitofp %x : i16 to f32
  %r = arith.cmpf ogt, %a, %c : f32
  return %r : i1
}

// 16777217 becomes this, too.
// CHECK-LABEL: func.func @cmpf_of_rounded_int_far(
func.func @cmpf_of_rounded_int_far(%x: i32) -> i1 {
  // CHECK-NEXT: %cst = arith.constant 0x4B800000 : f32
  // CHECK-NEXT: %0 = arith.sitofp %arg0 : i32 to f32
  // CHECK-NEXT: %1 = arith.cmpf oeq, %0, %cst : f32
  // CHECK-NEXT: return %1 : i1
  %c = arith.constant 16777216.0 : f32
  %a = arith.sitofp %x : i32 to f32
  %r = arith.cmpf oeq, %a, %c : f32
  return %r : i1
}

// CHECK-LABEL: func.func @cmpf_of_rounded_int(
func.func @cmpf_of_rounded_int(%x: i32) -> i1 {
  // CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
  // CHECK-NEXT: %0 = arith.cmpi slt, %arg0, %c5_i32 : i32
  // CHECK-NEXT: return %0 : i1
  %c = arith.constant 5.0 : f32
  %a = arith.sitofp %x : i32 to f32
  %r = arith.cmpf olt, %a, %c : f32
  return %r : i1
}
