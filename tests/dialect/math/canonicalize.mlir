// Folding of functions of constants.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @acos(
func.func @acos() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.04719758 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.acos %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @asin(
func.func @asin() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.52359879 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.asin %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @atan(
func.func @atan() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.463647604 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.atan %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @ceil(
func.func @ceil() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -2.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -2.5 : f32
  %r = math.ceil %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @cos(
func.func @cos() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.87758255 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.cos %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @cosh(
func.func @cosh() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.12762594 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.cosh %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @erf(
func.func @erf() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.520499885 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.erf %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @exp(
func.func @exp() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.64872122 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.exp %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @exp2(
func.func @exp2() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 1.41421354 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.exp2 %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @expm1(
func.func @expm1() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.648721277 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.expm1 %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @floor(
func.func @floor() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -3.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -2.5 : f32
  %r = math.floor %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @log(
func.func @log() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -0.693147182 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.log %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @log10(
func.func @log10() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -3.010300e-01 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.log10 %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @log1p(
func.func @log1p() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.405465096 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.log1p %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @log2(
func.func @log2() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -1.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.log2 %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @round(
func.func @round() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -3.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -2.5 : f32
  %r = math.round %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @roundeven(
func.func @roundeven() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -2.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -2.5 : f32
  %r = math.roundeven %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @sin(
func.func @sin() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.47942555 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.sin %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @sinh(
func.func @sinh() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.521095276 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.sinh %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @sqrt(
func.func @sqrt() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.707106769 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.sqrt %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @tan(
func.func @tan() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.546302497 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.tan %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @tanh(
func.func @tanh() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.462117165 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 0.5 : f32
  %r = math.tanh %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @trunc(
func.func @trunc() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -2.000000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -2.5 : f32
  %r = math.trunc %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @absf(
func.func @absf() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 2.500000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant -2.5 : f32
  %r = math.absf %c : f32
  return %r : f32
}

// What is not a number stays for run time.
// CHECK-LABEL: func.func @log_of_negative(
func.func @log_of_negative() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -1.000000e+00 : f32
  // CHECK-NEXT: %0 = math.log %cst : f32
  // CHECK-NEXT: return %0 : f32
  %c = arith.constant -1.0 : f32
  %r = math.log %c : f32
  return %r : f32
}

// CHECK-LABEL: func.func @sqrt_of_negative(
func.func @sqrt_of_negative() -> f64 {
  // CHECK-NEXT: %cst = arith.constant -1.000000e+00 : f64
  // CHECK-NEXT: %0 = math.sqrt %cst : f64
  // CHECK-NEXT: return %0 : f64
  %c = arith.constant -1.0 : f64
  %r = math.sqrt %c : f64
  return %r : f64
}

// CHECK-LABEL: func.func @exp_f64(
func.func @exp_f64() -> f64 {
  // CHECK-NEXT: %cst = arith.constant 1.6487212707001282 : f64
  // CHECK-NEXT: return %cst : f64
  %c = arith.constant 0.5 : f64
  %r = math.exp %c : f64
  return %r : f64
}

// There is no library function in this format.
// CHECK-LABEL: func.func @exp_f16(
func.func @exp_f16() -> f16 {
  // CHECK-NEXT: %cst = arith.constant 5.000000e-01 : f16
  // CHECK-NEXT: %0 = math.exp %cst : f16
  // CHECK-NEXT: return %0 : f16
  %c = arith.constant 0.5 : f16
  %r = math.exp %c : f16
  return %r : f16
}

// Exact in every format.
// CHECK-LABEL: func.func @floor_f16(
func.func @floor_f16() -> f16 {
  // CHECK-NEXT: %cst = arith.constant -3.000000e+00 : f16
  // CHECK-NEXT: return %cst : f16
  %c = arith.constant -2.5 : f16
  %r = math.floor %c : f16
  return %r : f16
}

// CHECK-LABEL: func.func @atan2(
func.func @atan2() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 2.03444386 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 2.5 : f32
  %b = arith.constant -1.25 : f32
  %r = math.atan2 %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @powf(
func.func @powf() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 0.31810829 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 2.5 : f32
  %b = arith.constant -1.25 : f32
  %r = math.powf %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @copysign(
func.func @copysign() -> f32 {
  // CHECK-NEXT: %cst = arith.constant -2.500000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %a = arith.constant 2.5 : f32
  %b = arith.constant -1.25 : f32
  %r = math.copysign %a, %b : f32
  return %r : f32
}

// CHECK-LABEL: func.func @absi_0(
func.func @absi_0() -> i16 {
  // CHECK-NEXT: %c0_i16 = arith.constant 0 : i16
  // CHECK-NEXT: return %c0_i16 : i16
  %c = arith.constant 0 : i16
  %r = math.absi %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @absi_minus_6(
func.func @absi_minus_6() -> i16 {
  // CHECK-NEXT: %c6_i16 = arith.constant 6 : i16
  // CHECK-NEXT: return %c6_i16 : i16
  %c = arith.constant -6 : i16
  %r = math.absi %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @ctlz_0(
func.func @ctlz_0() -> i16 {
  // CHECK-NEXT: %c16_i16 = arith.constant 16 : i16
  // CHECK-NEXT: return %c16_i16 : i16
  %c = arith.constant 0 : i16
  %r = math.ctlz %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @ctlz_minus_6(
func.func @ctlz_minus_6() -> i16 {
  // CHECK-NEXT: %c0_i16 = arith.constant 0 : i16
  // CHECK-NEXT: return %c0_i16 : i16
  %c = arith.constant -6 : i16
  %r = math.ctlz %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @cttz_0(
func.func @cttz_0() -> i16 {
  // CHECK-NEXT: %c16_i16 = arith.constant 16 : i16
  // CHECK-NEXT: return %c16_i16 : i16
  %c = arith.constant 0 : i16
  %r = math.cttz %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @cttz_minus_6(
func.func @cttz_minus_6() -> i16 {
  // CHECK-NEXT: %c1_i16 = arith.constant 1 : i16
  // CHECK-NEXT: return %c1_i16 : i16
  %c = arith.constant -6 : i16
  %r = math.cttz %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @ctpop_0(
func.func @ctpop_0() -> i16 {
  // CHECK-NEXT: %c0_i16 = arith.constant 0 : i16
  // CHECK-NEXT: return %c0_i16 : i16
  %c = arith.constant 0 : i16
  %r = math.ctpop %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @ctpop_minus_6(
func.func @ctpop_minus_6() -> i16 {
  // CHECK-NEXT: %c14_i16 = arith.constant 14 : i16
  // CHECK-NEXT: return %c14_i16 : i16
  %c = arith.constant -6 : i16
  %r = math.ctpop %c : i16
  return %r : i16
}

// CHECK-LABEL: func.func @ipowi_3_4(
func.func @ipowi_3_4() -> i32 {
  // CHECK-NEXT: %c81_i32 = arith.constant 81 : i32
  // CHECK-NEXT: return %c81_i32 : i32
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %r = math.ipowi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ipowi_2_minus_1(
func.func @ipowi_2_minus_1() -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: return %c0_i32 : i32
  %a = arith.constant 2 : i32
  %b = arith.constant -1 : i32
  %r = math.ipowi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ipowi_minus_1_minus_3(
func.func @ipowi_minus_1_minus_3() -> i32 {
  // CHECK-NEXT: %c-1_i32 = arith.constant -1 : i32
  // CHECK-NEXT: return %c-1_i32 : i32
  %a = arith.constant -1 : i32
  %b = arith.constant -3 : i32
  %r = math.ipowi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ipowi_0_minus_1(
func.func @ipowi_0_minus_1() -> i32 {
  // CHECK-NEXT: %c0_i32 = arith.constant 0 : i32
  // CHECK-NEXT: %c-1_i32 = arith.constant -1 : i32
  // CHECK-NEXT: %0 = math.ipowi %c0_i32, %c-1_i32 : i32
  // CHECK-NEXT: return %0 : i32
  %a = arith.constant 0 : i32
  %b = arith.constant -1 : i32
  %r = math.ipowi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ipowi_1_minus_5(
func.func @ipowi_1_minus_5() -> i32 {
  // CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
  // CHECK-NEXT: return %c1_i32 : i32
  %a = arith.constant 1 : i32
  %b = arith.constant -5 : i32
  %r = math.ipowi %a, %b : i32
  return %r : i32
}

// CHECK-LABEL: func.func @ipowi_0_0(
func.func @ipowi_0_0() -> i32 {
  // CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
  // CHECK-NEXT: return %c1_i32 : i32
  %a = arith.constant 0 : i32
  %b = arith.constant 0 : i32
  %r = math.ipowi %a, %b : i32
  return %r : i32
}

// Rounded once.
// CHECK-LABEL: func.func @fma(
func.func @fma() -> f32 {
  // CHECK-NEXT: %cst = arith.constant 8.750000e+00 : f32
  // CHECK-NEXT: return %cst : f32
  %c = arith.constant 2.5 : f32
  %r = math.fma %c, %c, %c : f32
  return %r : f32
}
