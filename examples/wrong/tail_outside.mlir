// Wrong: the last piece of a vector is fetched as if it were whole.
//
// 100 elements are fetched in pieces of 32, so the fourth piece begins at element 96 and has 4
// elements. Remedy: transfer affine.min(32, 100 - %at) elements, or pad the vector to 128.
//
// RUN: cd %S && not airlite-opt tail_outside.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: reaches elements 96 to 127 of a memref whose last element is 99

func.func @main(%in: memref<100xi32>, %out: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @core tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%from = %in, %to = %out)
      : memref<100xi32>, memref<128xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c100 = arith.constant 100 : index
    %piece = memref.alloc() : memref<32xi32, 2>
    scf.for %at = %c0 to %c100 step %c32 {
      air.dma_memcpy_nd (%piece[] [] [], %from[%at] [%c32] [%one])
          : (memref<32xi32, 2>, memref<100xi32>)
      air.dma_memcpy_nd (%to[%at] [%c32] [%one], %piece[] [] [])
          : (memref<128xi32>, memref<32xi32, 2>)
    }
  }
  return
}
