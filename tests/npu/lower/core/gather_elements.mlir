// Elements of floats that no vector can be loaded from where they lie go to buffers one by one, and what is computed of them goes
// back; sums of integers stay where they are, since one of them takes no longer than a copy.
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core,aie.device(aie.core(canonicalize,cse))' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core' --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// The three loops that stay, in the order of the program.
// REMARK: not vectorized: it computes an index
// REMARK: not vectorized: it computes an index
// REMARK: not vectorized: it carries values
// REMARK-NOT: not vectorized
//
// Every third element.
// CHECK: %[[THRICE:.*]] = arith.muli
// CHECK: %[[X:.*]] = memref.load %[[IN:.*]][%[[THRICE]]]
// CHECK: memref.store %[[X]], %[[FROM:.*]][%{{.*}}] : memref<32xf32, 2 : i32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK: vector.load %[[FROM]]
// CHECK: vector.store %{{.*}}, %[[TO:.*]][%{{.*}}] : memref<32xf32, 2 : i32>
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c24
// CHECK: %[[Y:.*]] = memref.load %[[TO]][%[[J]]]
// CHECK: memref.store %[[Y]], %[[OUT:.*]][%[[J]]] : memref<80xf32, 2 : i32>
//
// A row of 24: the second vector begins at 8, and computes eight elements once more.
// CHECK: vector.load %[[IN]][%c0{{.*}}] : memref<80xf32, 2 : i32>, vector<16xf32>
// CHECK: vector.load %[[IN]][%c8{{.*}}] : memref<80xf32, 2 : i32>, vector<16xf32>
//
// In place that would compute them of what it has stored: the last eight go through a buffer.
// CHECK: vector.load %[[OUT]][%c0{{.*}}] : memref<80xf32, 2 : i32>, vector<16xf32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c8{{.*}} step %c1{{ }}
// CHECK: memref.store %{{.*}} : memref<16xf32, 2 : i32>
// CHECK: vector.load %{{.*}} : memref<16xf32, 2 : i32>
//
// Sums have shorter vectors: eight lanes at the end.
// CHECK: vector.load %[[OUT]][%c16{{.*}}] : memref<80xf32, 2 : i32>, vector<8xf32>
//
// A round reads what the one before has stored.
// CHECK: scf.for %{{.*}} = %c1{{.*}} to %c24{{.*}} step %c1
// CHECK-NOT: vector.load
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %in = aie.buffer(%tile) {sym_name = "in"} : memref<80xf32, 2 : i32>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<80xf32, 2 : i32>
  %words = aie.buffer(%tile) {sym_name = "words"} : memref<80xi32, 2 : i32>
  %total = aie.buffer(%tile) {sym_name = "total"} : memref<1xf32, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c24 = arith.constant 24 : index
    %cm1 = arith.constant -1 : index
    %zero = arith.constant 0.0 : f32
    scf.for %i = %c0 to %c24 step %c1 {
      %thrice = arith.muli %i, %c3 : index
      %x = memref.load %in[%thrice] : memref<80xf32, 2 : i32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%i] : memref<80xf32, 2 : i32>
    }
    scf.for %i = %c0 to %c24 step %c1 {
      %x = memref.load %in[%i] : memref<80xf32, 2 : i32>
      %y = math.fma %x, %x, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      memref.store %y, %out[%i] : memref<80xf32, 2 : i32>
    }
    scf.for %i = %c0 to %c24 step %c1 {
      %x = memref.load %out[%i] : memref<80xf32, 2 : i32>
      %y = math.fma %x, %x, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      memref.store %y, %out[%i] : memref<80xf32, 2 : i32>
    }
    scf.for %i = %c0 to %c24 step %c1 {
      %x = memref.load %out[%i] : memref<80xf32, 2 : i32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%i] : memref<80xf32, 2 : i32>
    }
    scf.for %i = %c1 to %c24 step %c1 {
      %thrice = arith.muli %i, %c3 : index
      %before = arith.addi %i, %cm1 : index
      %x = memref.load %out[%before] : memref<80xf32, 2 : i32>
      %z = memref.load %in[%thrice] : memref<80xf32, 2 : i32>
      %y = arith.addf %x, %z : f32
      memref.store %y, %out[%i] : memref<80xf32, 2 : i32>
    }
    scf.for %i = %c0 to %c24 step %c1 {
      %thrice = arith.muli %i, %c3 : index
      %x = memref.load %words[%thrice] : memref<80xi32, 2 : i32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %words[%thrice] : memref<80xi32, 2 : i32>
    }
    %sum = scf.for %i = %c0 to %c24 step %c1 iter_args(%s = %zero) -> (f32) {
      %x = memref.load %in[%i] : memref<80xf32, 2 : i32>
      %next = arith.addf %s, %x : f32
      scf.yield %next : f32
    }
    memref.store %sum, %total[%c0] : memref<1xf32, 2 : i32>
    aie.end
  }
}
