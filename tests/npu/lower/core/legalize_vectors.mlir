// RUN: airlite-opt %s --air-aie-legalize-core='functions=true vectorize=true' | FileCheck %s
// RUN: airlite-opt %s --air-aie-legalize-core='functions=true' | FileCheck %s --check-prefix=SCALAR
// RUN: airlite-opt %s --air-aie-core-loops=functions=true --air-aie-flatten-memrefs=functions=true --canonicalize \
// RUN:   --air-aie-vectorize-core=functions=true --remarks 2>&1 | FileCheck %s --check-prefix=WHY

// A row of 160, five vectors of 512 bits; as numbers each sum would be a call.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[I:.*]] = %c0 to %c160 step %c32
// CHECK-NEXT: %[[X:.*]] = vector.load %arg0[%[[I]]] : memref<160xbf16>, vector<32xbf16>
// CHECK-NEXT: %[[Y:.*]] = vector.load %arg1[%[[I]]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : vector<32xbf16>
// CHECK-NEXT: vector.store %[[S]], %arg2[%[[I]]]
// SCALAR-LABEL: func.func @rows
// SCALAR: scf.for
// SCALAR: call @__air_f32_add
func.func @rows(%a: memref<4x40xbf16>, %b: memref<4x40xbf16>, %c: memref<4x40xbf16>) {
  linalg.add ins(%a, %b : memref<4x40xbf16>, memref<4x40xbf16>) outs(%c : memref<4x40xbf16>)
  return
}

// One number for all elements; 6 numbers of the 70 are left.
// CHECK-LABEL: func.func @rest
// CHECK: vector.broadcast %arg1 : i32 to vector<16xi32>
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK: arith.muli
// CHECK: vector.store
// CHECK: scf.for %{{.*}} = %c64 to %c70 step %c1
// CHECK: arith.muli %{{.*}}, %arg1 : i32
func.func @rest(%a: memref<70xi32>, %s: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  scf.for %i = %c0 to %c70 step %c1 {
    %x = memref.load %a[%i] : memref<70xi32>
    %y = arith.muli %x, %s : i32
    memref.store %y, %a[%i] : memref<70xi32>
  }
  return
}

// WHY: not vectorized: {{.*}}
// CHECK-LABEL: func.func @turned
// CHECK-NOT: vector
// The sum of a row stays in a register.
// CHECK: %[[FIRST:.*]] = memref.load %arg1[%[[J:.*]]] : memref<16xi32>
// CHECK-NEXT: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %[[FIRST]]) -> (i32)
// CHECK: %[[NEXT:.*]] = arith.addi %[[SO_FAR]], %{{.*}} : i32
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: memref.store %[[SUM]], %arg1[%[[J]]]
func.func @turned(%a: memref<16x16xi32>, %b: memref<16xi32>) {
  linalg.reduce ins(%a : memref<16x16xi32>) outs(%b : memref<16xi32>) dimensions = [1]
    (%x: i32, %s: i32) {
      %r = arith.addi %s, %x : i32
      linalg.yield %r : i32
    }
  return
}
