// A loop whose body is long becomes several, each of which does a part of it for 512 elements; what a later part needs lies
// in buffers between them. What is loaded is loaded again, and all stores come last.
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core,aie.device(aie.core(canonicalize,cse))' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-aie-vectorize-core' --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: [air-aie-vectorize-core] its body is long: {{[2-9]}} loops, one after the other
// REMARK-NOT: its body is long
//
// CHECK: aie.buffer{{.*}}sym_name = "tiles{{.*}} : memref<512xf32, 2 : i32>
// CHECK: scf.for %[[BASE:.*]] = %c0{{.*}} to %c1024{{.*}} step %c512
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c512{{.*}} step %c16
// CHECK: vector.load %{{.*}} : memref<1024xf32, 2 : i32>
// CHECK: vector.store %{{.*}} : memref<512xf32, 2 : i32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c512{{.*}} step %c16
// CHECK: vector.store %{{.*}} : memref<1024xf32, 2 : i32>
//
// The second loop reads what it has stored 16 elements before: it stays whole.
// CHECK: scf.for %{{.*}} = %c16{{.*}} to %c1008{{.*}} step %c16
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %in = aie.buffer(%tile) {sym_name = "in"} : memref<1024xf32, 2 : i32>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<1024xf32, 2 : i32>
  %core = aie.core(%tile) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %cm16 = arith.constant -16 : index
    %c1008 = arith.constant 1008 : index
    %c1024 = arith.constant 1024 : index
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.load %in[%i] : memref<1024xf32, 2 : i32>
      %a = math.fma %x, %x, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %b = math.fma %a, %a, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %c = math.fma %b, %a, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %d = math.fma %c, %c, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %e = math.fma %d, %d, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      memref.store %e, %out[%i] : memref<1024xf32, 2 : i32>
    }
    scf.for %i = %c16 to %c1008 step %c1 {
      %before = arith.addi %i, %cm16 : index
      %x = memref.load %out[%before] : memref<1024xf32, 2 : i32>
      %a = math.fma %x, %x, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %b = math.fma %a, %a, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %c = math.fma %b, %a, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %d = math.fma %c, %c, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      %e = math.fma %d, %d, %x {air.bf16_pieces = array<i64: 3, 3>} : f32
      memref.store %e, %out[%i] : memref<1024xf32, 2 : i32>
    }
    aie.end
  }
}
