// RUN: airlite-opt %s --check-each --scf-forall-to-for | FileCheck %s --check-prefix=FOR
// RUN: airlite-opt %s --check-each --scf-forall-to-parallel | FileCheck %s --check-prefix=PARALLEL

// FOR-LABEL: func.func @fill
// FOR: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
// FOR: scf.for %[[J:.*]] = %c2{{.*}} to %{{.*}} step %c3
// FOR: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// PARALLEL-LABEL: func.func @fill
// PARALLEL: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0{{.*}}, %c2{{.*}}) to (%c4{{.*}}, %{{.*}}) step (%c1{{.*}}, %c3{{.*}})
// PARALLEL: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
func.func @fill(%m: memref<4x16xi32>, %number: i32) {
  %n = arith.constant 16 : index
  scf.forall (%i, %j) = (0, 2) to (4, %n) step (1, 3) {
    memref.store %number, %m[%i, %j] : memref<4x16xi32>
  }
  return
}
