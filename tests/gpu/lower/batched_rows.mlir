// Batches of rows that share their right factor are one product, also where a broadcast repeats it: one kernel.
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | FileCheck %s
// CHECK-LABEL: func.func @layer
// CHECK-COUNT-1: air.launch
// CHECK-NOT: air.launch
func.func @layer(%x: memref<2x40x64xbf16>, %w: memref<64x32xbf16>, %y: memref<2x40x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %copies = memref.alloc() : memref<2x64x32xbf16>
  linalg.broadcast ins(%w : memref<64x32xbf16>) outs(%copies : memref<2x64x32xbf16>) dimensions = [0]
  linalg.fill ins(%zero : f32) outs(%y : memref<2x40x32xf32>)
  linalg.batch_matmul ins(%x, %copies : memref<2x40x64xbf16>, memref<2x64x32xbf16>) outs(%y : memref<2x40x32xf32>)
  return
}
