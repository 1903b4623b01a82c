// Sixteen cores that exchange data, and have an input and an output each: more than the array has channels to the host. These go by way of
// L2 in groups (air-group-host-places), and a herd that is wider than the array gets another shape (air-collapse-herd{array}).
// RUN: airlite-run %s --function=rounds --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=wide --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @i [4, 4]
air.channel @o [4, 4]
air.channel @x [4, 4]
func.func @rounds(%a: memref<48x16xi32>, %b: memref<48x16xi32>) {
  air.launch () in () args(%u=%a, %v=%b) : memref<48x16xi32>, memref<48x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    scf.parallel (%p, %q) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
      scf.for %r = %c0 to %c3 step %c1 {
        %row = affine.apply affine_map<()[s0, s1, s2] -> (s0 * 12 + s1 * 3 + s2)>()[%p, %q, %r]
        air.channel.put @i[%p, %q] (%u[%row, %c0] [%c1, %c16] [%c16, %c1]) : (memref<48x16xi32>)
      }
      scf.reduce
    }
    scf.parallel (%p, %q) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
      scf.for %r = %c0 to %c3 step %c1 {
        %row = affine.apply affine_map<()[s0, s1, s2] -> (s0 * 12 + s1 * 3 + s2)>()[%p, %q, %r]
        air.channel.get @o[%p, %q] (%v[%row, %c0] [%c1, %c16] [%c16, %c1]) : (memref<48x16xi32>)
      }
      scf.reduce
    }
    air.segment @s {
      %d4 = arith.constant 4 : index
      air.herd @h tile(%tx, %ty) in (%hx=%d4, %hy=%d4) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e3 = arith.constant 3 : index
        %e4 = arith.constant 4 : index
        %n = arith.addi %ty, %e1 : index
        %to = arith.remui %n, %e4 : index
        scf.for %r = %e0 to %e3 step %e1 {
          %own = memref.alloc() : memref<16xi32, 2>
          %next = memref.alloc() : memref<16xi32, 2>
          air.channel.get @i[%tx, %ty] (%own[] [] []) : (memref<16xi32, 2>)
          %s = air.channel.put async @x[%tx, %to] (%own[] [] []) : (memref<16xi32, 2>)
          %t = air.channel.get async @x[%tx, %ty] (%next[] [] []) : (memref<16xi32, 2>)
          air.wait_all [%s, %t]
          linalg.sub ins(%own, %next : memref<16xi32, 2>, memref<16xi32, 2>) outs(%next : memref<16xi32, 2>)
          air.channel.put @o[%tx, %ty] (%next[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %own : memref<16xi32, 2>
          memref.dealloc %next : memref<16xi32, 2>
        }
      }
    }
  }
  return
}

air.channel @wi [8, 2]
air.channel @wo [8, 2]
air.channel @wx [8, 2]
func.func @wide(%a: memref<8x2x16xi32>, %b: memref<8x2x16xi32>) {
  air.launch () in () args(%u=%a, %v=%b) : memref<8x2x16xi32>, memref<8x2x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%p, %q) = (%c0, %c0) to (%c8, %c2) step (%c1, %c1) {
      air.channel.put @wi[%p, %q] (%u[%p, %q, %c0] [%c1, %c1, %c16] [%c32, %c16, %c1]) : (memref<8x2x16xi32>)
      scf.reduce
    }
    scf.parallel (%p, %q) = (%c0, %c0) to (%c8, %c2) step (%c1, %c1) {
      air.channel.get @wo[%p, %q] (%v[%p, %q, %c0] [%c1, %c1, %c16] [%c32, %c16, %c1]) : (memref<8x2x16xi32>)
      scf.reduce
    }
    air.segment @s {
      %d2 = arith.constant 2 : index
      %d8 = arith.constant 8 : index
      air.herd @h tile(%tx, %ty) in (%hx=%d8, %hy=%d2) {
        %e1 = arith.constant 1 : index
        %own = memref.alloc() : memref<16xi32, 2>
        %next = memref.alloc() : memref<16xi32, 2>
        %to = arith.subi %e1, %ty : index
        air.channel.get @wi[%tx, %ty] (%own[] [] []) : (memref<16xi32, 2>)
        %s = air.channel.put async @wx[%tx, %to] (%own[] [] []) : (memref<16xi32, 2>)
        %t = air.channel.get async @wx[%tx, %ty] (%next[] [] []) : (memref<16xi32, 2>)
        air.wait_all [%s, %t]
        linalg.sub ins(%own, %next : memref<16xi32, 2>, memref<16xi32, 2>) outs(%next : memref<16xi32, 2>)
        air.channel.put @wo[%tx, %ty] (%next[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %own : memref<16xi32, 2>
        memref.dealloc %next : memref<16xi32, 2>
      }
    }
  }
  return
}
