// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// Two buffers in L2, on a memory tile each. The transfers of a buffer take turns: each takes the
// lock that the one before gives.
// CHECK-LABEL: aie.device(npu1) @seg {
// CHECK-DAG: %[[M0:.*]] = aie.logical_tile<MemTile>(?, ?)
// CHECK-DAG: %[[M1:.*]] = aie.logical_tile<MemTile>(?, ?)
// CHECK: %[[L1:.*]] = aie.lock(%[[OUT_TILE:logical_mem.*]], 0) {init = 0 : i32}
// CHECK-NEXT: %[[L2:.*]] = aie.lock(%[[OUT_TILE]], 1) {init = 0 : i32}
// CHECK-NEXT: %[[L0:.*]] = aie.lock(%[[OUT_TILE]], 2) {init = 1 : i32}
// CHECK-NEXT: %[[OUT:.*]] = aie.buffer(%[[OUT_TILE]]) {sym_name = "l2_buf1"} : memref<16xi32, 1>
// CHECK: %[[IN:.*]] = aie.buffer(%[[IN_TILE:.*]]) {sym_name = "l2_buf0"} : memref<16xi32, 1>
// CHECK: aie.flow(%[[SHIM:.*]], DMA : 0, %[[IN_TILE]], DMA : 0)
// CHECK-NEXT: aie.flow(%[[IN_TILE]], DMA : 0, %tile_0_2, DMA : 0)
// CHECK-NEXT: aie.flow(%[[IN_TILE]], DMA : 0, %tile_1_2, DMA : 0)
// CHECK-NEXT: aie.flow(%tile_1_2, DMA : 0, %[[OUT_TILE]], DMA : 1)
// CHECK-NEXT: aie.flow(%tile_0_2, DMA : 0, %[[OUT_TILE]], DMA : 0)
// CHECK-NEXT: aie.flow(%[[OUT_TILE]], DMA : 0, %[[OUT_SHIM:.*]], DMA : 0)
// CHECK: aie.memtile_dma(%[[IN_TILE]]) {
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.dma_bd(%[[IN]] : memref<16xi32, 1> offset = 0 len = 16 sizes = [4, 4] strides = [1, 4])
// CHECK: aie.dma_start(S2MM, 0
// CHECK: aie.dma_bd(%[[IN]] : memref<16xi32, 1> offset = 0 len = 16)
// CHECK: aie.memtile_dma(%[[OUT_TILE]]) {
// CHECK: aie.use_lock(%[[L2]], AcquireGreaterEqual
// CHECK-NEXT: aie.dma_bd(%[[OUT]] : memref<16xi32, 1> offset = 0 len = 16)
// CHECK: aie.use_lock(%[[L0]], Release
// CHECK: aie.use_lock(%[[L0]], AcquireGreaterEqual
// CHECK-NEXT: aie.dma_bd(%[[OUT]] : memref<16xi32, 1> offset = 0 len = 8)
// CHECK: aie.use_lock(%[[L1]], Release
// CHECK: aie.use_lock(%[[L1]], AcquireGreaterEqual
// CHECK-NEXT: aie.dma_bd(%[[OUT]] : memref<16xi32, 1> offset = 8 len = 8)
// CHECK: aie.use_lock(%[[L2]], Release
// CHECK: aie.shim_dma_allocation @air_out(%[[OUT_SHIM]], S2MM, 0)
// CHECK-NEXT: aie.shim_dma_allocation @air_in(%[[SHIM]], MM2S, 0)
air.channel @in [1]
air.channel @share [1, 1] {broadcast_shape = [2, 1]}
air.channel @part [2, 1]
air.channel @out [1]
func.func @f(%a: memref<16xi32>, %b: memref<16xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %l2 = memref.alloc() : memref<16xi32, 1>
    %l3 = memref.alloc() : memref<16xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<16xi32, 1>)
    air.channel.put @share[] (%l2[%c0, %c0] [%c4, %c4] [%c1, %c4]) : (memref<16xi32, 1>)
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) {
      %c0_0 = arith.constant 0 : index
      %m = memref.alloc() : memref<16xi32, 2>
      %n = memref.alloc() : memref<8xi32, 2>
      air.channel.get @share[%x, %c0_0] (%m[] [] []) : (memref<16xi32, 2>)
      %e = memref.load %m[%x] : memref<16xi32, 2>
      memref.store %e, %n[%c0_0] : memref<8xi32, 2>
      air.channel.put @part[%x, %c0_0] (%n[] [] []) : (memref<8xi32, 2>)
    }
    air.channel.get @part[%c0, %c0] (%l3[%c0] [%c8] [%c1]) : (memref<16xi32, 1>)
    air.channel.get @part[%c1, %c0] (%l3[%c8] [%c8] [%c1]) : (memref<16xi32, 1>)
    air.channel.put @out[] (%l3[] [] []) : (memref<16xi32, 1>)
    memref.dealloc %l2 : memref<16xi32, 1>
    memref.dealloc %l3 : memref<16xi32, 1>
  }
  air.channel.get @out[] (%b[] [] []) : (memref<16xi32>)
  return
}
