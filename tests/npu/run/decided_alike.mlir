// Two cores decide by the same element of a broadcast message whether one sends to the other.
// RUN: for s in 1 2 3 4; do airlite-run --on=sim --compare=interp --init=random:$s %s || exit 1; done | FileCheck %s
// CHECK-COUNT-4: arguments are as in the interpreter, bit by bit
air.channel @in [1, 1] {broadcast_shape = [1, 2]}
air.channel @mid []
air.channel @out [1, 2]
func.func @decided(%a: memref<32xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %p = air.channel.put async @in[%c0, %c0] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[%c0, %c0] (%b[%c0] [%c32] [%c1]) : (memref<64xi32>)
  %g2 = air.channel.get async @out[%c0, %c1] (%b[%c32] [%c32] [%c1]) : (memref<64xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) {
    %i3 = arith.constant 3 : index
    %i0 = arith.constant 0 : index
    %n = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[%i0, %y] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %q = arith.cmpi sgt, %v, %n : i32
    %first = arith.cmpi eq, %y, %i0 : index
    scf.if %q {
      scf.if %first {
        air.channel.put @mid[] (%m[] [] []) : (memref<32xi32, 2>)
      } else {
        air.channel.get @mid[] (%m[] [] []) : (memref<32xi32, 2>)
      }
    }
    air.channel.put @out[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}
