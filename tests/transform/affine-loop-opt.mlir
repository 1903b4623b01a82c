// RUN: airlite-opt %s --check-each --affine-loop-opt='affine-opt-tile-sizes=4,3 affine-opt-post-label=done' | FileCheck %s
// RUN: airlite-opt %s --affine-loop-opt='affine-opt-tile-sizes=4,3 aaffine-opt-label=other' | FileCheck %s --check-prefix=OTHER
// RUN: not airlite-opt %s --affine-loop-opt='affine-opt-tile-sizes=0' 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: expected tile sizes above 0, got 0

// Three is not a divisor of eight: tiles of two. The order stays, whatever is in the loops.
// CHECK-LABEL: func.func @nest
// CHECK: affine.for %[[I:.*]] = 0 to 1 {
// CHECK: affine.for %[[J:.*]] = 0 to 16 step 4 {
// CHECK: affine.for %[[K:.*]] = #{{.*}}(%[[I]]) to #{{.*}}(%[[I]]) {
// CHECK: affine.for %[[L:.*]] = #{{.*}}(%[[J]]) to #{{.*}}(%[[J]]) step 2 {
// CHECK: call @work(%[[K]], %[[L]])
// CHECK: {affine_opt_label = "done"}
// OTHER-LABEL: func.func @nest
// OTHER: affine.for {{.*}} = 0 to 1 {
// OTHER-NEXT: affine.for {{.*}} = 0 to 16 step 2 {
// OTHER-NEXT: call
// OTHER: {affine_opt_label = "tiling"}
func.func private @work(index, index)
func.func @nest() {
  affine.for %i = 0 to 1 {
    affine.for %j = 0 to 16 step 2 {
      func.call @work(%i, %j) : (index, index) -> ()
    }
  } {affine_opt_label = "tiling"}
  return
}

// Iterations that do not meet may change places. The third loop has no entry: tiles of one.
// CHECK-LABEL: func.func @independent
// CHECK: affine.for {{.*}} = 0 to 8 step 4
// CHECK: affine.for {{.*}} = 0 to 6 step 3
// CHECK: affine.for {{.*}} = 0 to 2 {
// CHECK: affine.load
// OTHER-LABEL: func.func @independent
// OTHER: affine.for {{.*}} = 0 to 8 step 4
// OTHER: {affine_opt_label = ""}
func.func @independent(%a: memref<8x6x2xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      affine.for %k = 0 to 2 {
        %v = affine.load %a[%i, %j, %k] : memref<8x6x2xi32>
        %w = arith.addi %v, %v : i32
        affine.store %w, %a[%i, %j, %k] : memref<8x6x2xi32>
      }
    }
  } {affine_opt_label = "other"}
  return
}
