// C = A * B in i8, sums in i32: 64 x 64 times 64 x 64.
//
//   airlite-opt matmul_i8.mlir --pipeline=air-npu

func.func @main(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>)
      outs(%c : memref<64x64xi32>)
  return
}
