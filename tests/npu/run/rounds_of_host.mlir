// Every other round the host sends another array (air-split-decided-rounds).
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

module {
  air.channel @i []
  air.channel @o []
  func.func @f(%a: memref<4x16xi32>, %a2: memref<4x16xi32>, %b: memref<4x16xi32>) {
    air.launch () in () args(%x=%a, %w=%a2, %y=%b) : memref<4x16xi32>, memref<4x16xi32>, memref<4x16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %rr = arith.remui %i, %c2 : index
        %is = arith.cmpi eq, %rr, %c1 : index
        scf.if %is {
          air.channel.put @i[] (%x[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32>)
        } else {
          air.channel.put @i[] (%w[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32>)
        }
      }
      air.channel.get @o[] (%y[] [] []) : (memref<4x16xi32>)
      air.segment @s {
        %d1 = arith.constant 1 : index
        air.herd @h tile(%tx, %ty) in (%hx=%d1, %hy=%d1) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %e4 = arith.constant 4 : index
          scf.for %r = %e0 to %e4 step %e1 {
            %l = memref.alloc() : memref<16xi32, 2>
            air.channel.get @i[] (%l[] [] []) : (memref<16xi32, 2>)
            linalg.add ins(%l, %l : memref<16xi32, 2>, memref<16xi32, 2>) outs(%l : memref<16xi32, 2>)
            air.channel.put @o[] (%l[] [] []) : (memref<16xi32, 2>)
            memref.dealloc %l : memref<16xi32, 2>
          }
        }
      }
    }
    return
  }
}
