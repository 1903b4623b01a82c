// C = A * B in bf16, sums in f32: 32 x 64 times 64 x 32.
//
//   airlite-opt matmul_bf16.mlir --pipeline=air-npu

func.func @main(%a: memref<32x64xbf16>, %b: memref<64x32xbf16>, %c: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xbf16>, memref<64x32xbf16>)
      outs(%c : memref<32x32xf32>)
  return
}
