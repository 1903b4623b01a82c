// Every second, fourth or eighth element of a row: vectors of all elements between, of which shuffles keep every second one, once or
// more often. Neighbours share them; where a vector has elements after the last one that is used, they have to be memory.
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core,aie.device(aie.core(canonicalize,loop-invariant-code-motion,cse))' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core' --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: not vectorized: its elements do not lie side by side
// REMARK: not vectorized: an access begins inside a vector
// REMARK: not vectorized: its elements do not lie side by side
// REMARK: not vectorized: it computes an index
// REMARK-NOT: not vectorized
//
// Even and odd elements: 64 elements give 32 of each.
// CHECK: %[[PLACE:.*]] = arith.muli %{{.*}}, %c2
// CHECK: %[[LOW:.*]] = vector.load %[[IN:.*]][%[[PLACE]]] : memref<256xi16, 2 : i32>, vector<32xi16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[PLACE]], %c32
// CHECK: %[[HIGH:.*]] = vector.load %[[IN]][%[[NEXT]]]
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4,
// CHECK-NOT: vector.load
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [1, 3, 5,
// CHECK: vector.store
//
// Every fourth one, from the third one on: phase 3 of vectors that begin at a multiple of 4.
// CHECK: vector.load %[[IN]]
// CHECK-COUNT-3: vector.load
// CHECK: vector.shuffle %{{.*}} [1, 3, 5,
// CHECK: vector.shuffle %{{.*}} [1, 3, 5,
// CHECK: vector.shuffle %{{.*}} [1, 3, 5,
//
// The last element is used: it is the last one of its vector.
// CHECK: vector.load
// CHECK: vector.load
// CHECK: vector.shuffle %{{.*}} [1, 3, 5,
//
// Half a register of every second element.
// CHECK: vector.load %[[IN]][%{{.*}}] : memref<256xi16, 2 : i32>, vector<32xi16>
// CHECK: vector.shuffle
// CHECK: vector.extract_strided_slice {{.*}}offsets = [0]
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %in = aie.buffer(%tile) {sym_name = "in"} : memref<256xi16, 2 : i32>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<256xi16, 2 : i32>
  %short = aie.buffer(%tile) {sym_name = "short"} : memref<63xi16, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c191 = arith.constant 191 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %even = arith.muli %i, %c2 : index
      %odd = arith.addi %even, %c1 : index
      %x = memref.load %in[%even] : memref<256xi16, 2 : i32>
      %y = memref.load %in[%odd] : memref<256xi16, 2 : i32>
      %z = arith.addi %x, %y : i16
      memref.store %z, %out[%i] : memref<256xi16, 2 : i32>
    }
    scf.for %i = %c0 to %c32 step %c1 {
      %fourth = arith.muli %i, %c4 : index
      %place = arith.addi %fourth, %c3 : index
      %x = memref.load %in[%place] : memref<256xi16, 2 : i32>
      memref.store %x, %out[%i] : memref<256xi16, 2 : i32>
    }
    scf.for %i = %c0 to %c32 step %c1 {
      %twice = arith.muli %i, %c2 : index
      %place = arith.addi %twice, %c191 : index
      %last = arith.addi %place, %c2 : index
      %x = memref.load %in[%last] : memref<256xi16, 2 : i32>
      memref.store %x, %out[%i] : memref<256xi16, 2 : i32>
    }
    scf.for %i = %c0 to %c16 step %c1 {
      %twice = arith.muli %i, %c2 : index
      %x = memref.load %in[%twice] : memref<256xi16, 2 : i32>
      memref.store %x, %out[%i] : memref<256xi16, 2 : i32>
    }
    // Stored by steps.
    scf.for %i = %c0 to %c64 step %c1 {
      %twice = arith.muli %i, %c2 : index
      %x = memref.load %in[%i] : memref<256xi16, 2 : i32>
      memref.store %x, %out[%twice] : memref<256xi16, 2 : i32>
    }
    // In place.
    scf.for %i = %c1 to %c32 step %c1 {
      %twice = arith.muli %i, %c2 : index
      %x = memref.load %out[%twice] : memref<256xi16, 2 : i32>
      memref.store %x, %out[%i] : memref<256xi16, 2 : i32>
    }
    // The first and the last element of a buffer: no vector has both and nothing else.
    scf.for %i = %c0 to %c32 step %c1 {
      %twice = arith.muli %i, %c2 : index
      %x = memref.load %short[%twice] : memref<63xi16, 2 : i32>
      memref.store %x, %out[%i] : memref<256xi16, 2 : i32>
    }
    // By three.
    scf.for %i = %c0 to %c32 step %c1 {
      %thrice = arith.muli %i, %c3 : index
      %x = memref.load %in[%thrice] : memref<256xi16, 2 : i32>
      memref.store %x, %out[%i] : memref<256xi16, 2 : i32>
    }
    aie.end
  }
}
