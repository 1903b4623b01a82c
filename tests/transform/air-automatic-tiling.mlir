// RUN: airlite-opt %s --check-each --air-automatic-tiling='air-post-label=done' | FileCheck %s
// RUN: airlite-opt %s --air-automatic-tiling --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// 12 = 2 * 2 * 3; the second loop has 5 iterations, and stays.
// CHECK-DAG: #[[MAP:.*]] = affine_map<(d0, d1, d2) -> (((d0 * 2 + d1) * 3 + d2) * 2 + 3)>
// CHECK-LABEL: func.func @split
// CHECK: affine.for %[[A:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[C:.*]] = 0 to 3 {
// CHECK-NEXT: affine.for %[[J:.*]] = 0 to 5 {
// CHECK-NEXT: %[[I:.*]] = affine.apply #[[MAP]](%[[A]], %[[B]], %[[C]])
// CHECK-NEXT: affine.store %[[I]], %arg0[%[[I]], %[[J]]]
// CHECK: } {affine_opt_label = "done"}
func.func @split(%m: memref<32x5xindex>) {
  affine.for %i = 3 to 27 step 2 {
    affine.for %j = 0 to 5 {
      affine.store %i, %m[%i, %j] : memref<32x5xindex>
    }
  } {affine_opt_label = "n"}
  return
}

// The innermost loop is split as well.
// CHECK-LABEL: func.func @innermost
// CHECK: affine.for %[[A:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[B:.*]] = 0 to 3 {
// CHECK-NEXT: affine.apply #{{.*}}(%[[A]], %[[B]])
func.func @innermost(%m: memref<6xindex>) {
  affine.for %i = 0 to 6 {
    affine.store %i, %m[%i] : memref<6xindex>
  } {affine_opt_label = "n"}
  return
}

// REMARK: remark: {{.*}}no trip count has several factors
// REMARK: remark: {{.*}}a loop of the nest has no constant bounds
// REMARK: remark: {{.*}}a loop of the nest has too many iterations
func.func @others(%m: memref<8xindex>, %n: index) {
  affine.for %i = 0 to 7 {
    affine.store %i, %m[%i] : memref<8xindex>
  } {affine_opt_label = "n"}
  affine.for %i = 0 to %n {
    affine.store %i, %m[%i] : memref<8xindex>
  } {affine_opt_label = "n"}
  affine.for %i = 0 to 2000000000000 {
    affine.store %i, %m[0] : memref<8xindex>
  } {affine_opt_label = "n"}
  return
}
