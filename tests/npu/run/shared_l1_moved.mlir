// Two herds transfer one L1 buffer, which the DMA of one core reaches: they run on that core, one after the other.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=f %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --function=f --target=npu2 --reverse-tiles %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
// RUN: airlite-opt %s --air-place-herds='num-rows=4 num-cols=4 row-anchor=2 col-anchor=0' | FileCheck %s --check-prefix=PLACE
// PLACE: air.herd @fill {{.*}} attributes {x_loc = [[X:.*]] : i64, y_loc = [[Y:.*]] : i64}
// PLACE: air.herd @drain {{.*}} attributes {x_loc = [[X]] : i64, y_loc = [[Y]] : i64}
// Another shape cannot be on the same cores, and another place was asked for.
// PLACE: air.herd @row {{.*}} attributes {x_loc = 1 : i64, y_loc = 5 : i64}
// PLACE: air.herd @pinned {{.*}} attributes {x_loc = 3 : i64, y_loc = 5 : i64}
func.func @f(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<64xi32>, memref<64xi32> {
    air.segment @s args(%sa = %la, %sb = %lb) : memref<64xi32>, memref<64xi32> {
      %c1 = arith.constant 1 : index
      %m = memref.alloc() : memref<64xi32, 2>
      air.herd @fill tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%hm = %m, %ha = %sa) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%hm[] [] [], %ha[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
        linalg.add ins(%hm, %hm : memref<64xi32, 2>, memref<64xi32, 2>) outs(%hm : memref<64xi32, 2>)
      }
      air.herd @drain tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%hm = %m, %hb = %sb) : memref<64xi32, 2>, memref<64xi32> {
        linalg.mul ins(%hm, %hm : memref<64xi32, 2>, memref<64xi32, 2>) outs(%hm : memref<64xi32, 2>)
        air.dma_memcpy_nd (%hb[] [] [], %hm[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
      memref.dealloc %m : memref<64xi32, 2>
    }
  }
  return
}
func.func @apart(%a: memref<64xi32>) {
  air.launch () in () args(%la = %a) : memref<64xi32> {
    air.segment @s args(%sa = %la) : memref<64xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %m = memref.alloc() : memref<64xi32, 2>
      air.herd @row tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%hm = %m, %ha = %sa) : memref<64xi32, 2>, memref<64xi32> {
        air.dma_memcpy_nd (%hm[] [] [], %ha[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
      }
      air.herd @pinned tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%hm = %m, %ha = %sa) : memref<64xi32, 2>, memref<64xi32> attributes {x_loc = 3 : i64, y_loc = 5 : i64} {
        air.dma_memcpy_nd (%ha[] [] [], %hm[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
      memref.dealloc %m : memref<64xi32, 2>
    }
  }
  return
}
