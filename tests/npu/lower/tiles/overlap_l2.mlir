// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 overlap-l2=true' --split-input-file | FileCheck %s

// L2 memory with two writers of a half each, and a reader of both: each half has two locks, and the
// reader a descriptor for each. So the first half is sent, and filled again, while the second one fills.
// CHECK-LABEL: aie.device(npu1) @parts {
// CHECK: %[[FULL0:.*]] = aie.lock(%[[MEM:logical_mem.*]], 0) {init = 0 : i32}
// CHECK: %[[FREE0:.*]] = aie.lock(%[[MEM]], 1) {init = 1 : i32}
// CHECK: %[[FULL1:.*]] = aie.lock(%[[MEM]], 2) {init = 0 : i32}
// CHECK: %[[FREE1:.*]] = aie.lock(%[[MEM]], 3) {init = 1 : i32}
// CHECK: aie.memtile_dma(%[[MEM]]) {
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.use_lock(%[[FULL0]], AcquireGreaterEqual
// CHECK: offset = 0 len = 8)
// CHECK: aie.use_lock(%[[FREE0]], Release
// CHECK: aie.use_lock(%[[FULL1]], AcquireGreaterEqual
// CHECK: offset = 8 len = 8)
// CHECK: aie.use_lock(%[[FREE1]], Release
// CHECK: aie.dma_start(S2MM, 0
// CHECK: aie.use_lock(%[[FREE0]], AcquireGreaterEqual
// CHECK: offset = 0 len = 8)
// CHECK: aie.use_lock(%[[FULL0]], Release
// CHECK: aie.dma_start(S2MM, 1
// CHECK: aie.use_lock(%[[FREE1]], AcquireGreaterEqual
// CHECK: offset = 8 len = 8)
// CHECK: aie.use_lock(%[[FULL1]], Release
air.channel @left [1]
air.channel @right [1]
air.channel @out [1]
func.func @f(%a: memref<8xi32>, %b: memref<16xi32>) {
  air.channel.put @left[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @right[] (%a[] [] []) : (memref<8xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<16xi32>)
  air.segment @parts {
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

// -----

// Columns of a matrix: the stream of the whole has each part in many pieces. Turns then, and two
// copies of the memory, of which one is sent while the other fills.
// CHECK-LABEL: aie.device(npu1) @turns {
// CHECK-COUNT-2: aie.buffer(%{{.*}}) {{.*}}memref<16xi32, 1>
// CHECK: aie.memtile_dma
air.channel @west [1]
air.channel @east [1]
air.channel @all [1]
func.func @g(%a: memref<8xi32>, %b: memref<16xi32>) {
  air.channel.put @west[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @east[] (%a[] [] []) : (memref<8xi32>)
  air.channel.get @all[] (%b[] [] []) : (memref<16xi32>)
  air.segment @turns {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() : memref<16xi32, 1>
    air.channel.get @west[] (%l2[%c0, %c0] [%c4, %c2] [%c4, %c1]) : (memref<16xi32, 1>)
    air.channel.get @east[] (%l2[%c0, %c2] [%c4, %c2] [%c4, %c1]) : (memref<16xi32, 1>)
    air.channel.put @all[] (%l2[] [] []) : (memref<16xi32, 1>)
  }
  return
}
