// Loops around transfers become those that carry tokens; others stay as they are, and so do those whose transfers are in a herd.
//
// RUN: airlite-opt %s --scf-forall-to-parallel=around-transfers=true --lower-affine=around-transfers=true | FileCheck %s

air.channel @c [2]

// CHECK-LABEL: func.func @host
// CHECK: scf.parallel
// CHECK: air.channel.put @c
// CHECK: scf.parallel
// CHECK: air.channel.get @c
// CHECK: scf.forall
// CHECK: memref.store
// CHECK: affine.parallel
// CHECK: affine.store
func.func @host(%m: memref<2x8xi32>, %n: memref<2x8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  scf.forall (%x) in (2) {
    air.channel.put @c[%x] (%m[%x, 0] [1, 8] [8, 1]) : (memref<2x8xi32>)
  }
  affine.parallel (%x) = (0) to (2) {
    air.channel.get @c[%x] (%n[%x, 0] [1, 8] [8, 1]) : (memref<2x8xi32>)
  }
  scf.forall (%x) in (2) {
    memref.store %v, %m[%x, %c0] : memref<2x8xi32>
  }
  affine.parallel (%x) = (0) to (2) {
    affine.store %v, %n[%x, 0] : memref<2x8xi32>
  }
  return
}

// CHECK-LABEL: func.func @around_a_herd
// CHECK: scf.forall
// CHECK: air.herd
func.func @around_a_herd() {
  %c1 = arith.constant 1 : index
  scf.forall (%k) in (2) {
    air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%p = %k) : index {
      %b = memref.alloc() : memref<8xi32, 2>
      air.channel.put @c[%p] (%b[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}
