// RUN: airlite-opt %s --air-loops-to-cores='herd=2,2 l1-bytes=4096' --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-loops-to-cores='herd=2,2 l1-bytes=4096' --check-each --emit=none

// Work of cores already: six by four tiles on herds of two by two.
// CHECK-LABEL: func.func @tiles
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%c24, %c16{{.*}}) step (%c8{{.*}}, %c8{{.*}}) {
// CHECK: scf.parallel (%[[X:.*]], %[[Y:.*]]) = (%c0{{.*}}, %c0{{.*}}) to (%c8{{.*}}, %c8{{.*}}) step (%c4{{.*}}, %c4{{.*}}) {
// CHECK: affine.apply #{{.*}}(%[[I]], %[[X]])
// CHECK: affine.apply #{{.*}}(%[[J]], %[[Y]])
// CHECK: memref.alloc() : memref<4x4xi32, 2>
func.func @tiles(%a: memref<24x16xi32>, %b: memref<24x16xi32>) {
  scf.forall (%i, %j) = (0, 0) to (24, 16) step (4, 4) {
    %s = memref.subview %a[%i, %j] [4, 4] [1, 1] : memref<24x16xi32> to memref<4x4xi32, strided<[16, 1], offset: ?>>
    %d = memref.subview %b[%i, %j] [4, 4] [1, 1] : memref<24x16xi32> to memref<4x4xi32, strided<[16, 1], offset: ?>>
    %t = memref.alloc() : memref<4x4xi32, 2>
    memref.copy %s, %t : memref<4x4xi32, strided<[16, 1], offset: ?>> to memref<4x4xi32, 2>
    memref.copy %t, %d : memref<4x4xi32, 2> to memref<4x4xi32, strided<[16, 1], offset: ?>>
    memref.dealloc %t : memref<4x4xi32, 2>
  }
  return
}

// Computed on memory of the host: one core does it.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[A:.*]]: memref<8xi32>, %[[R:.*]]: memref<1xi32>)
// CHECK: scf.parallel
// CHECK: %[[A2:.*]] = memref.alloc() : memref<8xi32, 1>
// CHECK: memref.copy %[[A]], %[[A2]]
// CHECK: %[[R2:.*]] = memref.alloc() : memref<1xi32, 1>
// CHECK: memref.copy %[[R]], %[[R2]]
// CHECK: scf.parallel
// CHECK: memref.copy %[[R2]], %[[R1:.*]] : memref<1xi32, 1> to memref<1xi32, 2>
// CHECK: memref.copy %[[A2]], %[[A1:.*]] : memref<8xi32, 1> to memref<8xi32, 2>
// CHECK: scf.for
// CHECK: memref.load %[[A1]]
// CHECK: memref.store %{{.*}}, %[[R1]]
// CHECK: memref.copy %[[R1]], %[[R2]]
// CHECK-NOT: memref.copy %[[A1]]
// CHECK: memref.copy %[[R2]], %[[R]]
func.func @sum(%a: memref<8xi32>, %r: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (i32) {
    %v = memref.load %a[%i] : memref<8xi32>
    %n = arith.addi %acc, %v : i32
    scf.yield %n : i32
  }
  memref.store %s, %r[%c0] : memref<1xi32>
  return
}

// CHECK-LABEL: func.func @stack
// CHECK: %[[T:.*]] = memref.alloc() : memref<1xi32>
// CHECK: memref.copy %{{.*}}, %[[T]]
// CHECK: memref.dealloc %[[T]] : memref<1xi32>
func.func @stack(%a: memref<8xi32>) {
  %t = memref.alloca() : memref<1xi32>
  affine.for %i = 0 to 8 {
    %0 = affine.load %a[%i] : memref<8xi32>
    affine.store %0, %t[0] : memref<1xi32>
    %1 = affine.load %t[0] : memref<1xi32>
    affine.store %1, %a[7 - %i] : memref<8xi32>
  }
  return
}

// CHECK-LABEL: func.func @stays
// CHECK-NOT: memref.alloc
func.func @stays(%a: memref<8xi32>, %b: memref<4096xi32>, %c: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{stays on the host: it needs a result}}
  %v = memref.load %a[%c0] : memref<8xi32>
  func.call @other() : () -> ()
  // expected-remark@+1 {{stays on the host: its buffers do not fit into L1 memory}}
  affine.for %i = 0 to 4096 {
    %0 = affine.load %b[%i] : memref<4096xi32>
    affine.store %0, %b[%i] : memref<4096xi32>
  }
  func.call @other() : () -> ()
  // expected-remark@+1 {{stays on the host: a buffer has no static shape of its own}}
  memref.store %v, %c[%c0] : memref<?xi32>
  return %v : i32
}

func.func @other() {
  return
}
