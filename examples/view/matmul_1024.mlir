// C = A * B in i8, sums in i32: 1024 x 1024 times 1024 x 1024. docs/view.md shows its run.
//
//   airlite-run --on=sim matmul_1024.mlir --view out.html

func.func @main(%a: memref<1024x1024xi8>, %b: memref<1024x1024xi8>, %c: memref<1024x1024xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<1024x1024xi32>)
  linalg.matmul ins(%a, %b : memref<1024x1024xi8>, memref<1024x1024xi8>)
      outs(%c : memref<1024x1024xi32>)
  return
}
