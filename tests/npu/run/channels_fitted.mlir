// Channels between the host and cores that no array has room for become copies of the cores, which are fitted: a herd of 8 x 4
// cores; 16 cores that each have a channel from the host and one to it; rows of bytes that begin inside of words.
// RUN: airlite-run %s --on=sim --function=large --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --on=sim --function=crop --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %S/Inputs/channels_beside_copies.mlir --on=sim --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @in [8, 4]
air.channel @out [8, 4]
func.func @large(%a: memref<32x16xi32>, %b: memref<32x16xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<32x16xi32>, memref<32x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c1, %c1) {
      %o = arith.muli %i, %c4 : index
      %p = arith.addi %o, %j : index
      %zz45 = air.channel.put async @in[%i, %j] (%x[%p, %c0] [%c1, %c16] [%c16, %c1]) : (memref<32x16xi32>)
      %zz46 = air.channel.get async @out[%i, %j] (%y[%p, %c0] [%c1, %c16] [%c16, %c1]) : (memref<32x16xi32>)
      scf.reduce
    }
    air.segment @s {
      %d8 = arith.constant 8 : index
      %d4 = arith.constant 4 : index
      air.herd @h tile (%tx, %ty) in (%nx = %d8, %ny = %d4) {
        %m = memref.alloc() : memref<16xi32, 2>
        air.channel.get @in[%tx, %ty] (%m[] [] []) : (memref<16xi32, 2>)
        affine.for %i = 0 to 16 {
          %v = affine.load %m[%i] : memref<16xi32, 2>
          %w = arith.addi %v, %v : i32
          affine.store %w, %m[%i] : memref<16xi32, 2>
        }
        air.channel.put @out[%tx, %ty] (%m[] [] []) : (memref<16xi32, 2>)
      }
    }
  }
  return
}

air.channel @rows []
air.channel @part []
func.func @crop(%a: memref<16x32xi8>, %b: memref<8x10xi8>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<16x32xi8>, memref<8x10xi8> {
    %r0 = arith.constant 2 : index
    %c0 = arith.constant 3 : index
    %h0 = arith.constant 8 : index
    %w0 = arith.constant 10 : index
    %W0 = arith.constant 32 : index
    %one = arith.constant 1 : index
    %zz41 = air.channel.put async @rows[] (%x[%r0, %c0] [%h0, %w0] [%W0, %one]) : (memref<16x32xi8>)
    %zz42 = air.channel.get async @part[] (%y[] [] []) : (memref<8x10xi8>)
    air.segment @s {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%nx = %d1, %ny = %d1) {
        %m = memref.alloc() : memref<8x10xi8, 2>
        air.channel.get @rows[] (%m[] [] []) : (memref<8x10xi8, 2>)
        air.channel.put @part[] (%m[] [] []) : (memref<8x10xi8, 2>)
      }
    }
  }
  return
}
