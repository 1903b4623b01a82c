// Every op of math, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @unary(
func.func @unary(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: math.absf %{{[^ ,)]+}} : f32
  %absf = math.absf %f : f32
  // CHECK: math.acos %{{[^ ,)]+}} : f32
  %acos = math.acos %f : f32
  // CHECK: math.acosh %{{[^ ,)]+}} : f32
  %acosh = math.acosh %f : f32
  // CHECK: math.asin %{{[^ ,)]+}} : f32
  %asin = math.asin %f : f32
  // CHECK: math.asinh %{{[^ ,)]+}} : f32
  %asinh = math.asinh %f : f32
  // CHECK: math.atan %{{[^ ,)]+}} : f32
  %atan = math.atan %f : f32
  // CHECK: math.atanh %{{[^ ,)]+}} : f32
  %atanh = math.atanh %f : f32
  // CHECK: math.cbrt %{{[^ ,)]+}} : f32
  %cbrt = math.cbrt %f : f32
  // CHECK: math.ceil %{{[^ ,)]+}} : f32
  %ceil = math.ceil %f : f32
  // CHECK: math.cos %{{[^ ,)]+}} : f32
  %cos = math.cos %f : f32
  // CHECK: math.cosh %{{[^ ,)]+}} : f32
  %cosh = math.cosh %f : f32
  // CHECK: math.erf %{{[^ ,)]+}} : f32
  %erf = math.erf %f : f32
  // CHECK: math.exp %{{[^ ,)]+}} : f32
  %exp = math.exp %f : f32
  // CHECK: math.exp2 %{{[^ ,)]+}} : f32
  %exp2 = math.exp2 %f : f32
  // CHECK: math.expm1 %{{[^ ,)]+}} : f32
  %expm1 = math.expm1 %f : f32
  // CHECK: math.floor %{{[^ ,)]+}} : f32
  %floor = math.floor %f : f32
  // CHECK: math.log %{{[^ ,)]+}} : f32
  %log = math.log %f : f32
  // CHECK: math.log10 %{{[^ ,)]+}} : f32
  %log10 = math.log10 %f : f32
  // CHECK: math.log1p %{{[^ ,)]+}} : f32
  %log1p = math.log1p %f : f32
  // CHECK: math.log2 %{{[^ ,)]+}} : f32
  %log2 = math.log2 %f : f32
  // CHECK: math.round %{{[^ ,)]+}} : f32
  %round = math.round %f : f32
  // CHECK: math.roundeven %{{[^ ,)]+}} : f32
  %roundeven = math.roundeven %f : f32
  // CHECK: math.rsqrt %{{[^ ,)]+}} : f32
  %rsqrt = math.rsqrt %f : f32
  // CHECK: math.sin %{{[^ ,)]+}} : f32
  %sin = math.sin %f : f32
  // CHECK: math.sinh %{{[^ ,)]+}} : f32
  %sinh = math.sinh %f : f32
  // CHECK: math.sqrt %{{[^ ,)]+}} : f32
  %sqrt = math.sqrt %f : f32
  // CHECK: math.tan %{{[^ ,)]+}} : f32
  %tan = math.tan %f : f32
  // CHECK: math.tanh %{{[^ ,)]+}} : f32
  %tanh = math.tanh %f : f32
  // CHECK: math.trunc %{{[^ ,)]+}} : f32
  %trunc = math.trunc %f : f32
  // CHECK: math.exp %{{[^ ,)]+}} : vector<4xf16>
  %u0 = math.exp %vf4 : vector<4xf16>
  // CHECK: math.rsqrt %{{[^ ,)]+}} fastmath<afn> : f32
  %u1 = math.rsqrt %f fastmath<afn> : f32
  return
}

// CHECK-LABEL: func.func @several_operands(
func.func @several_operands(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: math.atan2 %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %0 = math.atan2 %f, %g : f32
  // CHECK: math.copysign %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %1 = math.copysign %f, %g : f32
  // CHECK: math.powf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %2 = math.powf %f, %g : f32
  // CHECK: math.powf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<fast> : f32
  %3 = math.powf %f, %g fastmath<fast> : f32
  // CHECK: math.fpowi %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32, i32
  %4 = math.fpowi %f, %a : f32, i32
  // CHECK: math.fpowi %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nnan> : vector<4xf16>, vector<4xi32>
  %5 = math.fpowi %vf4, %v4 fastmath<nnan> : vector<4xf16>, vector<4xi32>
  // CHECK: math.ipowi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %6 = math.ipowi %a, %b : i32
  // CHECK: math.fma %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %7 = math.fma %f, %g, %f : f32
  // CHECK: math.fma %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<contract> : f32
  %8 = math.fma %f, %g, %f fastmath<contract> : f32
  return
}

// CHECK-LABEL: func.func @integers(
func.func @integers(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: math.absi %{{[^ ,)]+}} : i32
  %absi = math.absi %a : i32
  // CHECK: math.ctlz %{{[^ ,)]+}} : i32
  %ctlz = math.ctlz %a : i32
  // CHECK: math.cttz %{{[^ ,)]+}} : i32
  %cttz = math.cttz %a : i32
  // CHECK: math.ctpop %{{[^ ,)]+}} : i32
  %ctpop = math.ctpop %a : i32
  // CHECK: math.ctpop %{{[^ ,)]+}} : vector<4xi32>
  %v = math.ctpop %v4 : vector<4xi32>
  return
}

// CHECK-LABEL: func.func @tests(
func.func @tests(%a: i32, %b: i32, %f: f32, %g: f32, %c: i1, %i: index, %h: i16, %v4: vector<4xi32>, %vf4: vector<4xf16>, %t3: tensor<?x3xi8>, %m: memref<4xi32>) {
  // CHECK: math.isfinite %{{[^ ,)]+}} : f32
  %isfinite = math.isfinite %f : f32
  // CHECK: math.isinf %{{[^ ,)]+}} : f32
  %isinf = math.isinf %f : f32
  // CHECK: math.isnan %{{[^ ,)]+}} : f32
  %isnan = math.isnan %f : f32
  // CHECK: math.isnormal %{{[^ ,)]+}} : f32
  %isnormal = math.isnormal %f : f32
  // CHECK: math.isnan %{{[^ ,)]+}} fastmath<ninf> : vector<4xf16>
  %v = math.isnan %vf4 fastmath<ninf> : vector<4xf16>
  return
}
