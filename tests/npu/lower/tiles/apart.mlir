// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 overlap-l2=true' --split-input-file | FileCheck %s

// A matrix in L2 whose left and right halves two transfers send: its stream has them in many pieces, so
// they have no lock pairs of their own. They do not wait for each other, only for what fills the memory:
// that takes one from its lock for each of them, and gives one to each, the second with a descriptor of
// no words.
// CHECK-LABEL: aie.device(npu1) @apart {
// CHECK: %[[FREE:.*]] = aie.lock(%[[MEM:logical_mem.*]], 0) {init = 2 : i32}
// CHECK: %[[LEFT:.*]] = aie.lock(%[[MEM]], 1) {init = 0 : i32}
// CHECK: %[[RIGHT:.*]] = aie.lock(%[[MEM]], 2) {init = 0 : i32}
// CHECK: aie.memtile_dma(%[[MEM]]) {
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.use_lock(%[[LEFT]], AcquireGreaterEqual, %{{.*}})
// CHECK: offset = 0 len = 8 sizes = [4, 2] strides = [4, 1])
// CHECK: aie.use_lock(%[[FREE]], Release
// CHECK: aie.dma_start(MM2S, 1
// CHECK: aie.use_lock(%[[RIGHT]], AcquireGreaterEqual
// CHECK: offset = 2 len = 8 sizes = [4, 2] strides = [4, 1])
// CHECK: aie.use_lock(%[[FREE]], Release
// CHECK: aie.dma_start(S2MM, 0
// CHECK: %[[BOTH:.*]] = arith.constant 2 : i32
// CHECK: aie.use_lock(%[[FREE]], AcquireGreaterEqual, %[[BOTH]])
// CHECK: offset = 0 len = 16)
// CHECK: aie.use_lock(%[[LEFT]], Release
// CHECK: aie.dma_bd({{.*}} offset = 0 len = 0)
// CHECK-NOT: Acquire
// CHECK: aie.use_lock(%[[RIGHT]], Release
air.channel @in [1]
air.channel @left [1]
air.channel @right [1]
func.func @f(%a: memref<16xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
  air.channel.get @left[] (%b[] [] []) : (memref<8xi32>)
  air.channel.get @right[] (%c[] [] []) : (memref<8xi32>)
  air.segment @apart {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() {air.memtile_col = 0 : i64} : memref<4x4xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<4x4xi32, 1>)
    air.channel.put @left[] (%l2[%c0, %c0] [%c4, %c2] [%c4, %c1]) : (memref<4x4xi32, 1>)
    air.channel.put @right[] (%l2[%c0, %c2] [%c4, %c2] [%c4, %c1]) : (memref<4x4xi32, 1>)
  }
  return
}

// -----

// Filled once, sent three times: both in pieces, which are filled again when they have been sent three
// times, one after the other.
// CHECK-LABEL: aie.device(npu1) @pieces {
// CHECK: %[[FULL:.*]] = aie.lock(%[[MEM:logical_mem.*]], 0) {init = 0 : i32}
// CHECK: %[[FREE:.*]] = aie.lock(%[[MEM]], 1) {init = 3 : i32}
// CHECK: aie.memtile_dma(%[[MEM]]) {
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.use_lock(%[[FULL]], AcquireGreaterEqual, %{{.*}})
// CHECK: offset = 0 len = 4)
// CHECK: aie.use_lock(%[[FREE]], Release
// CHECK: offset = 4 len = 4)
// CHECK: aie.dma_start(S2MM, 0
// CHECK: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: aie.use_lock(%[[FREE]], AcquireGreaterEqual, %[[THREE]])
// CHECK: offset = 0 len = 4)
// CHECK: %[[GIVEN:.*]] = arith.constant 3 : i32
// CHECK: aie.use_lock(%[[FULL]], Release, %[[GIVEN]])
air.channel @in [1]
air.channel @out [1]
func.func @g(%a: memref<32xi32>, %b: memref<96xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<32xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<96xi32>)
  air.segment @pieces {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %l2 = memref.alloc() : memref<32xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<32xi32, 1>)
    scf.for %i = %c0 to %c3 step %c1 {
      air.channel.put @out[] (%l2[] [] []) : (memref<32xi32, 1>)
    }
  }
  return
}

// -----

// Filled once, sent three times to each of two: what fills a piece waits for six runs, gives three to the first of the
// two, and three to the other with a descriptor of no words.
// CHECK-LABEL: aie.device(npu1) @shared {
// CHECK: %[[FULL0:.*]] = aie.lock(%[[MEM2:logical_mem.*]], 0) {init = 0 : i32}
// CHECK: %[[FULL1:.*]] = aie.lock(%[[MEM2]], 1) {init = 0 : i32}
// CHECK: %[[FREE2:.*]] = aie.lock(%[[MEM2]], 2) {init = 6 : i32}
// CHECK: aie.memtile_dma(%[[MEM2]]) {
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.use_lock(%[[FULL0]], AcquireGreaterEqual
// CHECK: offset = 0 len = 2)
// CHECK: aie.use_lock(%[[FREE2]], Release
// CHECK: aie.dma_start(MM2S, 1
// CHECK: aie.use_lock(%[[FULL1]], AcquireGreaterEqual
// CHECK: offset = 2 len = 2)
// CHECK: aie.use_lock(%[[FREE2]], Release
// CHECK: aie.dma_start(S2MM, 0
// CHECK: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: aie.use_lock(%[[FREE2]], AcquireGreaterEqual, %[[SIX]])
// CHECK: offset = 0 len = 4)
// CHECK: %[[THREE0:.*]] = arith.constant 3 : i32
// CHECK: aie.use_lock(%[[FULL0]], Release, %[[THREE0]])
// CHECK: len = 0)
// CHECK: %[[THREE1:.*]] = arith.constant 3 : i32
// CHECK: aie.use_lock(%[[FULL1]], Release, %[[THREE1]])
air.channel @in [1]
air.channel @left [1]
air.channel @right [1]
func.func @s(%a: memref<16xi32>, %b: memref<24xi32>, %c: memref<24xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
  air.channel.get @left[] (%b[] [] []) : (memref<24xi32>)
  air.channel.get @right[] (%c[] [] []) : (memref<24xi32>)
  air.segment @shared {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() {air.memtile_col = 0 : i64} : memref<4x4xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<4x4xi32, 1>)
    scf.for %i = %c0 to %c3 step %c1 {
      air.channel.put @left[] (%l2[%c0, %c0] [%c4, %c2] [%c4, %c1]) : (memref<4x4xi32, 1>)
      air.channel.put @right[] (%l2[%c0, %c2] [%c4, %c2] [%c4, %c1]) : (memref<4x4xi32, 1>)
    }
  }
  return
}

// -----

// Two transfers fill a half of the rows each: each has the pieces of its half.
// CHECK-LABEL: aie.device(npu1) @halves {
// CHECK-COUNT-8: {init = 3 : i32}
// CHECK: aie.memtile_dma
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.dma_bd({{.*}} offset = 0 len = 2)
// CHECK: aie.dma_bd({{.*}} offset = 14 len = 2)
// CHECK: aie.dma_start(S2MM, 0
// CHECK: aie.dma_bd({{.*}} offset = 0 len = 2)
// CHECK: aie.dma_bd({{.*}} offset = 6 len = 2)
// CHECK: aie.next_bd
// CHECK: aie.dma_start(S2MM, 1
// CHECK: aie.dma_bd({{.*}} offset = 8 len = 2)
// CHECK: aie.dma_bd({{.*}} offset = 14 len = 2)
air.channel @low [1]
air.channel @high [1]
air.channel @out [1]
func.func @two(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<48xi32>) {
  air.channel.put @low[] (%a[] [] []) : (memref<8xi32>)
  air.channel.put @high[] (%b[] [] []) : (memref<8xi32>)
  air.channel.get @out[] (%c[] [] []) : (memref<48xi32>)
  air.segment @halves {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() {air.memtile_col = 0 : i64} : memref<4x4xi32, 1>
    air.channel.get @low[] (%l2[%c0, %c0] [%c2, %c4] [%c4, %c1]) : (memref<4x4xi32, 1>)
    air.channel.get @high[] (%l2[%c2, %c0] [%c2, %c4] [%c4, %c1]) : (memref<4x4xi32, 1>)
    scf.for %i = %c0 to %c3 step %c1 {
      air.channel.put @out[] (%l2[%c0, %c0] [%c4, %c4] [%c4, %c1]) : (memref<4x4xi32, 1>)
    }
  }
  return
}

// -----

// A stride of zero repeats the transfer: no descriptor steps by nothing, so the ring has its pieces twice for
// each fill, and the locks count.
// CHECK-LABEL: aie.device(npu1) @repeats {
// CHECK: aie.memtile_dma
// CHECK: aie.dma_start(MM2S, 0
// CHECK: aie.dma_bd({{.*}} offset = 0 len = 4)
// CHECK: aie.dma_start(S2MM, 0
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: aie.use_lock(%{{.*}}, AcquireGreaterEqual, %[[TWO]])
air.channel @in [1]
air.channel @out [1]
func.func @h(%a: memref<32xi32>, %b: memref<64xi32>) {
  air.channel.put @in[] (%a[] [] []) : (memref<32xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<64xi32>)
  air.segment @repeats {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %l2 = memref.alloc() : memref<32xi32, 1>
    air.channel.get @in[] (%l2[] [] []) : (memref<32xi32, 1>)
    air.channel.put @out[] (%l2[%c0, %c0] [%c2, %c32] [%c0, %c1]) : (memref<32xi32, 1>)
  }
  return
}
