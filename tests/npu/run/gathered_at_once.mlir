// A core gets from three others at once, where its id says so: more than it has DMA channels. The data come by way of L2
// (air-relay-gets), in each round of a loop.
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 --async-transfers | FileCheck %s
// RUN: airlite-run %s --on=sim --compare=interp --init=random:2 --async-transfers --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
air.channel @in [4]
air.channel @to0 [3]
air.channel @out []
func.func @f(%a: memref<4x60xi32>, %b: memref<60xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x60xi32>, memref<60xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c60 = arith.constant 60 : index
    scf.parallel (%p) = (%c0) to (%c4) step (%c1) {
      air.channel.put @in[%p] (%la[%p, %c0] [%c1, %c60] [%c60, %c1]) : (memref<4x60xi32>)
    }
    air.segment @s {
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      air.herd @h tile (%x, %y) in (%sx = %k4, %sy = %k1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h3 = arith.constant 3 : index
        scf.for %round = %h0 to %h3 step %h1 {
          %m = memref.alloc() : memref<20xi32, 2>
          air.channel.get @in[%x] (%m[] [] []) : (memref<20xi32, 2>)
          %is0 = arith.cmpi eq, %x, %h0 : index
          scf.if %is0 {
            %p0 = memref.alloc() : memref<20xi32, 2>
            %p1 = memref.alloc() : memref<20xi32, 2>
            %p2 = memref.alloc() : memref<20xi32, 2>
            %k0 = arith.constant 0 : index
            %kk1 = arith.constant 1 : index
            %k2 = arith.constant 2 : index
            %t0 = air.channel.get async @to0[%k0] (%p0[] [] []) : (memref<20xi32, 2>)
            %t1 = air.channel.get async @to0[%kk1] (%p1[] [] []) : (memref<20xi32, 2>)
            %t2 = air.channel.get async @to0[%k2] (%p2[] [] []) : (memref<20xi32, 2>)
            air.wait_all [%t0, %t1, %t2]
            linalg.add ins(%m, %p0 : memref<20xi32, 2>, memref<20xi32, 2>) outs(%m : memref<20xi32, 2>)
            linalg.add ins(%m, %p1 : memref<20xi32, 2>, memref<20xi32, 2>) outs(%m : memref<20xi32, 2>)
            linalg.add ins(%m, %p2 : memref<20xi32, 2>, memref<20xi32, 2>) outs(%m : memref<20xi32, 2>)
            air.channel.put @out[] (%m[] [] []) : (memref<20xi32, 2>)
          } else {
            %q = arith.subi %x, %h1 : index
            air.channel.put @to0[%q] (%m[] [] []) : (memref<20xi32, 2>)
          }
          memref.dealloc %m : memref<20xi32, 2>
        }
      }
    }
    air.channel.get @out[] (%lb[] [] []) : (memref<60xi32>)
  }
  return
}
