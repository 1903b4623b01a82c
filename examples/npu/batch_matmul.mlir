// C[b] = A[b] * B[b] for four products: each is a launch instance of its own.

func.func @main(%a: memref<4x32x16xi16>, %b: memref<4x16x32xi16>, %c: memref<4x32x32xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<4x32x32xi32>)
  linalg.batch_matmul ins(%a, %b : memref<4x32x16xi16>, memref<4x16x32xi16>)
      outs(%c : memref<4x32x32xi32>)
  return
}
