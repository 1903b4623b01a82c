// Idempotent chains, and where folded constants stand.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @idempotent(
// CHECK-NEXT: %0 = arith.andi %arg0, %arg1 : i32
// CHECK-NEXT: %1 = arith.ori %arg0, %arg1 : i32
// CHECK-NEXT: return %0, %1 : i32, i32
func.func @idempotent(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.andi %a, %b : i32
  %1 = arith.andi %a, %0 : i32
  %2 = arith.ori %a, %b : i32
  %3 = arith.ori %2, %b : i32
  return %1, %3 : i32, i32
}

// Constants that come out of folding stay in the order of the ops.
// CHECK-LABEL: func.func @order(
// CHECK-NEXT: %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT: %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT: %c5_i64 = arith.constant 5 : i64
// CHECK-NEXT: return %c3_i32, %c5_i32, %c5_i64 : i32, i32, i64
func.func @order() -> (i32, i32, i64) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %c1, %c2 : i32
  %1 = arith.addi %0, %c2 : i32
  %2 = arith.extsi %1 : i32 to i64
  return %0, %1, %2 : i32, i32, i64
}
