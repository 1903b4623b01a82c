// RUN: airlite-opt %s --check-each --air-regularize-loop | FileCheck %s
// RUN: airlite-opt %s --air-regularize-loop --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @apply
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 5 {
// CHECK-NEXT: %[[A:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT: arith.addi %[[A]], %[[A]]
func.func @apply(%m: memref<4x5xindex>) {
  affine.for %i = 0 to 4 {
    %a = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    %b = arith.addi %a, %a : index
    affine.for %j = 0 to 5 {
      affine.store %b, %m[%i, %j] : memref<4x5xindex>
    }
  } {affine_opt_label = "n"}
  return
}

// REMARK: remark: {{.*}}an op between the loops has effects
// REMARK: remark: {{.*}}an op stands after the loop inside
// REMARK: remark: {{.*}}a loop of the nest needs an op between the loops
// REMARK: remark: {{.*}}a loop holds several loops
// REMARK: remark: {{.*}}the nest is perfect
func.func @others(%m: memref<4x16xindex>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    affine.store %i, %m[%i, 0] : memref<4x16xindex>
    affine.for %j = 0 to 5 {
      affine.store %j, %m[%i, %j] : memref<4x16xindex>
    }
  } {affine_opt_label = "n"}
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.store %j, %m[%i, %j] : memref<4x16xindex>
    }
    affine.store %i, %m[%i, 0] : memref<4x16xindex>
  } {affine_opt_label = "n"}
  affine.for %i = 0 to 4 {
    %a = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%a) {
      affine.store %j, %m[%i, %j] : memref<4x16xindex>
    }
  } {affine_opt_label = "n"}
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.store %j, %m[%i, %j] : memref<4x16xindex>
    }
    affine.for %j = 0 to 5 {
      affine.store %j, %m[%i, %j] : memref<4x16xindex>
    }
  } {affine_opt_label = "n"}
  affine.for %i = 0 to 4 {
    affine.store %i, %m[%i, 0] : memref<4x16xindex>
  } {affine_opt_label = "n"}
  return
}
