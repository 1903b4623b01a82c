// C = A * B in i16, sums in i32: 32 x 32 times 32 x 64.
//
//   airlite-opt matmul_i16.mlir --pipeline=air-npu

func.func @main(%a: memref<32x32xi16>, %b: memref<32x64xi16>, %c: memref<32x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<32x64xi32>)
  linalg.matmul ins(%a, %b : memref<32x32xi16>, memref<32x64xi16>)
      outs(%c : memref<32x64xi32>)
  return
}
