// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// One buffer, one transfer: the receiving DMA may start at once, the sending one waits for the core.
// CHECK-LABEL: aie.device(npu1) @one {
// CHECK: %[[FROM:.*]] = aie.tile(0, 2)
// CHECK: %[[TO:.*]] = aie.tile(1, 2)
// CHECK: %[[IN_DONE:.*]] = aie.lock(%[[TO]], 0) {init = 0 : i32}
// CHECK: %[[IN_GO:.*]] = aie.lock(%[[TO]], 1) {init = 1 : i32}
// CHECK: %[[IN:.*]] = aie.buffer(%[[TO]])
// CHECK: aie.mem(%[[TO]]) {
// CHECK-NEXT: aie.dma_start(S2MM, 0, ^bb1, ^bb2)
// CHECK: aie.use_lock(%[[IN_GO]], AcquireGreaterEqual
// CHECK-NEXT: aie.dma_bd(%[[IN]] : memref<8x8xi32, 2> offset = 0 len = 64)
// CHECK: aie.use_lock(%[[IN_DONE]], Release
// CHECK-NEXT: aie.next_bd ^bb1
// CHECK: aie.core(%[[TO]])
// CHECK: scf.for
// CHECK: aie.use_lock(%[[IN_DONE]], AcquireGreaterEqual
// CHECK-NEXT: memref.load %[[IN]]
// CHECK: aie.use_lock(%[[IN_GO]], Release
// CHECK-NEXT: memref.store
// CHECK: aie.mem(%[[FROM]]) {
// CHECK-NEXT: aie.dma_start(MM2S, 0, ^bb1, ^bb2)
// CHECK: aie.use_lock(%[[OUT_GO:.*]], AcquireGreaterEqual
// The first column of each row of eight.
// CHECK-NEXT: aie.dma_bd(%[[OUT:.*]] : memref<64x8xi32, 2> offset = 3 len = 64 sizes = [64] strides = [8])
// CHECK: aie.use_lock(%[[OUT_DONE:.*]], Release
// CHECK: aie.core(%[[FROM]])
// CHECK: scf.for
// CHECK: aie.use_lock(%[[OUT_DONE]], AcquireGreaterEqual
// CHECK-NEXT: memref.store %{{.*}}, %[[OUT]]
// CHECK: aie.use_lock(%[[OUT_GO]], Release
// CHECK-NEXT: }
// CHECK: aie.flow(%[[FROM]], DMA : 0, %[[TO]], DMA : 0)
air.channel @c [1, 1]
func.func @f_one() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @one tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %out = memref.alloc() : memref<64x8xi32, 2>
      scf.for %i = %c0 to %c4 step %c1_0 {
        memref.store %v, %out[%i, %c3] : memref<64x8xi32, 2>
        air.channel.put @c[] (%out[%c0, %c3] [%c64, %c1_0] [%c8, %c1_0]) : (memref<64x8xi32, 2>)
      }
    } else {
      %in = memref.alloc() : memref<8x8xi32, 2>
      %sum = memref.alloc() : memref<1xi32, 2>
      scf.for %i = %c0 to %c4 step %c1_0 {
        air.channel.get @c[] (%in[] [] []) : (memref<8x8xi32, 2>)
        %e = memref.load %in[%i, %i] : memref<8x8xi32, 2>
        memref.store %e, %sum[%c0] : memref<1xi32, 2>
      }
    }
  }
  return
}

// -----

// A buffer that is filled, changed and sent on: the core starts each transfer when the other is
// idle, and waits before it touches the buffer.
// CHECK-LABEL: aie.device(npu1) @two {
// CHECK: aie.core(%tile_1_2)
// CHECK: scf.for
// CHECK: aie.use_lock(%[[G_IDLE:.*]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[P_IDLE:.*]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[P_IDLE]], Release
// CHECK: aie.use_lock(%[[G_GO:.*]], Release
// CHECK: aie.use_lock(%[[G_IDLE]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[G_IDLE]], Release
// CHECK-NEXT: memref.load
// CHECK: aie.use_lock(%[[P_IDLE]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[P_IDLE]], Release
// CHECK-NEXT: memref.store
// CHECK: aie.use_lock(%[[P_IDLE]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[G_IDLE]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[G_IDLE]], Release
// CHECK: aie.use_lock(%[[P_GO:.*]], Release
// CHECK: aie.flow(%tile_0_2, DMA : 0, %tile_1_2, DMA : 0)
// CHECK-NEXT: aie.flow(%tile_1_2, DMA : 0, %tile_2_2, DMA : 0)
air.channel @a [1, 1]
air.channel @b [1, 1]
func.func @f_two() {
  air.segment @two {
    %c1 = arith.constant 1 : index
    air.herd @source tile (%x, %y) in (%sx = %c1, %sy = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %m = memref.alloc() : memref<4xi32, 2>
      air.channel.put @a[] (%m[] [] []) : (memref<4xi32, 2>)
    }
    air.herd @middle tile (%x, %y) in (%sx = %c1, %sy = %c1) attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1_0 = arith.constant 1 : index
      %v = arith.constant 1 : i32
      %m = memref.alloc() : memref<4xi32, 2>
      scf.for %i = %c0 to %c4 step %c1_0 {
        air.channel.get @a[] (%m[] [] []) : (memref<4xi32, 2>)
        %e = memref.load %m[%i] : memref<4xi32, 2>
        %s = arith.addi %e, %v : i32
        memref.store %s, %m[%i] : memref<4xi32, 2>
        air.channel.put @b[] (%m[] [] []) : (memref<4xi32, 2>)
      }
    }
    air.herd @sink tile (%x, %y) in (%sx = %c1, %sy = %c1) attributes {x_loc = 2 : i64, y_loc = 2 : i64} {
      %m = memref.alloc() : memref<4xi32, 2>
      air.channel.get @b[] (%m[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}

// -----

// Two buffers in turn: the descriptors of a DMA channel follow each other round and round. A
// broadcast has a flow to each core.
// CHECK-LABEL: aie.device(npu1) @pingpong {
// CHECK: aie.mem(%tile_2_2) {
// CHECK-NEXT: aie.dma_start(S2MM, 0, ^bb1, ^bb3)
// CHECK: ^bb1:
// CHECK: aie.dma_bd(%[[PING:.*]] : memref<4xi32, 2> offset = 0 len = 4)
// CHECK: aie.next_bd ^bb2
// CHECK: ^bb2:
// CHECK-NOT: aie.dma_bd(%[[PING]] :
// CHECK: aie.dma_bd
// CHECK: aie.next_bd ^bb1
// CHECK: ^bb3:
// CHECK-NEXT: aie.end
// CHECK: aie.flow(%tile_0_2, DMA : 0, %tile_1_2, DMA : 0)
// CHECK-NEXT: aie.flow(%tile_0_2, DMA : 0, %tile_2_2, DMA : 0)
#first = affine_set<()[s0] : (s0 == 0)>
air.channel @all [1, 1] {broadcast_shape = [2, 1]}
func.func @f_pingpong() {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  air.herd @pingpong tile (%x, %y) in (%sx = %c3, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %c1_0 = arith.constant 1 : index
    %ping = memref.alloc() : memref<4xi32, 2>
    %pong = memref.alloc() : memref<4xi32, 2>
    affine.if #first()[%x] {
      scf.for %i = %c0 to %c8 step %c1_0 {
        air.channel.put @all[] (%ping[] [] []) : (memref<4xi32, 2>)
      }
    } else {
      %core = arith.subi %x, %c1_0 : index
      scf.for %i = %c0 to %c8 step %c2 {
        air.channel.get @all[%core, %c0] (%ping[] [] []) : (memref<4xi32, 2>)
        air.channel.get @all[%core, %c0] (%pong[] [] []) : (memref<4xi32, 2>)
      }
    }
  }
  return
}

// -----

// What the host sends and takes goes through shims, by name. Each column of cores has its own.
// CHECK-LABEL: aie.device(npu1) @add {
// CHECK: %[[S:.*]] = aie.logical_tile<ShimNOCTile>(?, ?)
// CHECK-NEXT: %[[S1:.*]] = aie.logical_tile<ShimNOCTile>(?, ?)
// CHECK: aie.flow(%[[S]], DMA : 0, %tile_0_2, DMA : 0)
// CHECK-NEXT: aie.flow(%[[S]], DMA : 0, %tile_1_2, DMA : 0)
// CHECK-NEXT: aie.flow(%tile_1_2, DMA : 0, %[[S1]], DMA : 0)
// CHECK-NEXT: aie.flow(%tile_0_2, DMA : 0, %[[S]], DMA : 0)
// CHECK-NEXT: aie.shim_dma_allocation @air_out_0(%[[S]], S2MM, 0)
// CHECK-NEXT: aie.shim_dma_allocation @air_out_1(%[[S1]], S2MM, 0)
// CHECK-NEXT: aie.shim_dma_allocation @air_in(%[[S]], MM2S, 0)
// CHECK-LABEL: func.func @vector
// CHECK: air.channel.put @in{{.*}} {metadataArray = [{base = "air_in", index = 0 : i32}]}
// CHECK: air.channel.get @out{{.*}} {metadataArray = [{base = "air_out_0", index = 0 : i32}, {base = "air_out_1", index = 1 : i32}]}
air.channel @in [1, 1] {broadcast_shape = [2, 1]}
air.channel @out [2, 1]
func.func @vector(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  air.channel.put @in[] (%a[] [] []) : (memref<16xi32>)
  air.herd @add tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %c0_0 = arith.constant 0 : index
    %m = memref.alloc() : memref<16xi32, 2>
    %n = memref.alloc() : memref<8xi32, 2>
    air.channel.get @in[%x, %c0_0] (%m[] [] []) : (memref<16xi32, 2>)
    %e = memref.load %m[%c0_0] : memref<16xi32, 2>
    memref.store %e, %n[%c0_0] : memref<8xi32, 2>
    air.channel.put @out[%x, %c0_0] (%n[] [] []) : (memref<8xi32, 2>)
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %o = arith.muli %i, %c8 : index
    air.channel.get @out[%c0, %c0] (%b[%o] [%c8] [%c1]) : (memref<16xi32>)
  }
  return
}

// -----

// The core waits for what comes only where it uses it: what it sends first may be what the other
// side waits for.
// CHECK-LABEL: aie.device(npu1) @late {
// CHECK: aie.core(%tile_1_2)
// CHECK: aie.core(%tile_0_2)
// CHECK: aie.use_lock(%[[OUT_DONE:.*]], AcquireGreaterEqual
// CHECK: memref.store
// CHECK: aie.use_lock(%[[OUT_GO:.*]], Release
// CHECK: aie.use_lock(%[[IN_DONE:.*]], AcquireGreaterEqual
// CHECK-NEXT: memref.load
// CHECK: aie.use_lock(%[[IN_GO:.*]], Release
air.channel @there [1]
air.channel @back [1]
func.func @f_late() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @late tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1 : i32
    %out = memref.alloc() : memref<4xi32, 2>
    %in = memref.alloc() : memref<4xi32, 2>
    %rest = memref.alloc() : memref<4xi32, 2>
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %t = air.channel.get async @back[] (%in[] [] []) : (memref<4xi32, 2>)
      memref.store %v, %out[%c0] : memref<4xi32, 2>
      air.channel.put @there[] (%out[] [] []) : (memref<4xi32, 2>)
      air.wait_all [%t]
      %e = memref.load %in[%c0] : memref<4xi32, 2>
      memref.store %e, %rest[%c0] : memref<4xi32, 2>
    } else {
      air.channel.get @there[] (%in[] [] []) : (memref<4xi32, 2>)
      air.channel.put @back[] (%in[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}

// -----

// Memory that may be one or the other: the store waits for the transfer of either.
// CHECK-LABEL: aie.device(npu1) @either {
// CHECK: aie.core(%tile_0_2)
// CHECK: aie.use_lock(%[[A:.*]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[A]], Release
// CHECK: aie.use_lock(%[[B:.*]], AcquireGreaterEqual
// CHECK: aie.use_lock(%[[B]], Release
// CHECK: memref.store
air.channel @a [1]
air.channel @b [1]
func.func @f_either(%n: i32) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd @either tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%k = %n) : i32 {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1 : i32
    %p = memref.alloc() : memref<4xi32, 2>
    %q = memref.alloc() : memref<4xi32, 2>
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      air.channel.put @a[] (%p[] [] []) : (memref<4xi32, 2>)
      air.channel.put @b[] (%q[] [] []) : (memref<4xi32, 2>)
      %odd = arith.trunci %k : i32 to i1
      %m = arith.select %odd, %p, %q : memref<4xi32, 2>
      memref.store %v, %m[%c0] : memref<4xi32, 2>
    } else {
      air.channel.get @a[] (%p[] [] []) : (memref<4xi32, 2>)
      air.channel.get @b[] (%q[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}
