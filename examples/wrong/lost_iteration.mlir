// The loop hands the token of the copy in, not that of the product: from the second iteration on,
// the tile is overwritten while the herd of the iteration before still reads it.
//
// RUN: cd %S && not airlite-opt lost_iteration.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-opt %s --air-verify-program=counterexample=%t --emit=none
// RUN: not airlite-run %s --on=interp --init=random:1 --schedule=%t 2>&1 | FileCheck %s
// CHECK: depends on the schedule

func.func @main(%in: memref<4x64xi32>, %out: memref<4x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %tile = memref.alloc() : memref<64xi32, 1>
  %start = air.wait_all async
  %done = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %start) -> (!air.async.token) {
    %copied = air.dma_memcpy_nd async [%before] (%tile[] [] [], %in[%i, %c0] [%c1, %c64] [%c64, %c1])
        : (memref<64xi32, 1>, memref<4x64xi32>)
    %used = air.herd @user async [%copied] tile (%x, %y) in (%sx = %c1, %sy = %c1)
        args(%t = %tile, %o = %out, %row = %i) : memref<64xi32, 1>, memref<4x64xi32>, index {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %width = arith.constant 64 : index
      %m = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%m[] [] [], %t[] [] []) : (memref<64xi32, 2>, memref<64xi32, 1>)
      air.dma_memcpy_nd (%o[%row, %zero] [%one, %width] [%width, %one], %m[] [] [])
          : (memref<4x64xi32>, memref<64xi32, 2>)
    }
    scf.yield %copied : !air.async.token
  }
  air.wait_all [%done]
  return
}
