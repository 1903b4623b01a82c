// The vector unit of AIE2P adds one product of pieces at a time; it multiplies no matrices of floats.
// RUN: airlite-opt %s --air-fast-floats='everywhere=true device=npu2' | FileCheck %s
// RUN: not airlite-opt %s --air-fast-floats='device=npu9' 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK-LABEL: func.func @product
// CHECK: math.fma {{.*}} {air.bf16_pieces = array<i64: 3, 3, 1>} : f32
// CHECK-LABEL: func.func @matrices
// CHECK-NOT: air.sum_depth
// CHECK: math.fma {{.*}} {air.bf16_pieces = array<i64: 3, 3, 1>} : f32
// NONE: error: air-fast-floats: 'device' is none that is known
func.func @product(%a: f32, %b: f32) -> f32 {
  %r = arith.mulf %a, %b : f32
  return %r : f32
}
func.func @matrices(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
