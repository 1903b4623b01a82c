// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0'

air.channel @up [1] {channel_type = "npu_cascade"}
func.func @direction() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c2) {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<16xi32, 2>
    %isFirst = arith.cmpi eq, %y, %c0 : index
    scf.if %isFirst {
      air.channel.put @up[] (%m[] [] []) : (memref<16xi32, 2>)
    } else {
      // expected-error@+1 {{a cascade goes from a core to its neighbour in the south or east, not from 0, 2 to 0, 3}}
      air.channel.get @up[] (%m[] [] []) : (memref<16xi32, 2>)
    }
  }
  return
}

// -----

air.channel @c [1] {channel_type = "npu_cascade"}
func.func @odd() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<20xi32, 2>
    // expected-error@+1 {{not supported: moves 80 bytes, no whole 512-bit words}}
    air.channel.put @c[] (%m[] [] []) : (memref<20xi32, 2>)
  }
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<10xi32, 2>
    // expected-note@+1 {{which another end of the channel moves in other parts}}
    air.channel.get @c[] (%m[] [] []) : (memref<10xi32, 2>)
    air.channel.get @c[] (%m[] [] []) : (memref<10xi32, 2>)
  }
  return
}

// -----

air.channel @c [1] {channel_type = "npu_cascade"}
func.func @part(%size: i32) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%n = %size) : i32 {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %length = arith.index_cast %n : i32 to index
    %m = memref.alloc() : memref<32xi32, 2>
    // expected-error@+1 {{not supported: a cascade of a part of memory whose size or layout is not constant}}
    air.channel.put @c[] (%m[%c0] [%length] [%c1_0]) : (memref<32xi32, 2>)
  }
  return
}

// -----

air.channel @c [1] {channel_type = "npu_cascade"}
func.func @alone() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<16xi32, 2>
    // expected-error@+1 {{cascade @c has no core that gets}}
    air.channel.put @c[] (%m[] [] []) : (memref<16xi32, 2>)
  }
  return
}
