// Direct access to memory of another level.
// RUN: (airlite-run %s --on=interp --function=outer; test $? = 1) 2>&1 | FileCheck %s --check-prefix=OUTER
// OUTER: error: 'memref.store' in an air.segment touches L1 memory: data moves between levels by air.dma_memcpy_nd and channels
// RUN: airlite-run %s --on=interp --function=outer --levels=free -v 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: schedules agree
// RUN: airlite-run %s --on=interp --function=inner -v 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: (airlite-run %s --on=interp --function=inner --levels=strict; test $? = 1) 2>&1 | FileCheck %s --check-prefix=INNER
// INNER: error: 'linalg.fill' in an air.herd touches L2 memory
func.func @outer() {
  air.launch () in () {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %f = arith.constant 1.0 : f32
      %l1 = memref.alloc() : memref<4xf32, 2>
      memref.store %f, %l1[%c0] : memref<4xf32, 2>
    }
  }
  return
}
func.func @inner() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %l2 = memref.alloc() : memref<4xf32, 1>
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %l2) : memref<4xf32, 1> {
        %f = arith.constant 1.0 : f32
        linalg.fill ins(%f : f32) outs(%a : memref<4xf32, 1>)
      }
    }
  }
  return
}
