// C = A * B in i32, sums in i32: 64 x 32 times 32 x 64.
//
//   airlite-opt matmul_i32.mlir --pipeline=air-npu

func.func @main(%a: memref<64x32xi32>, %b: memref<32x64xi32>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x32xi32>, memref<32x64xi32>)
      outs(%c : memref<64x64xi32>)
  return
}
