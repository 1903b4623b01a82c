// RUN: airlite-opt %s --air-copy-to-dma --verify-diagnostics --remarks | FileCheck %s

// CHECK-NOT: air.dma_memcpy_nd
func.func @stay(%a: memref<8xf32>, %b: memref<8xf32, 0>, %c: memref<8xf32, 1>, %d: memref<8xf16, 2>, %t: tensor<8xf32>) {
  // expected-remark@+1 {{stays a copy: both sides are in one memory space}}
  memref.copy %a, %b : memref<8xf32> to memref<8xf32, 0>
  // expected-remark@+1 {{stays a copy: both sides are in one memory space}}
  memref.copy %c, %c : memref<8xf32, 1> to memref<8xf32, 1>
  // expected-remark@+1 {{stays a copy: it converts elements}}
  linalg.copy ins(%c : memref<8xf32, 1>) outs(%d : memref<8xf16, 2>)
  // expected-remark@+1 {{stays a copy: not on memrefs}}
  %0 = linalg.copy ins(%t : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return
}

func.func @packs(%a: memref<30xf32>, %b: memref<8x4xf32, 1>, %c: memref<8x4xf32>, %d: memref<?xf32>, %e: memref<?x4xf32, 1>, %v: f32, %m: memref<32xf32>) {
  // expected-remark@+1 {{stays: it pads}}
  linalg.pack %a padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [4] into %b : memref<30xf32> -> memref<8x4xf32, 1>
  // expected-remark@+1 {{stays: both sides are in one memory space}}
  linalg.pack %m inner_dims_pos = [0] inner_tiles = [4] into %c : memref<32xf32> -> memref<8x4xf32>
  // expected-remark@+1 {{stays: sizes and strides are not static, or tiles do not divide them}}
  linalg.pack %d inner_dims_pos = [0] inner_tiles = [4] into %e : memref<?xf32> -> memref<?x4xf32, 1>
  return
}
