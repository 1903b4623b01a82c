// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0'

air.channel @c [1] {air.tile_dma_channel = 2 : i32}
func.func @tile(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{air.tile_dma_channel = 2 is out of range [0, 2) for the S2MM DMA channels of tile}}
    air.channel.get @c[] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @c [1] {air.tile_dma_channel = 1 : i32}
air.channel @d [1] {air.tile_dma_channel = 1 : i32}
func.func @both(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @d[] (%a[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    %n = memref.alloc() : memref<8xi32, 2>
    air.channel.get @c[] (%m[] [] []) : (memref<8xi32, 2>)
    // expected-error@+1 {{asks for DMA channel 1, as @c does; only packets that are sent can share one}}
    air.channel.get @d[] (%n[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @c [1]
air.channel @d [1]
func.func @floor(%a: memref<8xi32>) {
  air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  air.segment @s {
    // expected-warning@+1 {{air.memtile_col=4 has no memtile in target; ignoring}}
    %l2 = memref.alloc() {air.memtile_col = 4 : i32} : memref<8xi32, 1>
    // expected-error@+1 {{air.memtile_dma_channel_min = 6 is out of range [0, 6) for the S2MM DMA channels of this memtile}}
    air.channel.get @c[] (%l2[] [] []) {air.memtile_dma_channel_min = 6 : i32} : (memref<8xi32, 1>)
  }
  return
}

// -----

air.channel @c [1] {air.shim_col = 4 : i32}
func.func @shim(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{air.shim_col column 4 is out of range [0, 4)}}
    air.channel.get @c[] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @c [3] {air.shim_col = 1 : i32}
func.func @full(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  air.channel.put @c[%c0] (%a[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c3) {
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{needs shim channel number 3 from the host in column 1, which has 2}}
    air.channel.get @c[%y] (%m[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// -----

air.channel @c [1]
func.func @zeros(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.get @c[] (%a[] [] []) : (memref<8xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: padding but of what a memory tile sends}}
    air.channel.put @c[] (%m[%c0] [%c4] [%c1_0]) {pad_before = array<i32: 4>, pad_after = array<i32: 0>} : (memref<4xi32, 2>)
  }
  return
}
