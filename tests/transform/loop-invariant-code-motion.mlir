// RUN: airlite-opt %s --loop-invariant-code-motion | FileCheck %s

// A product of arguments leaves both loops, a sum of the outer variable the inner one. A load and a
// division (by what may be zero) stay.
// CHECK: %[[P:.*]] = arith.muli %arg2, %arg3 : i32
// CHECK-NEXT: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[I]], %[[I]] : index
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.divsi %[[P]], %arg3
// CHECK: memref.store %{{.*}}, %arg1[%[[S]]]
func.func @f(%n: index, %a: memref<8xi32>, %p: i32, %q: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = arith.muli %p, %q : i32
      %ij = arith.addi %i, %i : index
      %v = memref.load %a[%c0] : memref<8xi32>
      %d = arith.divsi %s, %q : i32
      %w = arith.addi %v, %d : i32
      memref.store %w, %a[%ij] : memref<8xi32>
    }
  }
  return
}
