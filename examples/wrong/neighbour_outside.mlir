// Wrong: the cores at the edge read a neighbour that they do not have.
//
// Each core adds the row before its own. The core with number 0 has no row before it. Remedy: leave
// it out with scf.if, or begin with core 1.
//
// RUN: cd %S && not airlite-opt neighbour_outside.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero --levels=free 2>&1 | FileCheck %s
// CHECK: error: 'memref.subview' at [-1, 0] of size [1, 16] is outside of the shape [4, 16]

func.func @main(%rows: memref<4x16xi32>, %out: memref<4x16xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @cores tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%r = %rows, %o = %out)
      : memref<4x16xi32>, memref<4x16xi32> {
    %one = arith.constant 1 : index
    %before = arith.subi %x, %one : index
    %row = memref.subview %r[%before, 0] [1, 16] [1, 1]
        : memref<4x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
    %mine = memref.alloc() : memref<1x16xi32, 2>
    air.dma_memcpy_nd (%mine[] [] [], %row[] [] [])
        : (memref<1x16xi32, 2>, memref<1x16xi32, strided<[16, 1], offset: ?>>)
    air.dma_memcpy_nd (%o[%x, 0] [1, 16] [16, 1], %mine[] [] [])
        : (memref<4x16xi32>, memref<1x16xi32, 2>)
  }
  return
}
