// Cores that send to both neighbours and to the host: three places, and two DMA channels that send. The places become packets
// that share one. The inner core sends all three.
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --on=sim --compare=interp --init=random:2 --target=npu2 --reverse-tiles | FileCheck %s
// RUN: airlite-compile %s --target=npu1 --emit=aie -o %t
// RUN: FileCheck %s --check-prefix=DESIGN --input-file=%t/design.mlir
// CHECK: arguments are as in the interpreter, bit by bit
// DESIGN-COUNT-3: aie.packet_flow
// DESIGN-NOT: aie.packet_flow

air.channel @in [3, 1]
air.channel @left [2, 1]
air.channel @right [2, 1]
air.channel @out [3, 1]
func.func @f(%a: memref<3x16xi32>, %b: memref<3x16xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<3x16xi32>, memref<3x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
      %zz29 = air.channel.put async @in[%i, %c0] (%x[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<3x16xi32>)
      %zz30 = air.channel.get async @out[%i, %c0] (%y[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<3x16xi32>)
      scf.reduce
    }
    air.segment @s {
      %d1 = arith.constant 1 : index
      %d3 = arith.constant 3 : index
      air.herd @h tile (%tx, %ty) in (%nx = %d3, %ny = %d1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %m = memref.alloc() : memref<16xi32, 2>
        %l = memref.alloc() : memref<16xi32, 2>
        %r = memref.alloc() : memref<16xi32, 2>
        %o = memref.alloc() : memref<16xi32, 2>
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%l : memref<16xi32, 2>)
        linalg.fill ins(%zero : i32) outs(%r : memref<16xi32, 2>)
        air.channel.get @in[%tx, %ty] (%m[] [] []) : (memref<16xi32, 2>)
        %notlast = arith.cmpi slt, %tx, %h2 : index
        %notfirst = arith.cmpi sgt, %tx, %h0 : index
        %t0 = scf.if %notlast -> (!air.async.token) {
          %t = air.channel.put async @right[%tx, %h0] (%m[] [] []) : (memref<16xi32, 2>)
          scf.yield %t : !air.async.token
        } else {
          %t = air.wait_all async
          scf.yield %t : !air.async.token
        }
        %p = arith.subi %tx, %h1 : index
        %t1 = scf.if %notfirst -> (!air.async.token) {
          %t = air.channel.put async @left[%p, %h0] (%m[] [] []) : (memref<16xi32, 2>)
          scf.yield %t : !air.async.token
        } else {
          %t = air.wait_all async
          scf.yield %t : !air.async.token
        }
        scf.if %notfirst {
          air.channel.get @right[%p, %h0] (%l[] [] []) : (memref<16xi32, 2>)
        }
        scf.if %notlast {
          air.channel.get @left[%tx, %h0] (%r[] [] []) : (memref<16xi32, 2>)
        }
        air.wait_all [%t0, %t1]
        affine.for %e = 0 to 16 {
          %v0 = affine.load %m[%e] : memref<16xi32, 2>
          %v1 = affine.load %l[%e] : memref<16xi32, 2>
          %v2 = affine.load %r[%e] : memref<16xi32, 2>
          %s0 = arith.addi %v0, %v1 : i32
          %s1 = arith.addi %s0, %v2 : i32
          affine.store %s1, %o[%e] : memref<16xi32, 2>
        }
        air.channel.put @out[%tx, %ty] (%o[] [] []) : (memref<16xi32, 2>)
      }
    }
  }
  return
}
