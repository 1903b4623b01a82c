// RUN: airlite-opt %s --air-wrap-func-with-parallel='loop-bounds=4,2 actual-sizes=30,16' | FileCheck %s

func.func private @declared(index)

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[M:.*]]: memref<4x2xi32>, %[[N0:.*]]: i32, %[[N1:.*]]: index, %{{.*}}: i32, %{{.*}}: index)
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0{{.*}}, %c0{{.*}}) to (%c4{{.*}}, %c2{{.*}}) step (%c1{{.*}}, %c1{{.*}}) {
// CHECK:   %[[X:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK:   %[[S:.*]] = arith.addi %[[X]], %[[N0]] : i32
// CHECK:   memref.store %[[S]], %[[M]][%[[N1]], %[[J]]]
// CHECK:   scf.reduce
// CHECK: } {air.actual_sizes = array<i64: 30, 16>}
// CHECK: return
func.func @kernel(%m: memref<4x2xi32>, %n0: i32, %n1: index, %x: i32, %y: index) {
  %s = arith.addi %x, %n0 : i32
  memref.store %s, %m[%n1, %y] : memref<4x2xi32>
  return
}
