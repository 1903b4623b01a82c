// A division by a constant is a product and shifts, by vectors; of words a product of halves. By variables it stays.
// RUN: airlite-opt %s --pipeline='air-aie-constant-divisions,aie.device(aie.core(canonicalize,cse)),air-aie-vectorize-core' | FileCheck %s
//
// -128 to 127 by 7: 147 / 2^10, and no product exceeds 16 bits.
// CHECK: %[[TEN:.*]] = arith.constant 10 : i16
// CHECK: %[[FACTOR:.*]] = arith.constant 147 : i16
// CHECK: %[[FACTORS:.*]] = vector.broadcast %[[FACTOR]]
// CHECK: %[[PRODUCT:.*]] = arith.muli %{{.*}}, %[[FACTORS]] : vector<32xi16>
// CHECK: %[[SHIFT:.*]] = vector.broadcast %[[TEN]]
// CHECK: arith.shrui %[[PRODUCT]], %[[SHIFT]] : vector<32xi16>
// CHECK: vector.store %{{.*}} vector<32xi8>
//
// CHECK: arith.divsi %{{.*}} : i8
//
// Four for the quotient, one for the rest.
// CHECK-COUNT-5: arith.muli %{{.*}} : vector<16xi32>
// CHECK-NOT: arith.remui
// CHECK: vector.store %{{.*}} vector<16xi32>
//
// A division by 0 means nothing, and stays.
// CHECK: arith.divsi %{{.*}} : i32
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<1024xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<1024xi8, 2 : i32>
  %w = aie.buffer(%tile) {sym_name = "w"} : memref<1024xi32, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %seven = arith.constant 7 : i8
    %million = arith.constant 1000001 : i32
    %none = arith.constant 0 : i32
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i] : memref<1024xi8, 2 : i32>
      %q = arith.divsi %x, %seven : i8
      memref.store %q, %b[%i] : memref<1024xi8, 2 : i32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i] : memref<1024xi8, 2 : i32>
      %y = memref.load %b[%i] : memref<1024xi8, 2 : i32>
      %q = arith.divsi %x, %y : i8
      memref.store %q, %b[%i] : memref<1024xi8, 2 : i32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.load %w[%i] : memref<1024xi32, 2 : i32>
      %q = arith.remui %x, %million : i32
      memref.store %q, %w[%i] : memref<1024xi32, 2 : i32>
    }
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.load %w[%i] : memref<1024xi32, 2 : i32>
      %q = arith.divsi %x, %none : i32
      memref.store %q, %w[%i] : memref<1024xi32, 2 : i32>
    }
    aie.end
  }
}
