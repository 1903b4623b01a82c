// RUN: airlite-opt %s --check-each --air-dependency --air-dependency-schedule-opt | FileCheck %s

// All four: the accumulator leaves the loop, what all cores of a row read is marked, the copy that
// the fill overwrites goes, and the rest is numbered from 1.
// CHECK: #[[SET:.*]] = affine_set
// CHECK-LABEL: func.func @f
// CHECK: air.herd
// CHECK: air.dma_memcpy_nd async {{.*}} {broadcast_pattern = #[[SET]], id = 1 : i32}
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: linalg.fill
// CHECK: air.dma_memcpy_nd async {{.*}} {id = 2 : i32}
// CHECK: scf.for
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: linalg.generic
// CHECK: scf.yield
// CHECK: air.dma_memcpy_nd async {{.*}} {id = 3 : i32}
// CHECK-NOT: air.dma_memcpy_nd
#id = affine_map<(d0) -> (d0)>
func.func @f(%m: memref<8xi32>, %n: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @herd_0 tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%acc = %m, %all = %n) : memref<8xi32>, memref<4xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : i32
    %at = arith.muli %x, %c4 : index
    %in = memref.alloc() : memref<4xi32, 2>
    air.dma_memcpy_nd (%in[] [] [], %all[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
    %sevens = memref.alloc() : memref<4xi32, 2>
    air.dma_memcpy_nd (%sevens[] [] [], %all[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
    linalg.fill ins(%c7 : i32) outs(%sevens : memref<4xi32, 2>)
    scf.for %i = %c0 to %c4 step %one {
      %own = memref.alloc() : memref<4xi32, 2>
      air.dma_memcpy_nd (%own[] [] [], %acc[%at] [4] [1]) : (memref<4xi32, 2>, memref<8xi32>)
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%in, %sevens : memref<4xi32, 2>, memref<4xi32, 2>) outs(%own : memref<4xi32, 2>) {
      ^bb0(%a: i32, %b: i32, %old: i32):
        %part = arith.muli %a, %b : i32
        %sum = arith.addi %old, %part : i32
        linalg.yield %sum : i32
      }
      air.dma_memcpy_nd (%acc[%at] [4] [1], %own[] [] []) : (memref<8xi32>, memref<4xi32, 2>)
      memref.dealloc %own : memref<4xi32, 2>
    }
    memref.dealloc %in : memref<4xi32, 2>
    memref.dealloc %sevens : memref<4xi32, 2>
  }
  return
}
