// RUN: airlite-opt %s --check-each --air-collapse-herd=max-col-size=4 --canonicalize | FileCheck %s
// RUN: airlite-opt %s --check-each --air-collapse-herd --canonicalize | FileCheck %s --check-prefix=ANY

// CHECK-LABEL: func.func @square
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: air.herd @herd_0 tile (%{{.*}}, %[[CORE:.*]]) in (%{{.*}}=%[[ONE]], %{{.*}}=%[[FOUR]])
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[Y:.*]] = arith.remsi %[[CORE]], %[[TWO]] : index
// CHECK: %[[X:.*]] = arith.divsi %[[CORE]], %[[TWO]] : index
// CHECK: affine.if #{{.*}}()[%[[X]], %[[Y]]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[X]], %[[Y]]]
func.func @square(%m: memref<2x2xi32>) {
  %c2 = arith.constant 2 : index
  air.launch () in () args(%l = %m) : memref<2x2xi32> {
    %two = arith.constant 2 : index
    air.herd @herd_0 tile (%x, %y) in (%sx = %two, %sy = %two) args(%out = %l) : memref<2x2xi32> {
      // The sizes are those of before as well.
      %sum = arith.addi %sx, %sy : index
      %v = arith.index_cast %sum : index to i32
      affine.if affine_set<()[s0, s1] : (s0 == 0, s1 >= 0)>()[%x, %y] {
        memref.store %v, %out[%x, %y] : memref<2x2xi32>
      } else {
        memref.store %v, %out[%x, %y] : memref<2x2xi32>
      }
    }
  }
  return
}

// Nine cores are too many for a column of four.
// CHECK-LABEL: func.func @large
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: air.herd @herd_1 tile ({{.*}}) in (%{{.*}}=%[[THREE]], %{{.*}}=%[[THREE]])
// ANY-LABEL: func.func @large
// ANY-DAG: %[[ONE:.*]] = arith.constant 1 : index
// ANY-DAG: %[[NINE:.*]] = arith.constant 9 : index
// ANY: air.herd @herd_1 tile ({{.*}}) in (%{{.*}}=%[[ONE]], %{{.*}}=%[[NINE]])
func.func @large() {
  %c3 = arith.constant 3 : index
  air.herd @herd_1 tile (%x, %y) in (%sx = %c3, %sy = %c3) {
  }
  return
}
