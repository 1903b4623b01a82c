// Instances of a herd run side by side; memory next to the cores that is allocated outside of the
// herd is there once for each core, and stays from one herd to the next.
// RUN: airlite-run %s --on=interp --schedules=20 -v 2>&1 | FileCheck %s
// CHECK: 20 schedules agree
// RUN: (airlite-run %s --on=interp --function=race --schedules=100; test $? = 1) 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: result 0 depends on the schedule
func.func @main() {
  %out = memref.alloc() : memref<2x3xindex>
  air.launch () in () args(%o = %out) : memref<2x3xindex> {
    air.segment @s args(%p = %o) : memref<2x3xindex> {
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %l1 = memref.alloc() : memref<1xindex, 2>
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c3) args(%a = %l1) : memref<1xindex, 2> {
        %c0 = arith.constant 0 : index
        %c10 = arith.constant 10 : index
        %v = arith.muli %x, %c10 : index
        %w = arith.addi %v, %y : index
        memref.store %w, %a[%c0] : memref<1xindex, 2>
      }
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c3) args(%a = %l1, %q = %p)
          : memref<1xindex, 2>, memref<2x3xindex> {
        %c1 = arith.constant 1 : index
        air.dma_memcpy_nd (%q[%x, %y] [%c1, %c1] [%sy, %c1], %a[] [] [])
            : (memref<2x3xindex>, memref<1xindex, 2>)
      }
    }
  }
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %v = memref.load %out[%c1, %c2] : memref<2x3xindex>
  %ok = arith.cmpi eq, %v, %c12 : index
  cf.assert %ok, "each core has written its own number"
  return
}

func.func @race() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<1xi32>
  %zero = arith.constant 0 : i32
  memref.store %zero, %m[%c0] : memref<1xi32>
  air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%a = %m) : memref<1xi32> {
    %h0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %l2 = memref.alloc() : memref<1xi32, 2>
    air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<1xi32, 2>, memref<1xi32>)
    %v = memref.load %l2[%h0] : memref<1xi32, 2>
    %w = arith.addi %v, %one : i32
    memref.store %w, %l2[%h0] : memref<1xi32, 2>
    air.dma_memcpy_nd (%a[] [] [], %l2[] [] []) : (memref<1xi32>, memref<1xi32, 2>)
  }
  %v = memref.load %m[%c0] : memref<1xi32>
  return %v : i32
}
