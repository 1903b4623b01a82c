// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 use-lock-race-condition-fix-v2=true' | FileCheck %s

// L2 memory with two writers and a reader, twice: each DMA channel uses one and the other in turn,
// the first writer may be two rounds ahead of the reader.
// CHECK-LABEL: aie.device(npu1) @seg {
// CHECK: %[[L1:.*]] = aie.lock(%[[MEM:logical_mem.*]], 0) {init = 0 : i32}
// CHECK: %[[L2:.*]] = aie.lock(%[[MEM]], 1) {init = 0 : i32}
// CHECK: %[[L0:.*]] = aie.lock(%[[MEM]], 2) {init = 2 : i32}
// CHECK: %[[A:.*]] = aie.buffer(%[[MEM]])
// CHECK: %[[B:.*]] = aie.buffer(%[[MEM]])
// CHECK: aie.memtile_dma(%[[MEM]]) {
// CHECK-NEXT: aie.dma_start(MM2S, 0, ^bb1, ^bb4)
// CHECK: aie.use_lock(%[[L2]], AcquireGreaterEqual
// CHECK-NEXT: aie.dma_bd(%[[A]] : memref<16xi32, 1> offset = 0 len = 16)
// CHECK: aie.use_lock(%[[L0]], Release
// CHECK: aie.use_lock(%[[L2]], AcquireGreaterEqual
// CHECK-NEXT: aie.dma_bd(%[[B]] : memref<16xi32, 1> offset = 0 len = 16)
// CHECK: aie.use_lock(%[[L0]], Release
// CHECK: aie.next_bd ^bb1
air.channel @left [1]
air.channel @right [1]
air.channel @out [1]
func.func @f(%a: memref<8xi32>, %b: memref<16xi32>) {
  air.channel.put @left[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @right[] (%a[] [] []) : (memref<8xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<16xi32>)
  air.segment @seg {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %l2 = memref.alloc() : memref<16xi32, 1>
    air.channel.get @left[] (%l2[%c0] [%c8] [%c1]) : (memref<16xi32, 1>)
    air.channel.get @right[] (%l2[%c8] [%c8] [%c1]) : (memref<16xi32, 1>)
    air.channel.put @out[] (%l2[] [] []) : (memref<16xi32, 1>)
  }
  return
}
