// RUN: airlite-opt %s --air-par-to-launch --remarks --split-input-file --verify-diagnostics | FileCheck %s
// RUN: airlite-opt %s --air-par-to-launch=has-air-segment=true --split-input-file | FileCheck %s --check-prefix=SEG
// RUN: airlite-opt %s --air-par-to-segment --split-input-file | FileCheck %s --check-prefix=ALL

// Any number of dimensions; what is used from outside comes in, constants are made anew.
// CHECK-LABEL: func.func @three_dims
// CHECK: air.launch (%[[X:.*]], %[[Y:.*]], %[[Z:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c3{{.*}}, %{{.*}}=%c4{{.*}}) args(%[[M:.*]]=%arg0) : memref<8x8x8xi32> attributes {air.actual_sizes = array<i64: 1, 2, 3>}
// CHECK: %[[V:.*]] = arith.constant 7 : i32
// CHECK: memref.store %[[V]], %[[M]][%[[X]], %[[Y]], %[[Z]]]
// SEG-LABEL: func.func @three_dims
// SEG: air.launch (%[[X:.*]], %[[Y:.*]], %[[Z:.*]]) in (%[[A:.*]]=%c2{{.*}}, %[[B:.*]]=%c3{{.*}}, %[[C:.*]]=%c4{{.*}}) args(%[[M:.*]]=%arg0)
// SEG: air.segment @three_dims_0 args(%[[SX:.*]]=%[[X]], %[[SY:.*]]=%[[Y]], %[[SZ:.*]]=%[[Z]], %{{.*}}=%[[A]], %{{.*}}=%[[B]], %{{.*}}=%[[C]], %[[SM:.*]]=%[[M]])
// SEG: memref.store %{{.*}}, %[[SM]][%[[SX]], %[[SY]], %[[SZ]]]
// ALL-LABEL: func.func @three_dims
// ALL: air.segment @three_dims_0 unroll(%{{.*}}, %{{.*}}, %{{.*}}) in
func.func @three_dims(%m: memref<8x8x8xi32>) {
  %v = arith.constant 7 : i32
  scf.forall (%i, %j, %k) in (2, 3, 4) {
    memref.store %v, %m[%i, %j, %k] : memref<8x8x8xi32>
  } {air.actual_sizes = array<i64: 1, 2, 3>}
  return
}

// -----

// CHECK-LABEL: func.func @nested
// CHECK: air.launch
// CHECK: scf.forall
// ALL-LABEL: func.func @nested
// ALL: air.segment @nested_0
// ALL: scf.forall
func.func @nested() {
  scf.forall (%i) in (2) {
    // expected-remark@+1 {{stays a loop: it is inside of a launch}}
    scf.forall (%j) in (2) {
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @around
// CHECK: scf.forall
// CHECK: air.launch
// ALL-LABEL: func.func @around
// ALL: scf.forall
// ALL: air.launch
func.func @around() {
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{stays a loop: a launch is inside of it}}
  scf.forall (%i) in (2) {
    air.launch (%x) in (%s=%c1) {
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @in_herd
// CHECK-NOT: air.launch
// ALL-LABEL: func.func @in_herd
// ALL-NOT: air.segment
func.func @in_herd() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%s=%c1) {
    // expected-remark@+1 {{stays a loop: it is inside of a herd}}
    scf.forall (%i) in (2) {
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @affine
// CHECK-NOT: air.launch
func.func @affine() {
  // expected-remark@+1 {{stays a loop: affine.parallel becomes herds only}}
  affine.parallel (%i, %j) = (0, 0) to (2, 2) {
  }
  return
}

// -----

// CHECK-LABEL: func.func @in_segment
// CHECK: air.segment @in_segment_0
// CHECK-NOT: air.launch
// ALL-LABEL: func.func @in_segment
// ALL: air.segment @in_segment_0
// ALL: scf.forall
func.func @in_segment() {
  air.segment @in_segment_0 {
    // expected-remark@+1 {{stays a loop: it is inside of a segment}}
    scf.forall (%i) in (2) {
    }
  }
  return
}

// -----

// Names that are taken are left out.
// CHECK-LABEL: func.func @names
// CHECK: air.segment @names_0
// CHECK: air.launch
// ALL-LABEL: func.func @names
// ALL: air.segment @names_0
// ALL: air.segment @names_1
func.func @names() {
  air.segment @names_0 {
  }
  scf.forall (%i) in (2) {
  }
  return
}

// -----

// CHECK-LABEL: func.func @herds_in_herds
// CHECK: scf.parallel
// CHECK-NOT: air.launch
// SEG-LABEL: func.func @herds_in_herds
// ALL-LABEL: func.func @herds_in_herds
func.func @herds_in_herds() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{[air-par-to-launch] stays a loop: herds in herds are inside of it}}
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) {
      %one = arith.constant 1 : index
      air.herd tile (%u, %v) in (%su = %one, %sv = %one) {
      }
    }
  }
  return
}
