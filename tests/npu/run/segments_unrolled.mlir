// The instances of a segment are designs that are loaded one after the other.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
air.channel @in [2]
air.channel @out [2]
func.func @main(%x: memref<2x32xi32>, %y: memref<2x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s = %c1) args(%a = %x, %b = %y) : memref<2x32xi32>, memref<2x32xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %p0 = air.channel.put async @in[%c0] (%a[0, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    %p1 = air.channel.put async @in[%one] (%a[1, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    %g0 = air.channel.get async @out[%c0] (%b[0, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    %g1 = air.channel.get async @out[%one] (%b[1, 0] [1, 32] [32, 1]) : (memref<2x32xi32>)
    air.segment @half unroll(%k) in (%n = %two) {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%nx = %k1, %ny = %k1) args(%which = %k) : index {
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[%which] (%m[] [] []) : (memref<32xi32, 2>)
        air.channel.put @out[%which] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}
