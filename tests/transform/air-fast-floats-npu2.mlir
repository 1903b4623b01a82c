// The vector unit of AIE2P adds one product of pieces at a time, in matrices as well; those of bf16 may be multiplied in blocks.
// RUN: airlite-opt %s --air-fast-floats='everywhere=true device=npu2 float-blocks=true' | FileCheck %s --check-prefix=BLOCKS
// RUN: not airlite-opt %s --air-fast-floats='float-blocks=true' 2>&1 | FileCheck %s --check-prefix=NPU1
// RUN: airlite-opt %s --air-fast-floats='everywhere=true device=npu2' | FileCheck %s
// RUN: not airlite-opt %s --air-fast-floats='device=npu9' 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK-LABEL: func.func @product
// CHECK: math.fma {{.*}} {air.bf16_pieces = array<i64: 3, 3, 1>} : f32
// CHECK-LABEL: func.func @matrices
// CHECK: linalg.matmul {air.bf16_pieces = array<i64: 3, 3>, air.sum_depth = 1 : i64}
// CHECK-LABEL: func.func @narrow
// CHECK: linalg.matmul {air.sum_depth = 1 : i64}
// BLOCKS-LABEL: func.func @matrices
// BLOCKS: linalg.matmul {air.bf16_pieces = array<i64: 3, 3>, air.sum_depth = 1 : i64}
// BLOCKS-LABEL: func.func @narrow
// BLOCKS: linalg.matmul {air.block_floats, air.sum_depth = 8 : i64}
// Functions of bf16 by instructions of the unit, of f32 by series; and all by series where that is asked for.
// RUN: airlite-opt %s --air-fast-floats='everywhere=true device=npu2 unit-functions=false' | FileCheck %s --check-prefix=SERIES
// CHECK-LABEL: func.func @functions
// CHECK: math.exp2 %{{.*}} {air.bf16_result} : f32
// CHECK: math.exp2 %{{.*}} {air.bf16_result} : f32
// CHECK: math.tanh %{{.*}} {air.bf16_result} : f32
// CHECK-NOT: math.exp2
// CHECK-NOT: math.tanh
// SERIES-LABEL: func.func @functions
// SERIES-NOT: math.exp2
// SERIES-NOT: math.tanh
// NPU1: error: air-fast-floats: not supported: 'float-blocks' on npu1
// NONE: error: air-fast-floats: 'device' is none that is known
func.func @product(%a: f32, %b: f32) -> f32 {
  %r = arith.mulf %a, %b : f32
  return %r : f32
}
func.func @matrices(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
func.func @narrow(%a: memref<4x8xbf16>, %b: memref<8x4xbf16>, %c: memref<4x4xbf16>) {
  linalg.matmul ins(%a, %b : memref<4x8xbf16>, memref<8x4xbf16>) outs(%c : memref<4x4xbf16>)
  return
}
func.func @functions(%a: bf16, %b: f32) -> (bf16, f32) {
  %e = math.exp %a : bf16
  %p = math.exp2 %e : bf16
  %t = math.tanh %p : bf16
  %w = math.exp %b : f32
  %x = math.tanh %w : f32
  return %t, %x : bf16, f32
}
