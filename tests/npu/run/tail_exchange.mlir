// Cores with a partial tile exchange rows and update their tile in place.
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

#o = affine_map<(d0) -> (d0 * 2)>
#m = affine_map<(d0) -> (2, -d0 + 7)>
module {
  air.channel @c [4]
  func.func @f(%a: memref<7x4xi32>, %b: memref<7x4xi32>) {
    air.launch () in () args(%x=%a, %y=%b) : memref<7x4xi32>, memref<7x4xi32> {
      air.segment @s args(%p=%x, %q=%y) : memref<7x4xi32>, memref<7x4xi32> {
        %d1 = arith.constant 1 : index
        %d4 = arith.constant 4 : index
        air.herd @h tile(%tx, %ty) in (%hx=%d1, %hy=%d4) args(%pp=%p, %qq=%q) : memref<7x4xi32>, memref<7x4xi32> {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %e3 = arith.constant 3 : index
          %e4 = arith.constant 4 : index
          %z = arith.constant 5 : i32
          %off = affine.apply #o(%ty)
          %sz = affine.min #m(%off)
          %l = memref.alloc() : memref<2x4xi32, 2>
          %m = memref.alloc() : memref<4xi32, 2>
          linalg.fill ins(%z : i32) outs(%m : memref<4xi32, 2>)
          air.dma_memcpy_nd (%l[%e0, %e0] [%sz, %e4] [%e4, %e1], %qq[%off, %e0] [%sz, %e4] [%e4, %e1]) : (memref<2x4xi32, 2>, memref<7x4xi32>)
          %first = arith.cmpi eq, %ty, %e0 : index
          scf.if %first {
          } else {
            air.channel.get @c[%ty] (%m[] [] []) : (memref<4xi32, 2>)
          }
          scf.for %i = %e0 to %e4 step %e1 {
            %u = memref.load %l[%e0, %i] : memref<2x4xi32, 2>
            %v = memref.load %m[%i] : memref<4xi32, 2>
            %w = arith.addi %u, %v : i32
            memref.store %w, %l[%e0, %i] : memref<2x4xi32, 2>
            memref.store %u, %m[%i] : memref<4xi32, 2>
          }
          %last = arith.cmpi eq, %ty, %e3 : index
          scf.if %last {
          } else {
            %n = arith.addi %ty, %e1 : index
            air.channel.put @c[%n] (%m[] [] []) : (memref<4xi32, 2>)
          }
          air.dma_memcpy_nd (%qq[%off, %e0] [%sz, %e4] [%e4, %e1], %l[%e0, %e0] [%sz, %e4] [%e4, %e1]) : (memref<7x4xi32>, memref<2x4xi32, 2>)
          memref.dealloc %l : memref<2x4xi32, 2>
          memref.dealloc %m : memref<4xi32, 2>
        }
      }
    }
    return
  }
}
