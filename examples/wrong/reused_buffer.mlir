// The second copy may overwrite the tile while the herd still reads the first one. The herd is
// asynchronous, and the copy does not wait for its token.
//
// RUN: cd %S && not airlite-opt reused_buffer.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-opt %s --air-verify-program=counterexample=%t --emit=none
// RUN: not airlite-run %s --on=interp --init=random:1 --schedule=%t 2>&1 | FileCheck %s
// CHECK: depends on the schedule

func.func @main(%a: memref<64xi32>, %b: memref<64xi32>, %out: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %tile = memref.alloc() : memref<64xi32, 1>
  %t0 = air.dma_memcpy_nd async (%tile[] [] [], %a[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
  %t1 = air.herd @user async [%t0] tile (%x, %y) in (%sx = %c1, %sy = %c1)
      args(%t = %tile, %o = %out) : memref<64xi32, 1>, memref<64xi32> {
    %m = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %t[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
    air.dma_memcpy_nd (%o[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
  }
  %t2 = air.dma_memcpy_nd async [%t0] (%tile[] [] [], %b[] [] [])
      : (memref<64xi32, 1>, memref<64xi32>)
  air.wait_all [%t1, %t2]
  return
}
