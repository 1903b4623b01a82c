// Rows of 1,024 words with gaps between them, which the innermost dimension of a descriptor of a memory tile cannot
// count: it becomes two.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --async-transfers %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
func.func @main(%a: memref<8192xi32>, %b: memref<8192xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<8192xi32>, memref<8192xi32> {
    air.segment @s args(%f = %from, %t = %to) : memref<8192xi32>, memref<8192xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %in = memref.alloc() : memref<8192xi32, 1>
      %out = memref.alloc() : memref<8192xi32, 1>
      air.dma_memcpy_nd (%in[] [] [], %f[] [] []) : (memref<8192xi32, 1>, memref<8192xi32>)
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%l2 = %in, %l2out = %out) : memref<8192xi32, 1>, memref<8192xi32, 1> {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %c1024 = arith.constant 1024 : index
        %c2048 = arith.constant 2048 : index
        %c8192 = arith.constant 8192 : index
        scf.for %i = %c0 to %c8192 step %c2048 {
          %tile = memref.alloc() : memref<1024xi32, 2>
          %at = affine.apply affine_map<()[i, y] -> (i + y * 1024)>()[%i, %y]
          air.dma_memcpy_nd (%tile[] [] [], %l2[%at] [%c1024] [%one]) : (memref<1024xi32, 2>, memref<8192xi32, 1>)
          scf.for %j = %c0 to %c1024 step %one {
            %v = memref.load %tile[%j] : memref<1024xi32, 2>
            %w = arith.addi %v, %v : i32
            memref.store %w, %tile[%j] : memref<1024xi32, 2>
          }
          air.dma_memcpy_nd (%l2out[%at] [%c1024] [%one], %tile[] [] []) : (memref<8192xi32, 1>, memref<1024xi32, 2>)
          memref.dealloc %tile : memref<1024xi32, 2>
        }
      }
      air.dma_memcpy_nd (%t[] [] [], %out[] [] []) : (memref<8192xi32>, memref<8192xi32, 1>)
      memref.dealloc %in : memref<8192xi32, 1>
      memref.dealloc %out : memref<8192xi32, 1>
    }
  }
  return
}
