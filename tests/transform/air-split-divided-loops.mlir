// RUN: airlite-opt %s --air-split-divided-loops | FileCheck %s
// RUN: airlite-opt %s --air-split-divided-loops --check-each --emit=none

// Quotient and remainder are variables of their own; where the variable itself is used, it is made of them.
// CHECK-LABEL: func.func @twice
// CHECK: affine.for %[[I:.*]] = 0 to 64 {
// CHECK: affine.for %[[H:.*]] = 0 to 2 {
// CHECK: affine.for %[[J:.*]] = 0 to 64 {
// CHECK: affine.for %[[G:.*]] = 0 to 2 {
// CHECK: affine.load %arg0[%[[I]], %[[J]]]
// CHECK: affine.store %{{.*}}, %arg1[%[[I]] * 2 + %[[H]], %[[J]] * 2 + %[[G]]]
func.func @twice(%a: memref<64x64xf32>, %c: memref<128x128xf32>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      %x = affine.load %a[%i floordiv 2, %j floordiv 2] : memref<64x64xf32>
      affine.store %x, %c[%i, %j] : memref<128x128xf32>
    }
  }
  return
}

// A parallel loop; a divisor that is a multiple of another one.
// CHECK-LABEL: func.func @three
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %c4
// CHECK: scf.for %[[Y:.*]] = %{{.*}} to %c32
// CHECK: scf.for %[[Z:.*]] = %{{.*}} to %c16
// CHECK-NOT: arith.div
// CHECK: memref.load %arg0[%[[X]], %{{.*}}, %[[Z]]]
func.func @three(%a: memref<4x32x16xi32>, %c: memref<2048xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  %n = arith.constant 2048 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %x = arith.divui %t, %c512 : index
    %rest = arith.remui %t, %c512 : index
    %z = arith.remui %t, %c16 : index
    %y = arith.divui %rest, %c16 : index
    %e = memref.load %a[%x, %y, %z] : memref<4x32x16xi32>
    memref.store %e, %c[%t] : memref<2048xi32>
    scf.reduce
  }
  return
}

// What a loop carries goes through both.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[OUTER:.*]] = %c0_i32)
// CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[INNER:.*]] = %[[OUTER]])
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
// CHECK: arith.addi %[[INNER]]
func.func @carried(%a: memref<32x16xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 512 : index
  %z = arith.constant 0 : i32
  %s = scf.for %t = %c0 to %n step %c1 iter_args(%so = %z) -> (i32) {
    %i = arith.divsi %t, %c16 : index
    %j = arith.remsi %t, %c16 : index
    %x = memref.load %a[%i, %j] : memref<32x16xi32>
    %r = arith.addi %so, %x : i32
    scf.yield %r : i32
  }
  return %s : i32
}

// Rounds that the divisor does not divide, divisors without a common one, a loop that begins elsewhere.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-3: affine.for
// CHECK-NOT: affine.for
func.func @stays(%a: memref<64xi32>, %c: memref<129xi32>) {
  affine.for %i = 0 to 127 {
    %x = affine.load %a[%i floordiv 2] : memref<64xi32>
    affine.store %x, %c[%i] : memref<129xi32>
  }
  affine.for %i = 0 to 120 {
    %x = affine.load %a[%i floordiv 3 + %i mod 4] : memref<64xi32>
    affine.store %x, %c[%i] : memref<129xi32>
  }
  affine.for %i = 1 to 129 {
    %x = affine.load %a[(%i floordiv 4) mod 8] : memref<64xi32>
    affine.store %x, %c[%i] : memref<129xi32>
  }
  return
}
