// Two cores take five operands in each round, by channels of L2 and of the host: more than a core has DMA channels. The data come
// by way of L2 in the order of the core (air-relay-gets{from-all}).
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

module {
  air.channel @h0 []
  air.channel @c0 [2]
  air.channel @h1 []
  air.channel @c1 [2]
  air.channel @c2 [2]
  air.channel @h3 []
  air.channel @c3 [2]
  air.channel @c4 [2]
  air.channel @o [2]
  func.func @f(%a0: memref<6x32xi32>, %a1: memref<6x32xi32>, %a2: memref<6x32xi32>, %a3: memref<6x32xi32>, %a4: memref<6x32xi32>, %b: memref<6x32xi32>) {
    air.launch () in () args(%x0=%a0, %x1=%a1, %x2=%a2, %x3=%a3, %x4=%a4, %y=%b) : memref<6x32xi32>, memref<6x32xi32>, memref<6x32xi32>, memref<6x32xi32>, memref<6x32xi32>, memref<6x32xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %cn = arith.constant 2 : index
      %cr = arith.constant 3 : index
      %cw = arith.constant 32 : index
      %crn = arith.constant 6 : index
      scf.for %r = %c0 to %crn step %cn {
        air.channel.put @h0[] (%x0[%r, %c0] [%cn, %cw] [%cw, %c1]) : (memref<6x32xi32>)
      }
      scf.for %r = %c0 to %crn step %cn {
        air.channel.put @h1[] (%x1[%r, %c0] [%cn, %cw] [%cw, %c1]) : (memref<6x32xi32>)
      }
      scf.parallel (%j) = (%c0) to (%cn) step (%c1) {
        scf.for %r = %c0 to %crn step %cn {
          %q = arith.addi %r, %j : index
          air.channel.put @c2[%j] (%x2[%q, %c0] [%c1, %cw] [%cw, %c1]) : (memref<6x32xi32>)
        }
        scf.reduce
      }
      scf.for %r = %c0 to %crn step %cn {
        air.channel.put @h3[] (%x3[%r, %c0] [%cn, %cw] [%cw, %c1]) : (memref<6x32xi32>)
      }
      scf.parallel (%j) = (%c0) to (%cn) step (%c1) {
        scf.for %r = %c0 to %crn step %cn {
          %q = arith.addi %r, %j : index
          air.channel.put @c4[%j] (%x4[%q, %c0] [%c1, %cw] [%cw, %c1]) : (memref<6x32xi32>)
        }
        scf.reduce
      }
      scf.parallel (%j) = (%c0) to (%cn) step (%c1) {
        scf.for %r = %c0 to %crn step %cn {
          %q = arith.addi %r, %j : index
          air.channel.get @o[%j] (%y[%q, %c0] [%c1, %cw] [%cw, %c1]) : (memref<6x32xi32>)
        }
        scf.reduce
      }
      air.segment @s {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %dn = arith.constant 2 : index
        %dr = arith.constant 3 : index
        %dw = arith.constant 32 : index
        scf.for %r = %d0 to %dr step %d1 {
          %m = memref.alloc() : memref<2x32xi32, 1>
          air.channel.get @h0[] (%m[] [] []) : (memref<2x32xi32, 1>)
          scf.parallel (%j) = (%d0) to (%dn) step (%d1) {
            air.channel.put @c0[%j] (%m[%j, %d0] [%d1, %dw] [%dw, %d1]) : (memref<2x32xi32, 1>)
            scf.reduce
          }
          memref.dealloc %m : memref<2x32xi32, 1>
        }
        scf.for %r = %d0 to %dr step %d1 {
          %m = memref.alloc() : memref<2x32xi32, 1>
          air.channel.get @h1[] (%m[] [] []) : (memref<2x32xi32, 1>)
          scf.parallel (%j) = (%d0) to (%dn) step (%d1) {
            air.channel.put @c1[%j] (%m[%j, %d0] [%d1, %dw] [%dw, %d1]) : (memref<2x32xi32, 1>)
            scf.reduce
          }
          memref.dealloc %m : memref<2x32xi32, 1>
        }
        scf.for %r = %d0 to %dr step %d1 {
          %m = memref.alloc() : memref<2x32xi32, 1>
          air.channel.get @h3[] (%m[] [] []) : (memref<2x32xi32, 1>)
          scf.parallel (%j) = (%d0) to (%dn) step (%d1) {
            air.channel.put @c3[%j] (%m[%j, %d0] [%d1, %dw] [%dw, %d1]) : (memref<2x32xi32, 1>)
            scf.reduce
          }
          memref.dealloc %m : memref<2x32xi32, 1>
        }
        air.herd @h tile(%tx, %ty) in (%hx=%d1, %hy=%dn) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %er = arith.constant 3 : index
          scf.for %r = %e0 to %er step %e1 {
            %l0 = memref.alloc() : memref<32xi32, 2>
            air.channel.get @c0[%ty] (%l0[] [] []) : (memref<32xi32, 2>)
            %l1 = memref.alloc() : memref<32xi32, 2>
            air.channel.get @c1[%ty] (%l1[] [] []) : (memref<32xi32, 2>)
            %l2 = memref.alloc() : memref<32xi32, 2>
            air.channel.get @c2[%ty] (%l2[] [] []) : (memref<32xi32, 2>)
            %l3 = memref.alloc() : memref<32xi32, 2>
            air.channel.get @c3[%ty] (%l3[] [] []) : (memref<32xi32, 2>)
            %l4 = memref.alloc() : memref<32xi32, 2>
            air.channel.get @c4[%ty] (%l4[] [] []) : (memref<32xi32, 2>)
            linalg.mul ins(%l0, %l1 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%l0 : memref<32xi32, 2>)
            linalg.sub ins(%l0, %l2 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%l0 : memref<32xi32, 2>)
            linalg.add ins(%l0, %l3 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%l0 : memref<32xi32, 2>)
            linalg.mul ins(%l0, %l4 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%l0 : memref<32xi32, 2>)
            air.channel.put @o[%ty] (%l0[] [] []) : (memref<32xi32, 2>)
            memref.dealloc %l0 : memref<32xi32, 2>
            memref.dealloc %l1 : memref<32xi32, 2>
            memref.dealloc %l2 : memref<32xi32, 2>
            memref.dealloc %l3 : memref<32xi32, 2>
            memref.dealloc %l4 : memref<32xi32, 2>
          }
        }
      }
    }
    return
  }
}
