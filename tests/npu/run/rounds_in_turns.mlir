// The segment serves two cores in turns, by the number of the round (air-split-decided-rounds).
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

module {
  air.channel @i []
  air.channel @m [2]
  air.channel @q [2]
  air.channel @o []
  func.func @f(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
    air.launch () in () args(%x=%a, %y=%b) : memref<4x16xi32>, memref<4x16xi32> {
      air.channel.put @i[] (%x[] [] []) : (memref<4x16xi32>)
      air.channel.get @o[] (%y[] [] []) : (memref<4x16xi32>)
      air.segment @s {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %l2 = memref.alloc() : memref<4x16xi32, 1>
        %l3 = memref.alloc() : memref<4x16xi32, 1>
        air.channel.get @i[] (%l2[] [] []) : (memref<4x16xi32, 1>)
        scf.for %i = %c0 to %c4 step %c1 {
          %rr = arith.remui %i, %c2 : index
          %is = arith.cmpi eq, %rr, %c1 : index
          scf.if %is {
            air.channel.put @m[%c0] (%l2[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
            air.channel.get @q[%c0] (%l3[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
          } else {
            air.channel.put @m[%c1] (%l2[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
            air.channel.get @q[%c1] (%l3[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
          }
        }
        air.channel.put @o[] (%l3[] [] []) : (memref<4x16xi32, 1>)
        air.herd @h tile(%tx, %ty) in (%hx=%c1, %hy=%c2) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %e2 = arith.constant 2 : index
          scf.for %r = %e0 to %e2 step %e1 {
            %l = memref.alloc() : memref<16xi32, 2>
            air.channel.get @m[%ty] (%l[] [] []) : (memref<16xi32, 2>)
            linalg.add ins(%l, %l : memref<16xi32, 2>, memref<16xi32, 2>) outs(%l : memref<16xi32, 2>)
            air.channel.put @q[%ty] (%l[] [] []) : (memref<16xi32, 2>)
            memref.dealloc %l : memref<16xi32, 2>
          }
        }
        memref.dealloc %l2 : memref<4x16xi32, 1>
        memref.dealloc %l3 : memref<4x16xi32, 1>
      }
    }
    return
  }
}
