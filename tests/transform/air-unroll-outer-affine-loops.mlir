// RUN: airlite-opt %s --check-each --air-unroll-outer-affine-loops=depth=2 | FileCheck %s
// RUN: airlite-opt %s --air-unroll-outer-affine-loops --verify-diagnostics --remarks | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @nest
// CHECK: affine.for %{{.*}} = #{{.*}}(%[[A:.*]]) to #{{.*}}(%[[A]]) {
// CHECK: %[[B:.*]] = arith.constant 4 : index
// CHECK: affine.for %{{.*}} = #{{.*}}(%[[B]]) to #{{.*}}(%[[B]]) {
// CHECK-COUNT-2: affine.for
// CHECK-NOT: affine.for
// CHECK: return
// ONE-LABEL: func.func @nest
// ONE: affine.for {{.*}} = 0 to 8 step 4
// ONE: affine.for {{.*}} = #{{.*}} to #{{.*}}
// ONE: affine.for {{.*}} = 0 to 8 step 4
// ONE: affine.for {{.*}} = #{{.*}} to #{{.*}}
// ONE: return
func.func @nest(%m: memref<2x8xi32>) {
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 8 step 4 {
      affine.for %k = affine_map<(d0) -> (d0)>(%j) to affine_map<(d0) -> (d0 + 4)>(%j) {
        affine.store %c7, %m[%i, %k] : memref<2x8xi32>
      }
    }
  }
  return
}

// A start that is not constant, and a value that is carried.
// CHECK-LABEL: func.func @carried
// CHECK: %[[FIRST:.*]] = affine.apply #{{.*}}()[%arg1]
// CHECK: memref.load %arg0[%[[FIRST]]]
// CHECK: %[[SECOND:.*]] = affine.apply #{{.*}}()[%arg1]
// CHECK: memref.load %arg0[%[[SECOND]]]
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: return %[[SUM]]
func.func @carried(%m: memref<8xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = affine.for %i = affine_map<()[s0] -> (s0 + 1)>()[%n] to affine_map<()[s0] -> (s0 + 3)>()[%n] iter_args(%s = %c0) -> (i32) {
    %v = memref.load %m[%i] : memref<8xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func private @stays
// CHECK: affine.for
// CHECK: affine.for
func.func private @stays(%m: memref<8xi32>, %n: index) {
  %c7 = arith.constant 7 : i32
  // expected-remark@+1 {{its trip count is not known}}
  affine.for %i = 0 to %n {
    affine.store %c7, %m[%i] : memref<8xi32>
  }
  // expected-remark@+1 {{too many copies}}
  affine.for %i = 0 to 1000000 {
    affine.store %c7, %m[0] : memref<8xi32>
  }
  return
}
