// Constants, and the names that their results are printed with.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @names()
func.func @names() {
  // CHECK: %c0 = arith.constant 0 : index
  %0 = arith.constant 0 : index
  // CHECK: %c-1 = arith.constant -1 : index
  %1 = arith.constant -1 : index
  // CHECK: %c42_i32 = arith.constant 42 : i32
  %2 = arith.constant 42 : i32
  // CHECK: %c-1_i64 = arith.constant -1 : i64
  %3 = arith.constant -1 : i64
  // CHECK: %true = arith.constant true
  %4 = arith.constant true
  // CHECK: %false = arith.constant false
  %5 = arith.constant 0 : i1
  // CHECK: %cst = arith.constant 1.000000e+00 : f32
  %6 = arith.constant 1.0 : f32
  // CHECK: %cst_0 = arith.constant 0xFF80 : bf16
  %7 = arith.constant 0xFF80 : bf16
  // CHECK: %cst_1 = arith.constant dense<1> : vector<4xi32>
  %8 = arith.constant dense<1> : vector<4xi32>
  // CHECK: %cst_2 = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %9 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: %c42_i32_3 = arith.constant {note = "x"} 42 : i32
  %10 = arith.constant {note = "x"} 42 : i32
  // CHECK: %c-128_i8 = arith.constant -128 : i8
  %11 = arith.constant 128 : i8
  return
}

// No flags are the same as the flags left out.
// CHECK-LABEL: func.func @default_flags(
func.func @default_flags(%a: i32, %f: f32) {
  // CHECK-NEXT: arith.addi %arg0, %arg0 : i32
  %0 = arith.addi %a, %a overflow<none> : i32
  // CHECK-NEXT: arith.addf %arg1, %arg1 : f32
  %1 = "arith.addf"(%f, %f) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
  // CHECK-NEXT: arith.mulf %arg1, %arg1 fastmath<fast> : f32
  %2 = arith.mulf %f, %f fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  // CHECK-NEXT: arith.muli %arg0, %arg0 overflow<nsw, nuw> : i32
  %3 = arith.muli %a, %a overflow<nuw,nsw> : i32
  return
}
