// RUN: airlite-opt %s --airrt-to-npu=join-iterations=true --split-input-file | FileCheck %s
// RUN: airlite-opt %s --airrt-to-npu --split-input-file | FileCheck %s --check-prefix=PLAIN

// Four iterations send neighbours, rows at a distance, and the same row again and again: one task
// each, of a longer transfer, of one more dimension, of repetition. Feeds come first.
// CHECK-LABEL: aie.runtime_sequence @join
// CHECK: aie.dma_bd(%arg0 : memref<4096xi32> offset = 0 len = 64
// CHECK: aiex.dma_start_task
// CHECK: aie.dma_bd(%arg1 : memref<4096xi32> offset = 8 len = 64 sizes = [4, 16] strides = [100, 1])
// CHECK: aiex.dma_start_task
// CHECK: aie.dma_bd(%arg2 : memref<4096xi32> offset = 0 len = 32
// CHECK: {issue_token = true, repeat_count = 3 : i32}
// CHECK: aiex.dma_start_task
// CHECK-NOT: aiex.dma_start_task
// PLAIN-LABEL: aie.runtime_sequence @join
// PLAIN-COUNT-12: aiex.dma_start_task
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @a(%tile, MM2S, 0)
    aie.shim_dma_allocation @b(%tile, MM2S, 1)
    aie.shim_dma_allocation @c(%tile, S2MM, 0)
    func.func @join(%a: memref<4096xi32>, %b: memref<4096xi32>, %c: memref<4096xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      affine.for %k = 0 to 4 {
        %near = affine.apply affine_map<(d0) -> (d0 * 16)>(%k)
        %n = arith.index_cast %near : index to i64
        %far = affine.apply affine_map<(d0) -> (d0 * 100 + 8)>(%k)
        %f = arith.index_cast %far : index to i64
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %c[0, 0, 0, 0], [1, 1, 1, 32], [0, 0, 0, 1]) {metadata = @c} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %n], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @a} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %2 = airrt.dma_memcpy_nd(%i, %z, %z, %b[0, 0, 0, %f], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @b} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %e = airrt.wait_all %0, %1, %2 {air.iteration_end} : !airrt.event
      }
      airrt.wait_all {air.launch_end}
      return
    }
  }
}

// -----

// What an iteration writes the next one reads: they stay apart.
// CHECK-LABEL: aie.runtime_sequence @apart
// CHECK-COUNT-4: aiex.dma_start_task
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @a(%tile, MM2S, 0)
    aie.shim_dma_allocation @c(%tile, S2MM, 0)
    func.func @apart(%a: memref<4096xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      affine.for %k = 0 to 2 {
        %near = affine.apply affine_map<(d0) -> (d0 * 16)>(%k)
        %n = arith.index_cast %near : index to i64
        %next = affine.apply affine_map<(d0) -> (d0 * 16 + 16)>(%k)
        %m = arith.index_cast %next : index to i64
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %m], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @c} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %n], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @a} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %e = airrt.wait_all %0, %1 {air.iteration_end} : !airrt.event
      }
      airrt.wait_all {air.launch_end}
      return
    }
  }
}

// -----

// A launch of one iteration: nothing joins, and what the array waits for is started first. Without, what is
// received is.
// CHECK-LABEL: aie.runtime_sequence @once
// CHECK: aie.dma_bd(%arg0
// CHECK: aiex.dma_start_task
// CHECK: aie.dma_bd(%arg1
// CHECK: aiex.dma_start_task
// PLAIN-LABEL: aie.runtime_sequence @once
// PLAIN: aie.dma_bd(%arg1
// PLAIN: aie.dma_bd(%arg0
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @a(%tile, MM2S, 0)
    aie.shim_dma_allocation @c(%tile, S2MM, 0)
    func.func @once(%a: memref<4096xi32>, %c: memref<4096xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      affine.for %k = 0 to 1 {
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %c[0, 0, 0, 0], [1, 1, 1, 32], [0, 0, 0, 1]) {metadata = @c} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @a} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %e = airrt.wait_all %0, %1 {air.iteration_end} : !airrt.event
      }
      airrt.wait_all {air.launch_end}
      return
    }
  }
}

// -----

// Each iteration writes what it has read, and the launch says that it reads first: one task of each channel, none of which waits.
// CHECK-LABEL: aie.runtime_sequence @in_place
// CHECK: aie.dma_bd(%arg0 : memref<4096xi32> offset = 0 len = 64
// CHECK: aiex.dma_start_task
// CHECK-NEXT: aiex.dma_configure_task_for @c
// CHECK: aie.dma_bd(%arg0 : memref<4096xi32> offset = 0 len = 64
// CHECK: aiex.dma_start_task
// CHECK-NOT: aiex.dma_start_task
// CHECK: aie.runtime_sequence @two_launches
// CHECK: aie.dma_bd(%arg0 : memref<4096xi32> offset = 0 len = 64
// CHECK: aiex.dma_start_task
// CHECK: aiex.dma_await_task
// CHECK: aiex.dma_start_task
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @a(%tile, MM2S, 0)
    aie.shim_dma_allocation @c(%tile, S2MM, 0)
    func.func @in_place(%a: memref<4096xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      affine.for %k = 0 to 4 {
        %near = affine.apply affine_map<(d0) -> (d0 * 16)>(%k)
        %n = arith.index_cast %near : index to i64
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %n], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @a, air.reads_first = 0} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %n], [1, 1, 1, 16], [0, 0, 0, 1]) {metadata = @c, air.reads_first = 0} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
        %e = airrt.wait_all %0, %1 {air.iteration_end} : !airrt.event
      }
      airrt.wait_all {air.launch_end}
      return
    }
    // Of two launches the second one reads what the first one has written.
    func.func @two_launches(%a: memref<4096xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @c, air.reads_first = 0} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
      %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @a, air.reads_first = 1} : (i32, i64, i64, memref<4096xi32>) : !airrt.event
      airrt.wait_all %0, %1
      return
    }
  }
}
