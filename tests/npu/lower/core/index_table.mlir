// What a loop computes with its index has lanes: the index comes from a table. A condition that all rounds have in common selects by bits.
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core{functions=true},func.func(canonicalize,cse)' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core{functions=true}' --check-each --emit=none

// CHECK-LABEL: func.func @diagonal
// CHECK: %[[TABLE:.*]] = memref.get_global @__air_vector_indices_64 : memref<64xi32>
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c64{{.*}} step %c16
// CHECK: %[[INDICES:.*]] = vector.load %[[TABLE]][%[[I]]] : memref<64xi32>, vector<16xi32>
// CHECK: arith.cmpi ugt, %[[INDICES]], %{{.*}} : vector<16xi32>
// CHECK: vector.store
func.func @diagonal(%x: memref<64xi32>, %row: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xi32>
    %is = arith.cmpi ugt, %i, %row : index
    %s = arith.select %is, %zero, %v : i32
    memref.store %s, %x[%i] : memref<64xi32>
  }
  return
}

// Sums of indices, and narrow ones.
// CHECK-LABEL: func.func @sums
// CHECK: vector.load %{{.*}} : memref<64xi32>, vector<16xi32>
// CHECK: arith.addi %{{.*}} : vector<16xi32>
// CHECK: vector.store %{{.*}} : memref<64xi16>
func.func @sums(%x: memref<64xi16>, %row: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %at = arith.addi %i, %row : index
    %n = arith.index_cast %at : index to i16
    memref.store %n, %x[%i] : memref<64xi16>
  }
  return
}

// CHECK-LABEL: func.func @common
// CHECK: %[[ALL:.*]] = arith.extsi %arg2 : i1 to i16
// CHECK: %[[NONE:.*]] = arith.xori %[[ALL]]
// CHECK: scf.for
// CHECK-DAG: vector.broadcast %[[ALL]] : i16
// CHECK-DAG: vector.broadcast %[[NONE]] : i16
// CHECK: arith.ori %{{.*}} : vector<
// CHECK-NOT: arith.select
// CHECK: vector.store
func.func @common(%x: memref<64xbf16>, %y: memref<64xbf16>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xbf16>
    %w = memref.load %y[%i] : memref<64xbf16>
    %s = arith.select %c, %v, %w : bf16
    memref.store %s, %y[%i] : memref<64xbf16>
  }
  return
}

// Where the loop is no row of elements nothing is changed.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: memref.get_global
// CHECK: arith.divsi
func.func @stays(%x: memref<64xi32>, %row: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %w = arith.index_cast %i : index to i32
    %n = arith.divsi %w, %row : i32
    memref.store %n, %x[%i] : memref<64xi32>
  }
  return
}
