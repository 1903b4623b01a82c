// C = A * B in f32, sums in f32: 48 x 16 times 16 x 32.
//
//   airlite-opt matmul_f32.mlir --pipeline=air-npu

func.func @main(%a: memref<48x16xf32>, %b: memref<16x32xf32>, %c: memref<48x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<48x32xf32>)
  linalg.matmul ins(%a, %b : memref<48x16xf32>, memref<16x32xf32>)
      outs(%c : memref<48x32xf32>)
  return
}
