// L1 memory of a segment as upstream's products use it: a slab for each core, filled by one herd, added to by a herd in a
// loop, and drained by a third, all of one name. Each core keeps its slab from herd to herd.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --async-transfers %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --async-transfers --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
func.func @main(%a: memref<64x64xi32>, %c: memref<64x64xi32>) {
  air.launch () in () args(%from = %a, %to = %c) : memref<64x64xi32>, memref<64x64xi32> {
    air.segment @s args(%f = %from, %t = %to) : memref<64x64xi32>, memref<64x64xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %l2o = memref.alloc() : memref<64x64xi32, 1>
      %acc = memref.alloc() : memref<2x2x32x32xi32, 2>
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%m = %acc) : memref<2x2x32x32xi32, 2> {
        %z = arith.constant 0 : i32
        %sv = memref.subview %m[%x, %y, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<2x2x32x32xi32, 2> to memref<1x1x32x32xi32, strided<[2048, 1024, 32, 1], offset: ?>, 2>
        linalg.fill ins(%z : i32) outs(%sv : memref<1x1x32x32xi32, strided<[2048, 1024, 32, 1], offset: ?>, 2>)
      }
      scf.for %k = %c0 to %c4 step %c1 {
        %l2 = memref.alloc() : memref<64x64xi32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %f[] [] []) : (memref<64x64xi32, 1>, memref<64x64xi32>)
        air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%m = %acc, %in = %l2) : memref<2x2x32x32xi32, 2>, memref<64x64xi32, 1> {
          %l1 = memref.alloc() : memref<1x1x32x32xi32, 2>
          %ox = affine.apply affine_map<()[s] -> (s * 32)>()[%x]
          %oy = affine.apply affine_map<()[s] -> (s * 32)>()[%y]
          air.dma_memcpy_nd (%l1[] [] [], %in[%ox, %oy] [32, 32] [64, 1]) : (memref<1x1x32x32xi32, 2>, memref<64x64xi32, 1>)
          %sv = memref.subview %m[%x, %y, 0, 0] [1, 1, 32, 32] [1, 1, 1, 1] : memref<2x2x32x32xi32, 2> to memref<1x1x32x32xi32, strided<[2048, 1024, 32, 1], offset: ?>, 2>
          linalg.add ins(%sv, %l1 : memref<1x1x32x32xi32, strided<[2048, 1024, 32, 1], offset: ?>, 2>, memref<1x1x32x32xi32, 2>) outs(%sv : memref<1x1x32x32xi32, strided<[2048, 1024, 32, 1], offset: ?>, 2>)
          memref.dealloc %l1 : memref<1x1x32x32xi32, 2>
        }
        memref.dealloc %l2 : memref<64x64xi32, 1>
      }
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%m = %acc, %out = %l2o) : memref<2x2x32x32xi32, 2>, memref<64x64xi32, 1> {
        %ox = affine.apply affine_map<()[s] -> (s * 32)>()[%x]
        %oy = affine.apply affine_map<()[s] -> (s * 32)>()[%y]
        air.dma_memcpy_nd (%out[%ox, %oy] [32, 32] [64, 1], %m[%x, %y, 0, 0] [1, 1, 32, 32] [2048, 1024, 32, 1]) : (memref<64x64xi32, 1>, memref<2x2x32x32xi32, 2>)
      }
      air.dma_memcpy_nd (%t[] [] [], %l2o[] [] []) : (memref<64x64xi32>, memref<64x64xi32, 1>)
      memref.dealloc %l2o : memref<64x64xi32, 1>
      memref.dealloc %acc : memref<2x2x32x32xi32, 2>
    }
  }
  return
}
