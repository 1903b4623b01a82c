// What the vector unit has stays, what it has not becomes loops; docs/npu_core_ir.md.
// RUN: airlite-opt %s --air-aie-scalarize-vectors=functions=true | FileCheck %s

// Products of f32 are calls, their sums are not. The product needs no buffer for %x.
// CHECK-LABEL: func.func @products
// CHECK: %[[Y:.*]] = vector.load %arg1[%{{.*}}] : memref<64xf32>, vector<16xf32>
// CHECK-NEXT: %{{.*}} = arith.constant 0
// CHECK-NEXT: vector.store %[[Y]], %[[SPILLED:.*]][%
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[A:.*]] = memref.load %arg0
// CHECK-NEXT: %[[B:.*]] = memref.load %[[SPILLED]][%[[I]]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT: memref.store %[[P]], %[[MADE:.*]][%[[I]]]
// CHECK: %[[M:.*]] = vector.load %[[MADE]]
// CHECK-NEXT: arith.addf %[[M]], %[[Y]] : vector<16xf32>
func.func @products(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c16 {
    %x = vector.transfer_read %a[%i], %z : memref<64xf32>, vector<16xf32>
    %y = vector.transfer_read %b[%i], %z : memref<64xf32>, vector<16xf32>
    %m = arith.mulf %x, %y : vector<16xf32>
    %s = arith.addf %m, %y : vector<16xf32>
    vector.transfer_write %s, %c[%i] : vector<16xf32>, memref<64xf32>
  }
  return
}

// One loop from memory to memory; what is out of bounds is not there.
// CHECK-LABEL: func.func @shape
// CHECK-NOT: memref.get_global
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: memref.load %arg0
// CHECK: else
// CHECK-NEXT: scf.yield %arg2 : i16
// CHECK: arith.shrsi %{{.*}}, %{{.*}} : i16
// CHECK: memref.store %{{.*}}, %arg1
// CHECK-NOT: vector<
func.func @shape(%a: memref<8x20xi16>, %b: memref<8x20xi16>, %s: i16, %i: index) {
  %two = arith.constant dense<2> : vector<2x3xi16>
  %x = vector.transfer_read %a[%i, %i], %s : memref<8x20xi16>, vector<2x3xi16>
  %y = arith.shrsi %x, %two : vector<2x3xi16>
  vector.transfer_write %y, %b[%i, %i] {in_bounds = [true, true]} : vector<2x3xi16>, memref<8x20xi16>
  return
}

// A vector that no register holds goes around a loop in memory, one that a register holds stays there.
// CHECK-LABEL: func.func @carried
// CHECK: %{{.*}} = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (vector<16xi32>)
// CHECK: scf.yield %{{.*}} : vector<16xi32>
func.func @carried(%a: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = arith.constant dense<1> : vector<16xi32>
  %v = arith.constant dense<1> : vector<3xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %u, %q = %v) -> (vector<16xi32>, vector<3xi32>) {
    %s = arith.addi %p, %u : vector<16xi32>
    %t = arith.addi %q, %v : vector<3xi32>
    scf.yield %s, %t : vector<16xi32>, vector<3xi32>
  }
  vector.store %r#0, %a[%c0] : memref<64xi32>, vector<16xi32>
  vector.store %r#1, %a[%c1] : memref<64xi32>, vector<3xi32>
  return
}
