// Parallel loops of the host that put and get for cores elsewhere: they stay with the host, and the places of the
// channel are counted out.
// RUN: airlite-run %s --on=sim --target=npu1 --compare=interp --init=random:1 --function=places | FileCheck %s
// RUN: airlite-run %s --on=sim --target=npu2 --compare=interp --init=random:1 --function=places | FileCheck %s
// RUN: airlite-run %s --on=sim --target=npu1 --compare=interp --init=random:1 --function=ring | FileCheck %s
// RUN: airlite-opt %s --air-par-to-launch --remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY
// CHECK: as in the interpreter, bit by bit
// WHY: remark: [air-par-to-launch] stays a loop: it only puts and gets, for cores that are not inside of it
air.channel @in [2, 2]
air.channel @out [2, 2]
func.func @places(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %row = arith.muli %i, %c32 : index
    %column = arith.muli %j, %c16 : index
    %at = arith.addi %row, %column : index
    %p = air.channel.put async @in[%i, %j] (%a[%at] [%c16] [%c1]) : (memref<64xi32>)
    %g = air.channel.get async @out[%i, %j] (%b[%at] [%c16] [%c1]) : (memref<64xi32>)
  }
  air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h16 = arith.constant 16 : index
    %m = memref.alloc() : memref<16xi32, 2>
    air.channel.get @in[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
    scf.for %i = %h0 to %h16 step %h1 {
      %v = memref.load %m[%i] : memref<16xi32, 2>
      %w = arith.addi %v, %v : i32
      memref.store %w, %m[%i] : memref<16xi32, 2>
    }
    air.channel.put @out[%x, %y] (%m[] [] []) : (memref<16xi32, 2>)
    memref.dealloc %m : memref<16xi32, 2>
  }
  return
}

air.channel @first [4]
air.channel @around [4]
air.channel @last [4]
// Each core sends its sum on and adds what its neighbour sends, three times.
func.func @ring(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %at = arith.muli %i, %c16 : index
    %p = air.channel.put async @first[%i] (%a[%at] [%c16] [%c1]) : (memref<64xi32>)
    %g = air.channel.get async @last[%i] (%b[%at] [%c16] [%c1]) : (memref<64xi32>)
  }
  air.herd @r tile (%x, %y) in (%sx = %c1, %sy = %c4) {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h3 = arith.constant 3 : index
    %h4 = arith.constant 4 : index
    %h16 = arith.constant 16 : index
    %own = memref.alloc() : memref<16xi32, 2>
    %got = memref.alloc() : memref<16xi32, 2>
    air.channel.get @first[%y] (%own[] [] []) : (memref<16xi32, 2>)
    %after = arith.addi %y, %h1 : index
    %next = arith.remui %after, %h4 : index
    scf.for %r = %h0 to %h3 step %h1 {
      %sent = air.channel.put async @around[%next] (%own[] [] []) : (memref<16xi32, 2>)
      air.channel.get @around[%y] (%got[] [] []) : (memref<16xi32, 2>)
      air.wait_all [%sent]
      scf.for %i = %h0 to %h16 step %h1 {
        %v = memref.load %own[%i] : memref<16xi32, 2>
        %g = memref.load %got[%i] : memref<16xi32, 2>
        %w = arith.addi %v, %g : i32
        memref.store %w, %own[%i] : memref<16xi32, 2>
      }
    }
    air.channel.put @last[%y] (%own[] [] []) : (memref<16xi32, 2>)
  }
  return
}
