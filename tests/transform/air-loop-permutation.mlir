// RUN: airlite-opt %s --check-each --air-loop-permutation='loop-order=1,2,0 air-label=n' | FileCheck %s
// RUN: airlite-opt %s --air-loop-permutation='loop-order=1,2,0' --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not airlite-opt %s --air-loop-permutation='loop-order=1,1' 2>&1 | FileCheck %s --check-prefix=ORDER

// ORDER: error: expected a loop-order that has each number from 0 on once, as in 2,0,1

// The first loop is the second one now, the second the third, the third the first.
// CHECK-LABEL: func.func @nest
// CHECK: affine.for %[[K:.*]] = 1 to 7 step 2 {
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK: affine.for %[[J:.*]] = 0 to 5 {
// CHECK: affine.store %{{.*}}, %arg0[%[[I]], %[[J]], %[[K]]]
// CHECK: } {affine_opt_label = "n"}
func.func @nest(%m: memref<4x5x7xindex>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.for %k = 1 to 7 step 2 {
        %v = affine.apply affine_map<(d0, d1, d2) -> (d0 * 100 + d1 * 10 + d2)>(%i, %j, %k)
        affine.store %v, %m[%i, %j, %k] : memref<4x5x7xindex>
      }
    }
  } {affine_opt_label = "n"}
  return
}

// REMARK: remark: {{.*}}iterations would change their order and may depend on each other
// CHECK-LABEL: func.func @depends
// CHECK: affine.for %{{.*}} = 0 to 4 {
func.func @depends(%m: memref<8xindex>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 2 {
        affine.store %i, %m[%k] : memref<8xindex>
      }
    }
  } {affine_opt_label = "n"}
  return
}

// REMARK: remark: {{.*}}a bound of a loop is made in the nest
// REMARK: remark: {{.*}}the nest has not as many loops as the order says
func.func @others(%m: memref<4x5x7xindex>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        affine.store %i, %m[%i, %j, %k] : memref<4x5x7xindex>
      }
    }
  } {affine_opt_label = "n"}
  affine.for %i = 0 to 4 {
    affine.store %i, %m[%i, 0, 0] : memref<4x5x7xindex>
  } {affine_opt_label = "n"}
  return
}
