// Two cores get from four others each, in turn and twice: more than a core has DMA channels. The data come by way of L2
// (air-relay-gets).
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @in [4, 1]
air.channel @g [4, 2]
air.channel @out [2, 1]
func.func @f(%a: memref<4x16xi32>, %b: memref<2x16xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<4x16xi32>, memref<2x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cn = arith.constant 4 : index
    %cr = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    scf.parallel (%i) = (%c0) to (%cn) step (%c1) {
      %p = air.channel.put async @in[%i, %c0] (%x[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<4x16xi32>)
      scf.reduce
    }
    scf.parallel (%i) = (%c0) to (%cr) step (%c1) {
      %p = air.channel.get async @out[%i, %c0] (%y[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<2x16xi32>)
      scf.reduce
    }
    air.segment @s {
      %d1 = arith.constant 1 : index
      %dn = arith.constant 4 : index
      %dr = arith.constant 2 : index
      %t1 = air.herd @h async tile (%tx, %ty) in (%nx = %d1, %ny = %dn) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %hr = arith.constant 2 : index
        %m = memref.alloc() : memref<16xi32, 2>
        air.channel.get @in[%ty, %tx] (%m[] [] []) : (memref<16xi32, 2>)
        scf.for %k = %h0 to %hr step %h1 {
          %r0 = arith.constant 0 : index
          air.channel.put @g[%ty, %r0] (%m[] [] []) : (memref<16xi32, 2>)
          %r1 = arith.constant 1 : index
          air.channel.put @g[%ty, %r1] (%m[] [] []) : (memref<16xi32, 2>)
        }
      }
      %t2 = air.herd @k async tile (%tx, %ty) in (%nx = %dr, %ny = %d1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %hr = arith.constant 2 : index
        %s = memref.alloc() : memref<16xi32, 2>
        %z = arith.constant 0 : i32
        linalg.fill ins(%z : i32) outs(%s : memref<16xi32, 2>)
        %m = memref.alloc() : memref<16xi32, 2>
        scf.for %k = %h0 to %hr step %h1 {
          %g0 = arith.constant 0 : index
          air.channel.get @g[%g0, %tx] (%m[] [] []) : (memref<16xi32, 2>)
          affine.for %j = 0 to 16 {
            %e = affine.load %m[%j] : memref<16xi32, 2>
            %f = affine.load %s[%j] : memref<16xi32, 2>
            %w = arith.addi %e, %f : i32
            affine.store %w, %s[%j] : memref<16xi32, 2>
          }
          %g1 = arith.constant 1 : index
          air.channel.get @g[%g1, %tx] (%m[] [] []) : (memref<16xi32, 2>)
          affine.for %j = 0 to 16 {
            %e = affine.load %m[%j] : memref<16xi32, 2>
            %f = affine.load %s[%j] : memref<16xi32, 2>
            %w = arith.addi %e, %f : i32
            affine.store %w, %s[%j] : memref<16xi32, 2>
          }
          %g2 = arith.constant 2 : index
          air.channel.get @g[%g2, %tx] (%m[] [] []) : (memref<16xi32, 2>)
          affine.for %j = 0 to 16 {
            %e = affine.load %m[%j] : memref<16xi32, 2>
            %f = affine.load %s[%j] : memref<16xi32, 2>
            %w = arith.addi %e, %f : i32
            affine.store %w, %s[%j] : memref<16xi32, 2>
          }
          %g3 = arith.constant 3 : index
          air.channel.get @g[%g3, %tx] (%m[] [] []) : (memref<16xi32, 2>)
          affine.for %j = 0 to 16 {
            %e = affine.load %m[%j] : memref<16xi32, 2>
            %f = affine.load %s[%j] : memref<16xi32, 2>
            %w = arith.addi %e, %f : i32
            affine.store %w, %s[%j] : memref<16xi32, 2>
          }
        }
        air.channel.put @out[%tx, %ty] (%s[] [] []) : (memref<16xi32, 2>)
      }
    }
  }
  return
}
