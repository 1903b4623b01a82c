// air-aie-narrow-integers: what only passes through 64 bits is computed with words.
// RUN: airlite-opt --air-aie-narrow-integers='functions=true' --canonicalize %s | FileCheck %s

// The lower word of what is added is 0: only the upper word of the product counts.
// CHECK-LABEL: func.func @rescale
// CHECK-NOT:     i64
// CHECK:         arith.maxsi
// CHECK-NEXT:    arith.minsi
// CHECK-NEXT:    arith.trunci {{.*}} : i32 to i8
func.func @rescale(%a: i32, %b: i32) -> i8 {
  %half = arith.constant 137438953472 : i64
  %bits = arith.constant 38 : i64
  %lo = arith.constant -128 : i64
  %hi = arith.constant 127 : i64
  %aw = arith.extsi %a : i32 to i64
  %bw = arith.extsi %b : i32 to i64
  %p = arith.muli %aw, %bw : i64
  %q = arith.addi %p, %half : i64
  %s = arith.shrsi %q, %bits : i64
  %l = arith.maxsi %s, %lo : i64
  %m = arith.minsi %l, %hi : i64
  %r = arith.trunci %m : i64 to i8
  return %r : i8
}

// What is no word becomes the nearest one, between the bounds.
// CHECK-LABEL: func.func @nearest
// CHECK-NOT:     i64
// CHECK:         arith.cmpi eq
// CHECK:         arith.select
// CHECK:         arith.maxsi
func.func @nearest(%a: i32, %b: i32) -> i32 {
  %lo = arith.constant -1000 : i64
  %hi = arith.constant 1000 : i64
  %aw = arith.extsi %a : i32 to i64
  %bw = arith.extui %b : i32 to i64
  %d = arith.subi %aw, %bw : i64
  %l = arith.minsi %d, %hi : i64
  %m = arith.maxsi %l, %lo : i64
  %r = arith.trunci %m : i64 to i32
  return %r : i32
}

// CHECK-LABEL: func.func @extended
// CHECK-NOT:     mulsi_extended
func.func @extended(%a: i32, %b: i32) -> i32 {
  %low, %high = arith.mulsi_extended %a, %b : i32
  return %high : i32
}

// Bounds of more than 32 bits, one bound, a product of 64 bits, a shift by what is not known: other passes have these.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: arith.trunci {{.*}} : i64 to i32
func.func @stays(%a: i32, %b: i64, %c: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %lo = arith.constant -10000000000 : i64
  %hi = arith.constant 1000 : i64
  %aw = arith.extsi %a : i32 to i64
  %l = arith.minsi %aw, %hi : i64
  %m = arith.maxsi %l, %lo : i64
  %0 = arith.trunci %m : i64 to i32
  memref.store %0, %c[%c0] : memref<4xi32>
  %n = arith.maxsi %aw, %hi : i64
  %1 = arith.trunci %n : i64 to i32
  memref.store %1, %c[%c1] : memref<4xi32>
  %p = arith.muli %aw, %b : i64
  %2 = arith.trunci %p : i64 to i32
  memref.store %2, %c[%c2] : memref<4xi32>
  %s = arith.shrsi %hi, %aw : i64
  %3 = arith.trunci %s : i64 to i32
  memref.store %3, %c[%c3] : memref<4xi32>
  return
}
