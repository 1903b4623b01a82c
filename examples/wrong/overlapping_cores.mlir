// Each core writes 20 elements of the result, 16 apart: neighbours write over each other.
//
// RUN: cd %S && not airlite-opt overlapping_cores.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero --schedules=50 2>&1 | FileCheck %s
// CHECK: depends on the schedule

#at = affine_map<(d0) -> (d0 * 16)>
func.func @main(%out: memref<80xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  air.herd @cores tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%o = %out) : memref<80xi32> {
    %step = arith.constant 1 : index
    %size = arith.constant 20 : index
    %mine = arith.index_cast %x : index to i32
    %m = memref.alloc() : memref<20xi32, 2>
    linalg.fill ins(%mine : i32) outs(%m : memref<20xi32, 2>)
    %first = affine.apply #at(%x)
    air.dma_memcpy_nd (%o[%first] [%size] [%step], %m[] [] [])
        : (memref<80xi32>, memref<20xi32, 2>)
  }
  return
}
