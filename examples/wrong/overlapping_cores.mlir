// Each core writes 20 elements of the result, 16 apart: neighbours write over each other.
//
// RUN: cd %S && not airlite-opt overlapping_cores.mlir --air-verify-program 2>&1 | %golden

#at = affine_map<(d0) -> (d0 * 16)>
func.func @main(%out: memref<80xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c20 = arith.constant 20 : index
  air.herd @cores tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%o = %out) : memref<80xf32> {
    %step = arith.constant 1 : index
    %size = arith.constant 20 : index
    %zero = arith.constant 0.0 : f32
    %m = memref.alloc() : memref<20xf32, 2>
    linalg.fill ins(%zero : f32) outs(%m : memref<20xf32, 2>)
    %first = affine.apply #at(%x)
    air.dma_memcpy_nd (%o[%first] [%size] [%step], %m[] [] [])
        : (memref<80xf32>, memref<20xf32, 2>)
  }
  return
}
