// Wrong accesses are errors with the op and the index.
// RUN: (airlite-run %s --on=interp --function=bounds; test $? = 1) 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: memory_errors.mlir:[[#@LINE+25]]:8: error: index [1, 4] of 'memref.load' is outside of the shape [2, 4]
// BOUNDS: note: it is allocated here
// RUN: (airlite-run %s --on=interp --function=freed; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FREED
// FREED: error: 'memref.store' uses memory after it is freed
// FREED: note: it is freed here
// RUN: (airlite-run %s --on=interp --function=twice; test $? = 1) 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: memory is freed twice
// RUN: (airlite-run %s --on=interp --function=branch; test $? = 1) 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: error: the condition of 'scf.if' has no defined value
// BRANCH: note: it comes from here: 'memref.load' reads an element that nothing was stored to
// RUN: (airlite-run %s --on=interp --function=result; test $? = 1) 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: error: result 0 has no defined value at the end
// RUN: (airlite-run %s --on=interp --function=dma; test $? = 1) 2>&1 | FileCheck %s --check-prefix=DMA
// DMA: error: 'air.dma_memcpy_nd' reaches elements 8 to 71 of a memref whose last element is 63
// RUN: (airlite-run %s --on=interp --function=herd; test $? = 1) 2>&1 | FileCheck %s --check-prefix=HERD
// HERD: error: index [2] of 'memref.store' is outside of the shape [2]
// HERD: note: in instance (2, 0) of this air.herd
// RUN: (airlite-run %s --on=interp --function=subview; test $? = 1) 2>&1 | FileCheck %s --check-prefix=VIEW
// VIEW: error: 'memref.subview' at [4] of size [8] is outside of the shape [8]
// RUN: (airlite-run %s --on=interp --function=gone --output 0=%t.npy; test $? = 1) 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: result 0 is memory that has been freed
func.func @bounds() -> f32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<2x4xf32>
  %v = memref.load %m[%c1, %c4] : memref<2x4xf32>
  return %v : f32
}
func.func @freed() {
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  memref.store %f, %m[%c1] : memref<4xf32>
  return
}
func.func @twice() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @branch() {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32>
  %v = memref.load %m[%c1] : memref<4xi32>
  %w = arith.addi %v, %v : i32
  %c = arith.cmpi eq, %v, %w : i32
  scf.if %c {
  }
  return
}
func.func @result() -> i32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32>
  %v = memref.load %m[%c1] : memref<4xi32>
  return %v : i32
}
func.func @dma() {
  %m = memref.alloc() : memref<64xf32>
  %l = memref.alloc() : memref<64xf32, 2>
  air.dma_memcpy_nd (%l[] [] [], %m[8] [64] [1]) : (memref<64xf32, 2>, memref<64xf32>)
  return
}
func.func @herd() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  air.herd @h tile (%x, %y) in (%sx = %c3, %sy = %c1) {
    %m = memref.alloc() : memref<2xindex, 2>
    memref.store %x, %m[%x] : memref<2xindex, 2>
  }
  return
}
func.func @subview() {
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<8xf32>
  %s = memref.subview %m[%c4] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  return
}
func.func @gone() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %m : memref<4xf32>
}
