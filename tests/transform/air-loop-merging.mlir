// RUN: airlite-opt %s --check-each --air-loop-merging='loop-merge-levels=1,2 air-label=work' | FileCheck %s
// RUN: airlite-opt %s --air-loop-merging='loop-merge-levels=0,1,2 air-post-label=done' | FileCheck %s --check-prefix=ALL
// RUN: airlite-opt %s --air-loop-merging='loop-merge-levels=0' | FileCheck %s --check-prefix=ONE

// Levels 1 and 2 of three: as many iterations as both together, in the same order.
// CHECK-DAG: #[[J:.*]] = affine_map<(d0) -> (d0 floordiv 5)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0) -> (d0 mod 5)>
// CHECK-DAG: #[[L:.*]] = affine_map<(d0) -> ((d0 floordiv 3) * 4 + 1)>
// CHECK-DAG: #[[M:.*]] = affine_map<(d0) -> ((d0 mod 3) * 2 + 2)>
// CHECK-LABEL: func.func @nest
// CHECK: affine.for %[[I:.*]] = 0 to 2 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 15 {
// CHECK-NOT: affine.for
// CHECK-DAG: %[[VJ:.*]] = affine.apply #[[J]](%[[N]])
// CHECK-DAG: %[[VK:.*]] = affine.apply #[[K]](%[[N]])
// CHECK: affine.store {{.*}}[%[[I]], %[[VJ]], %[[VK]]]
// CHECK: {affine_opt_label = "work"}
// ALL-LABEL: func.func @nest
// ALL: affine.for %{{.*}} = 0 to 30 {
// ALL-NOT: affine.for
// ALL: {affine_opt_label = "done"}
// ONE-LABEL: func.func @nest
// ONE: affine.for %{{.*}} = 0 to 2 {
// ONE: affine.for %{{.*}} = 0 to 3 {
// ONE: affine.for %{{.*}} = 0 to 5 {
func.func @nest(%a: memref<2x3x5xi32>, %v: i32) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 5 {
        %old = affine.load %a[%i, %j, %k] : memref<2x3x5xi32>
        %new = arith.addi %old, %v : i32
        affine.store %new, %a[%i, %j, %k] : memref<2x3x5xi32>
      }
    }
  } {affine_opt_label = "work"}
  return
}

// Lower bounds and steps come back. What one iteration leaves the next one finds: the order counts.
// CHECK-LABEL: func.func @steps
// CHECK: affine.for %{{.*}} = 0 to 2 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 6 {
// CHECK-DAG: affine.apply #[[L]](%[[N]])
// CHECK-DAG: affine.apply #[[M]](%[[N]])
// ONE-LABEL: func.func @steps
// ONE: affine.for %{{.*}} = 0 to 2 {
func.func @steps(%a: memref<16xi32>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 1 to 8 step 4 {
      affine.for %k = 2 to 7 step 2 {
        %old = affine.load %a[%j] : memref<16xi32>
        %two = arith.addi %old, %old : i32
        affine.store %two, %a[%k + %i] : memref<16xi32>
      }
    }
  } {affine_opt_label = "work"}
  return
}

// A loop further in counts up to what a merged one counted: the value is there before it.
// CHECK-LABEL: func.func @triangle
// CHECK: affine.for %{{.*}} = 0 to 2 {
// CHECK-NEXT: affine.for %[[N:.*]] = 0 to 12 {
// CHECK: %[[VK:.*]] = affine.apply
// CHECK: affine.for %{{.*}} = 0 to #{{.*}}(%[[VK]]) {
// ALL-LABEL: func.func @triangle
// ALL: affine.for %{{.*}} = 0 to 24 {
// ALL: affine.for
func.func @triangle(%a: memref<4xi32>, %v: i32) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        affine.for %l = 0 to affine_map<(d0) -> (d0)>(%k) {
          %old = affine.load %a[%l] : memref<4xi32>
          %new = arith.addi %old, %v : i32
          affine.store %new, %a[%l] : memref<4xi32>
        }
      }
    }
  } {affine_opt_label = "work"}
  return
}

// Without a label, or with another one, a nest stays.
// CHECK-LABEL: func.func @others
// CHECK: affine.for %{{.*}} = 0 to 3 {
// CHECK: affine.for %{{.*}} = 0 to 3 {
// CHECK: affine.for %{{.*}} = 0 to 7 {
// CHECK: affine.for %{{.*}} = 0 to 7 {
// CHECK: {affine_opt_label = "else"}
// ONE-LABEL: func.func @others
func.func private @work(index, index)
func.func @others() {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 3 {
      func.call @work(%i, %j) : (index, index) -> ()
    }
  }
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 7 {
      affine.for %k = 0 to 7 {
        func.call @work(%j, %k) : (index, index) -> ()
      }
    }
  } {affine_opt_label = "else"}
  return
}
