// A core without rounds beside one with all of them, as their ids say.
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
        %cn = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %cc = arith.constant 2 : index
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %l2 = memref.alloc() : memref<4x16xi32, 1>
        %l3 = memref.alloc() : memref<4x16xi32, 1>
        air.channel.get @i[] (%l2[] [] []) : (memref<4x16xi32, 1>)
        scf.for %i = %c0 to %cn step %c1 {
          %r = arith.constant 3 : index
          %is = arith.cmpi ult, %i, %r : index
          scf.if %is {
            air.channel.put @m[%k0] (%l2[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
            air.channel.get @q[%k0] (%l3[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
          } else {
            air.channel.put @m[%k0] (%l2[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
            air.channel.get @q[%k0] (%l3[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32, 1>)
          }
        }
        air.channel.put @o[] (%l3[] [] []) : (memref<4x16xi32, 1>)
        air.herd @h tile(%tx, %ty) in (%hx=%c1, %hy=%cc) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %z = arith.constant 0 : index
          %q0 = arith.constant 0 : index
          %n0 = arith.constant 4 : index
          %s0 = arith.cmpi eq, %ty, %q0 : index
          %t0 = arith.select %s0, %n0, %z : index
          %q1 = arith.constant 1 : index
          %n1 = arith.constant 0 : index
          %s1 = arith.cmpi eq, %ty, %q1 : index
          %t1 = arith.select %s1, %n1, %t0 : index
          scf.for %r = %e0 to %t1 step %e1 {
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
