// RUN: airlite-opt %s --check-each --affine-simplify-structures | FileCheck %s

// What is applied goes into the maps that use it; what nobody uses any more, and ops of other
// dialects, stay.
// CHECK-LABEL: func.func @compose
// CHECK: arith.addi %[[C:.*]], %[[C]] : i32
// CHECK: affine.for %[[I:.*]] = 0 to 4 {
// CHECK: affine.apply
// CHECK: affine.load %{{.*}}[%[[I]] * 2 + 1]
func.func @compose(%a: memref<16xi32>) {
  %c = arith.constant 1 : i32
  %unused = arith.addi %c, %c : i32
  affine.for %i = 0 to 4 {
    %j = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %v = affine.load %a[%j + 1] : memref<16xi32>
    affine.store %v, %a[%i] : memref<16xi32>
  }
  return
}

// A loop that never runs and a branch that is never taken go, with what is in them.
// CHECK-LABEL: func.func @never
// CHECK-NOT: affine
// CHECK: return
func.func @never(%a: memref<16xi32>, %v: i32) {
  affine.for %i = 4 to 4 {
    affine.store %v, %a[%i] : memref<16xi32>
  }
  affine.if affine_set<() : (-1 >= 0)>() {
    affine.store %v, %a[0] : memref<16xi32>
  }
  return
}
