// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0 use-objectfifo=true'
air.channel @in [1] {channel_type = "npu_dma_packet"}
func.func @packets(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<8xi32>)
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %k0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{not supported by object FIFOs: channels of type 'npu_dma_packet'}}
    air.channel.get @in[%k0] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in [1]
func.func @sizes(%x: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<12xi32>)
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %k0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    %n = memref.alloc() : memref<4xi32, 2>
    air.channel.get @in[%k0] (%m[] [] []) : (memref<8xi32, 2>)
    // expected-error@+1 {{it moves 4 elements, another transfer of its channel 8}}
    air.channel.get @in[%k0] (%n[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

air.channel @in [1]
air.channel @down [1]
func.func @turned(%x: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<4x4xi32>)
  air.segment @seg {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %l2 = memref.alloc() : memref<4x4xi32, 1>
    %g = air.channel.get async @in[%k0] (%l2[] [] []) : (memref<4x4xi32, 1>)
    // expected-error@+1 {{L2 memory in another order than it lies}}
    %s = air.channel.put async [%g] @down[%k0] (%l2[0, 0] [4, 4] [1, 4]) : (memref<4x4xi32, 1>)
    air.herd tile (%tx, %ty) in (%sx = %k1, %sy = %k1) {
      %h0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4x4xi32, 2>
      air.channel.get @down[%h0] (%m[] [] []) : (memref<4x4xi32, 2>)
    }
  }
  return
}

// -----

air.channel @in [1]
air.channel @down [1]
func.func @again(%x: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<16xi32>)
  air.segment @seg {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    // expected-error@+1 {{L2 memory that is not filled and sent in turn, each part once}}
    %l2 = memref.alloc() : memref<16xi32, 1>
    %g = air.channel.get async @in[%k0] (%l2[] [] []) : (memref<16xi32, 1>)
    %s = air.channel.put async [%g] @down[%k0] (%l2[] [] []) : (memref<16xi32, 1>)
    %s2 = air.channel.put async [%s] @down[%k0] (%l2[] [] []) : (memref<16xi32, 1>)
    air.herd tile (%tx, %ty) in (%sx = %k1, %sy = %k1) {
      %h0 = arith.constant 0 : index
      %m = memref.alloc() : memref<16xi32, 2>
      air.channel.get @down[%h0] (%m[] [] []) : (memref<16xi32, 2>)
      air.channel.get @down[%h0] (%m[] [] []) : (memref<16xi32, 2>)
    }
  }
  return
}

// -----

air.channel @alone [1]
func.func @open() {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %k0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{a channel whose other end is not in the design and not at the host}}
    air.channel.get @alone[%k0] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @both [1]
func.func @two_senders(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-note@+1 {{the host does it here}}
  %p = air.channel.put async @both[%c0] (%x[] [] []) : (memref<8xi32>)
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c2) {
    %k0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    %is = arith.cmpi eq, %ty, %k0 : index
    scf.if %is {
      // expected-error@+1 {{not supported: a channel that tiles and the host use in one direction}}
      air.channel.put @both[%k0] (%m[] [] []) : (memref<8xi32, 2>)
    } else {
      air.channel.get @both[%k0] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// expected-error@+1 {{buffer_resources is -3, not a number of objects}}
air.channel @in [1] {buffer_resources = -3 : i32}
func.func @fewer(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<8xi32>)
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %k0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.get @in[%k0] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @in [1]
func.func @rounds(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[%c0] (%x[] [] []) : (memref<8xi32>)
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{unroll is -2, not a number of rounds}}
    scf.for %i = %k0 to %k1 step %k1 {
      air.channel.get @in[%k0] (%m[] [] []) : (memref<8xi32, 2>)
    } {unroll = -2 : i32}
  }
  return
}
