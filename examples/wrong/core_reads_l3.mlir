// Wrong: the cores of an NPU load from the memory of the host.
//
// @sum is called in each core and loads what it is given: that is L3, through a view. Cores of an NPU
// load and store their own memory only. Remedy: bring the row into L1 with air.dma_memcpy_nd, and
// call @sum with that.
//
// RUN: cd %S && not airlite-opt core_reads_l3.mlir --air-verify-program=device=npu1 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero --levels=strict 2>&1 | FileCheck %s
// CHECK: touches L3 memory: data moves between levels by air.dma_memcpy_nd and channels

func.func private @sum(%row: memref<1x16xi32, strided<[16, 1], offset: ?>>, %out: memref<1xi32, 2>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %s = affine.for %k = 0 to 16 iter_args(%before = %zero) -> (i32) {
    %v = affine.load %row[0, %k] : memref<1x16xi32, strided<[16, 1], offset: ?>>
    %next = arith.addi %before, %v : i32
    affine.yield %next : i32
  }
  memref.store %s, %out[%c0] : memref<1xi32, 2>
  return
}
func.func @main(%rows: memref<4x16xi32>, %out: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%a = %rows, %b = %out) : memref<4x16xi32>, memref<4xi32> {
    air.segment @s args(%a2 = %a, %b2 = %b) : memref<4x16xi32>, memref<4xi32> {
      %one = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      air.herd @cores tile (%x, %y) in (%sx = %c4, %sy = %one) args(%r = %a2, %o = %b2)
          : memref<4x16xi32>, memref<4xi32> {
        %row = memref.subview %r[%x, 0] [1, 16] [1, 1]
            : memref<4x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
        %s = memref.alloc() : memref<1xi32, 2>
        func.call @sum(%row, %s)
            : (memref<1x16xi32, strided<[16, 1], offset: ?>>, memref<1xi32, 2>) -> ()
        air.dma_memcpy_nd (%o[%x] [1] [1], %s[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
      }
    }
  }
  return
}
