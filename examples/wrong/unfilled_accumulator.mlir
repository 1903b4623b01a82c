// Wrong: a matrix product is added to an accumulator that nobody has filled.
//
// linalg.matmul adds to what stands in its output. The tile %sum is made and never set to zero, so
// the product is added to whatever was in the memory. Remedy: linalg.fill of 0 before the product.
//
// RUN: cd %S && not airlite-opt unfilled_accumulator.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: error: argument 2 at [0, 0] has no defined value at the end

func.func @main(%a: memref<16x16xi32>, %b: memref<16x16xi32>, %c: memref<16x16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @core tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%l = %a, %r = %b, %o = %c)
      : memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32> {
    %left = memref.alloc() : memref<16x16xi32, 2>
    %right = memref.alloc() : memref<16x16xi32, 2>
    %sum = memref.alloc() : memref<16x16xi32, 2>
    air.dma_memcpy_nd (%left[] [] [], %l[] [] []) : (memref<16x16xi32, 2>, memref<16x16xi32>)
    air.dma_memcpy_nd (%right[] [] [], %r[] [] []) : (memref<16x16xi32, 2>, memref<16x16xi32>)
    linalg.matmul ins(%left, %right : memref<16x16xi32, 2>, memref<16x16xi32, 2>)
        outs(%sum : memref<16x16xi32, 2>)
    air.dma_memcpy_nd (%o[] [] [], %sum[] [] []) : (memref<16x16xi32>, memref<16x16xi32, 2>)
  }
  return
}
