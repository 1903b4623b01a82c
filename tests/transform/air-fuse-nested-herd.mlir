// RUN: airlite-opt %s --check-each --air-fuse-nested-herd | FileCheck %s
// RUN: airlite-opt %s --check-each --air-fuse-nested-herd='order=inner-outer' | FileCheck %s --check-prefix=INNER

// CHECK: #[[SET:.*]] = affine_set<()[s0, s1] : (s1 - 3 == 0, s0 >= 0, -s0 + 1 >= 0)>
// INNER: #[[SET:.*]] = affine_set<()[s0, s1] : (s0 - 3 == 0, s1 >= 0, -s1 + 1 >= 0)>

// Ids, sizes and arguments of both; attributes of the inner herd that the outer one lacks.
// CHECK-LABEL: func.func @both
// CHECK: air.herd @outer tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c4{{.*}}) args({{.*}}) : memref<2x4xi32, 2> attributes {link_with = "k.o"}
// CHECK-NOT: air.herd
// CHECK: %[[A:.*]] = arith.constant 2 : index
// CHECK: %[[B:.*]] = arith.constant 4 : index
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[X]], %[[Y]]]
// INNER-LABEL: func.func @both
// INNER: air.herd @outer tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c4{{.*}}, %{{.*}}=%c2{{.*}})
// INNER: memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
func.func @both(%m: memref<2x4xi32, 2>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @outer tile (%i, %i1) in (%si = %c2, %si1 = %c1) args(%a = %m) : memref<2x4xi32, 2> {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    air.herd @inner tile (%j1, %j) in (%sj1 = %one, %sj = %four) args(%p = %i, %sp = %si, %b = %a) : index, index, memref<2x4xi32, 2> attributes {link_with = "k.o"} {
      %sum = arith.addi %sp, %sj : index
      %at = arith.addi %p, %j1 : index
      %v = arith.index_cast %sum : index to i32
      memref.store %v, %b[%p, %j] : memref<2x4xi32, 2>
    }
  }
  return
}

// A condition on one id names both.
// CHECK-LABEL: func.func @condition
// CHECK: air.herd tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK: affine.if #[[SET]]()[%[[X]], %[[Y]]]
// INNER-LABEL: func.func @condition
// INNER: air.herd tile (%[[X:.*]], %[[Y:.*]]) in
// INNER: affine.if #[[SET]]()[%[[X]], %[[Y]]]
func.func @condition() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd tile (%i, %i1) in (%si = %c1, %si1 = %c2) {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    air.herd tile (%j, %j1) in (%sj = %four, %sj1 = %one) {
      affine.if affine_set<()[s0] : (s0 - 3 == 0)>()[%j] {
        %buffer = memref.alloc() : memref<4xi32, 2>
        memref.dealloc %buffer : memref<4xi32, 2>
      }
    }
  }
  return
}
