// Sixteen cores that exchange with two neighbours each, along a ring and across rings: 48 places of packets, for which a device has 32 ids.
// Packets between different tiles share one, since the router keeps their wires apart.
// RUN: airlite-run %s --function=ring --async-transfers --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=cross --async-transfers --on=sim --compare=interp --init=random:2 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
air.channel @i [4, 4]
air.channel @o [4, 4]
air.channel @r [4, 4]
air.channel @l [4, 4]
func.func @ring(%a: memref<16x16xi32>, %b: memref<16x16xi32>) {
  air.launch () in () args(%u=%a, %v=%b) : memref<16x16xi32>, memref<16x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cX = arith.constant 4 : index
    %cY = arith.constant 4 : index
    %cN = arith.constant 16 : index
    scf.parallel (%p, %q) = (%c0, %c0) to (%cX, %cY) step (%c1, %c1) {
      %row = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%p, %q]
      air.channel.put @i[%p, %q] (%u[%row, %c0] [%c1, %cN] [%cN, %c1]) : (memref<16x16xi32>)
      scf.reduce
    }
    scf.parallel (%p, %q) = (%c0, %c0) to (%cX, %cY) step (%c1, %c1) {
      %row = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%p, %q]
      air.channel.get @o[%p, %q] (%v[%row, %c0] [%c1, %cN] [%cN, %c1]) : (memref<16x16xi32>)
      scf.reduce
    }
    air.segment @s {
      %dX = arith.constant 4 : index
      %dY = arith.constant 4 : index
      air.herd @h tile(%tx, %ty) in (%hx=%dX, %hy=%dY) {
        %e1 = arith.constant 1 : index
        %eY = arith.constant 4 : index
        %eX = arith.constant 4 : index
        %em = arith.constant 3 : index
        %n = arith.addi %ty, %e1 : index
        %to = arith.remui %n, %eY : index
        %n2 = arith.addi %ty, %em : index
        %back = arith.remui %n2, %eY : index
        %own = memref.alloc() : memref<16xi32, 2>
        %x1 = memref.alloc() : memref<16xi32, 2>
        %x2 = memref.alloc() : memref<16xi32, 2>
        air.channel.get @i[%tx, %ty] (%own[] [] []) : (memref<16xi32, 2>)
        %s1 = air.channel.put async @r[%tx, %to] (%own[] [] []) : (memref<16xi32, 2>)
        %s2 = air.channel.put async @l[%tx, %back] (%own[] [] []) : (memref<16xi32, 2>)
        %t1 = air.channel.get async @r[%tx, %ty] (%x1[] [] []) : (memref<16xi32, 2>)
        %t2 = air.channel.get async @l[%tx, %ty] (%x2[] [] []) : (memref<16xi32, 2>)
        air.wait_all [%s1, %s2, %t1, %t2]
        linalg.sub ins(%own, %x1 : memref<16xi32, 2>, memref<16xi32, 2>) outs(%x1 : memref<16xi32, 2>)
        linalg.add ins(%x1, %x2 : memref<16xi32, 2>, memref<16xi32, 2>) outs(%x2 : memref<16xi32, 2>)
        air.channel.put @o[%tx, %ty] (%x2[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %own : memref<16xi32, 2>
        memref.dealloc %x1 : memref<16xi32, 2>
        memref.dealloc %x2 : memref<16xi32, 2>
      }
    }
  }
  return
}
air.channel @ci [4, 4]
air.channel @co [4, 4]
air.channel @cr [4, 4]
air.channel @cl [4, 4]
func.func @cross(%a: memref<16x16xi32>, %b: memref<16x16xi32>) {
  air.launch () in () args(%u=%a, %v=%b) : memref<16x16xi32>, memref<16x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cX = arith.constant 4 : index
    %cY = arith.constant 4 : index
    %cN = arith.constant 16 : index
    scf.parallel (%p, %q) = (%c0, %c0) to (%cX, %cY) step (%c1, %c1) {
      %row = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%p, %q]
      air.channel.put @ci[%p, %q] (%u[%row, %c0] [%c1, %cN] [%cN, %c1]) : (memref<16x16xi32>)
      scf.reduce
    }
    scf.parallel (%p, %q) = (%c0, %c0) to (%cX, %cY) step (%c1, %c1) {
      %row = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%p, %q]
      air.channel.get @co[%p, %q] (%v[%row, %c0] [%c1, %cN] [%cN, %c1]) : (memref<16x16xi32>)
      scf.reduce
    }
    air.segment @s {
      %dX = arith.constant 4 : index
      %dY = arith.constant 4 : index
      air.herd @h tile(%tx, %ty) in (%hx=%dX, %hy=%dY) {
        %e1 = arith.constant 1 : index
        %eY = arith.constant 4 : index
        %eX = arith.constant 4 : index
        %n = arith.addi %ty, %e1 : index
        %to = arith.remui %n, %eY : index
        %n2 = arith.addi %tx, %e1 : index
        %side = arith.remui %n2, %eX : index
        %own = memref.alloc() : memref<16xi32, 2>
        %x1 = memref.alloc() : memref<16xi32, 2>
        %x2 = memref.alloc() : memref<16xi32, 2>
        air.channel.get @ci[%tx, %ty] (%own[] [] []) : (memref<16xi32, 2>)
        %s1 = air.channel.put async @cr[%tx, %to] (%own[] [] []) : (memref<16xi32, 2>)
        %s2 = air.channel.put async @cl[%side, %ty] (%own[] [] []) : (memref<16xi32, 2>)
        %t1 = air.channel.get async @cr[%tx, %ty] (%x1[] [] []) : (memref<16xi32, 2>)
        %t2 = air.channel.get async @cl[%tx, %ty] (%x2[] [] []) : (memref<16xi32, 2>)
        air.wait_all [%s1, %s2, %t1, %t2]
        linalg.sub ins(%own, %x1 : memref<16xi32, 2>, memref<16xi32, 2>) outs(%x1 : memref<16xi32, 2>)
        linalg.add ins(%x1, %x2 : memref<16xi32, 2>, memref<16xi32, 2>) outs(%x2 : memref<16xi32, 2>)
        air.channel.put @co[%tx, %ty] (%x2[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %own : memref<16xi32, 2>
        memref.dealloc %x1 : memref<16xi32, 2>
        memref.dealloc %x2 : memref<16xi32, 2>
      }
    }
  }
  return
}
