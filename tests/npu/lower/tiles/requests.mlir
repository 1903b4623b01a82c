// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// DMA channels and columns that the program asks for.
// CHECK-LABEL: aie.device(npu1) @pins {
// CHECK-DAG: %[[MEM:.*]] = aie.logical_tile<MemTile>(2, ?)
// CHECK-DAG: %[[SHIM:.*]] = aie.logical_tile<ShimNOCTile>(3, ?)
// CHECK-DAG: %[[OPEN:.*]] = aie.logical_tile<ShimNOCTile>(?, ?)
// CHECK: aie.buffer(%[[MEM]])
// CHECK: aie.mem(%tile_0_2) {
// CHECK-NEXT: aie.dma_start(S2MM, 1
// CHECK: aie.dma_start(S2MM, 0
// CHECK: aie.memtile_dma(%[[MEM]]) {
// CHECK-NEXT: aie.dma_start(MM2S, 2
// CHECK: aie.shim_dma_allocation @air_in(%[[SHIM]], MM2S, 0)
// CHECK: aie.shim_dma_allocation @air_other(%[[OPEN]], MM2S, 0)
air.channel @in [1] {air.shim_col = 3 : i32}
air.channel @other [1]
air.channel @on [1] {air.tile_dma_channel = 1 : i32}
func.func @f_pins(%a: memref<8xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @other[] (%a[] [] []) : (memref<8xi32>)
  air.segment @pins {
    %c1 = arith.constant 1 : index
    %l2 = memref.alloc() {air.memtile_col = 2 : i32} : memref<8xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<8xi32, 1>)
    air.channel.put @on[] (%l2[] [] []) {air.memtile_dma_channel_min = 2 : i32} : (memref<8xi32, 1>)
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
      %m = memref.alloc() : memref<8xi32, 2>
      %n = memref.alloc() : memref<8xi32, 2>
      air.channel.get @other[] (%n[] [] []) : (memref<8xi32, 2>)
      air.channel.get @on[] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// More packets than shim channels: those that may share take turns, the other has its own.
// CHECK-LABEL: aie.device(npu1) @column {
// CHECK: %[[SHIM:.*]] = aie.logical_tile<ShimNOCTile>(1, ?)
// CHECK-NOT: ShimNOCTile
// CHECK: aie.shim_dma_allocation @air_a(%[[SHIM]], MM2S, 0)
// CHECK: aie.shim_dma_allocation @air_b(%[[SHIM]], MM2S, 1)
// CHECK: aie.shim_dma_allocation @air_c(%[[SHIM]], MM2S, 0)
air.channel @a [1] {channel_type = "npu_dma_packet", air.shim_col = 1 : i32}
air.channel @b [1] {channel_type = "npu_dma_packet", air.shim_col = 1 : i32, air.dedicated_dma_channel}
air.channel @c [1] {channel_type = "npu_dma_packet", air.shim_col = 1 : i32}
func.func @f_column(%a: memref<8xi32>) {
  air.channel.put @a[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @b[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @c[] (%a[] [] []) : (memref<8xi32>)
  air.segment @column {
    %l2a = memref.alloc() : memref<8xi32, 1>
    %l2b = memref.alloc() : memref<8xi32, 1>
    %l2c = memref.alloc() : memref<8xi32, 1>
    air.channel.get @a[] (%l2a[] [] []) : (memref<8xi32, 1>)
    air.channel.get @b[] (%l2b[] [] []) : (memref<8xi32, 1>)
    air.channel.get @c[] (%l2c[] [] []) : (memref<8xi32, 1>)
  }
  return
}

// -----

// A memory tile sends zeros around what it reads. The length counts them.
// CHECK-LABEL: aie.device(npu1) @zeros {
// CHECK: aie.memtile_dma
// CHECK: aie.dma_bd({{.*}} offset = 4 len = 48 sizes = [2, 8] strides = [12, 1] pad [<const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 4, const_pad_after = 0>])
air.channel @in [1]
air.channel @on [1]
func.func @f_zeros(%a: memref<24xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<24xi32>)
  air.segment @zeros {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c0 = arith.constant 0 : index
    %l2 = memref.alloc() : memref<24xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<24xi32, 1>)
    air.channel.put @on[] (%l2[%c0, %c4] [%c2, %c8] [%c12, %c1]) {pad_before = array<i32: 1, 4>, pad_after = array<i32: 1, 0>} : (memref<24xi32, 1>)
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
      %m = memref.alloc() : memref<48xi32, 2>
      air.channel.get @on[] (%m[] [] []) : (memref<48xi32, 2>)
    }
  }
  return
}
