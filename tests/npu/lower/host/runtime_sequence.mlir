// RUN: airlite-opt %s --split-input-file --airrt-to-npu | FileCheck %s

// What is sent is freed at its wait, what is received is awaited, in the order of the wait.
// CHECK-LABEL: aie.device(npu1) @seg {
// CHECK: aie.runtime_sequence @waits(%[[A:.*]]: memref<64xi32>, %[[B:.*]]: memref<64xi32>) {
// CHECK-NEXT: %[[IN:.*]] = aiex.dma_configure_task_for @in {
// CHECK-NEXT: aie.dma_bd(%[[A]] : memref<64xi32> offset = 16 len = 32 sizes = [32] strides = [1])
// CHECK-NEXT: aie.end
// CHECK-NEXT: }
// CHECK-NEXT: aiex.dma_start_task(%[[IN]])
// CHECK-NEXT: %[[OUT:.*]] = aiex.dma_configure_task_for @out {
// CHECK-NEXT: aie.dma_bd(%[[B]] : memref<64xi32> offset = 0 len = 64 sizes = [64] strides = [1])
// CHECK-NEXT: aie.end
// CHECK-NEXT: } {issue_token = true}
// CHECK-NEXT: aiex.dma_start_task(%[[OUT]])
// CHECK-NEXT: aiex.dma_free_task(%[[IN]])
// CHECK-NEXT: aiex.dma_await_task(%[[OUT]])
// CHECK-NEXT: }
// CHECK-NOT: func.func
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  func.func @waits(%a: memref<64xi32>, %b: memref<64xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 16], [1, 1, 1, 32], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %1 = airrt.dma_memcpy_nd(%i, %z, %z, %b[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %2 = airrt.wait_all %0, %1 : !airrt.event
    airrt.wait_all %2
    %p = airrt.segment_load "seg" : i64
    return
  }
}

// -----

// Launches: in each iteration the device may send first, and at the end nothing is under way, of
// what is sent either. Several names of one channel are one; offsets are computed.
// CHECK-LABEL: aie.runtime_sequence @iterations
// CHECK: %[[O0:.*]] = aiex.dma_configure_task_for @out
// CHECK: offset = 0 len = 8
// CHECK: %[[A0:.*]] = aiex.dma_configure_task_for @in
// CHECK: offset = 0 len = 8
// CHECK: %[[B0:.*]] = aiex.dma_configure_task_for @in
// CHECK: offset = 4 len = 2
// CHECK: {issue_token = true}
// CHECK: aiex.dma_start_task(%[[B0]])
// CHECK-NEXT: aiex.dma_await_task(%[[O0]])
// CHECK-NEXT: aiex.dma_free_task(%[[A0]])
// CHECK-NEXT: aiex.dma_await_task(%[[B0]])
// CHECK-NEXT: %[[O1:.*]] = aiex.dma_configure_task_for @out
// CHECK: offset = 8 len = 8
// CHECK: offset = 8 len = 8
// CHECK: offset = 4 len = 2
// CHECK: aiex.dma_await_task(%[[O1]])
// CHECK-NOT: dma_configure
#map = affine_map<(d0) -> (d0 * 8)>
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    aie.shim_dma_allocation @again(%tile, MM2S, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  func.func @iterations(%a: memref<16xi32>, %b: memref<16xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    affine.for %k = 0 to 2 {
      %p = airrt.segment_load "seg" : i64
      %at = affine.apply #map(%k)
      %o = arith.index_cast %at : index to i64
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %o], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<16xi32>) : !airrt.event
      %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 2, 0], [1, 1, 1, 2], [0, 0, 2, 1]) {metadata = @again} : (i32, i64, i64, memref<16xi32>) : !airrt.event
      %2 = airrt.dma_memcpy_nd(%i, %z, %z, %b[0, 0, 0, %o], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<16xi32>) : !airrt.event
      airrt.wait_all %0, %1, %2 {air.launch_end}
    }
    return
  }
}

// -----

// Memory: what is read again after it was written waits for it; pieces that lie between each other
// have nothing in common.
// CHECK-LABEL: aie.runtime_sequence @memory
// CHECK: %[[W0:.*]] = aiex.dma_configure_task_for @w0
// CHECK: %[[W1:.*]] = aiex.dma_configure_task_for @w1
// CHECK-NOT: await
// CHECK: aiex.dma_start_task(%[[W1]])
// CHECK: %[[R:.*]] = aiex.dma_configure_task_for @r
// CHECK: aiex.dma_await_task(%[[W1]])
// CHECK-NEXT: aiex.dma_start_task(%[[R]])
// CHECK: %[[W2:.*]] = aiex.dma_configure_task_for @w0
// CHECK: aiex.dma_await_task(%[[R]])
// CHECK-NEXT: aiex.dma_start_task(%[[W2]])
// CHECK-NEXT: aiex.dma_await_task(%[[W0]])
// CHECK-NEXT: aiex.dma_await_task(%[[W2]])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @w0(%tile, S2MM, 0)
    aie.shim_dma_allocation @w1(%tile, S2MM, 1)
    aie.shim_dma_allocation @r(%tile, MM2S, 0)
  }
  func.func @memory(%a: memref<64xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 8, 4], [0, 0, 8, 1]) {metadata = @w0} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 4], [1, 1, 8, 4], [0, 0, 8, 1]) {metadata = @w1} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %2 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 4], [1, 1, 2, 4], [0, 0, 8, 1]) {metadata = @r} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %3 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 7], [1, 1, 1, 1], [0, 0, 0, 1]) {metadata = @w0} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    airrt.wait_all %0, %3
    return
  }
}

// -----

// No channel has more than four under way; channels take turns, each at its share.
// CHECK-LABEL: aie.runtime_sequence @burst
// CHECK: %[[A0:.*]] = aiex.dma_configure_task_for @a
// CHECK: %[[B0:.*]] = aiex.dma_configure_task_for @b
// CHECK: %[[A1:.*]] = aiex.dma_configure_task_for @a
// CHECK: %[[A2:.*]] = aiex.dma_configure_task_for @a
// CHECK: %[[B1:.*]] = aiex.dma_configure_task_for @b
// CHECK: %[[A3:.*]] = aiex.dma_configure_task_for @a
// CHECK: %[[A4:.*]] = aiex.dma_configure_task_for @a
// CHECK: aiex.dma_await_task(%[[A0]])
// CHECK-NEXT: aiex.dma_start_task(%[[A4]])
// CHECK: %[[B2:.*]] = aiex.dma_configure_task_for @b
// CHECK: %[[A5:.*]] = aiex.dma_configure_task_for @a
// CHECK: aiex.dma_await_task(%[[A1]])
// CHECK-NEXT: aiex.dma_start_task(%[[A5]])
// CHECK-NEXT: aiex.dma_free_task(%[[A2]])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @a(%tile, MM2S, 0)
    aie.shim_dma_allocation @b(%tile, MM2S, 1)
  }
  func.func @burst(%m: memref<64xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    affine.for %k = 0 to 6 {
      airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @a} : (i32, i64, i64, memref<64xi32>)
    }
    affine.for %k = 0 to 3 {
      airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 8], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @b} : (i32, i64, i64, memref<64xi32>)
    }
    return
  }
}

// -----

// Tokens of a channel come in the order of its tasks: the first is waited for first.
// CHECK-LABEL: aie.runtime_sequence @token_order
// CHECK: %[[A:.*]] = aiex.dma_configure_task_for @out
// CHECK: %[[B:.*]] = aiex.dma_configure_task_for @out
// CHECK: aiex.dma_start_task(%[[B]])
// CHECK-NEXT: aiex.dma_await_task(%[[A]])
// CHECK-NEXT: aiex.dma_await_task(%[[B]])
// CHECK-NEXT: }
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  func.func @token_order(%a: memref<16xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<16xi32>) : !airrt.event
    %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 8], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<16xi32>) : !airrt.event
    airrt.wait_all %1
    airrt.wait_all %0
    return
  }
}

// -----

// Marks: a transfer that is hoisted, ordered feeds, appends that a reader waits for.
// CHECK-LABEL: aie.runtime_sequence @marks
// CHECK: aiex.dma_configure_task_for @b
// CHECK: %[[F0:.*]] = aiex.dma_configure_task_for @a
// CHECK: %[[F1:.*]] = aiex.dma_configure_task_for @a
// CHECK: %[[F2:.*]] = aiex.dma_configure_task_for @a
// CHECK: aiex.dma_await_task(%[[F0]])
// CHECK-NEXT: aiex.dma_start_task(%[[F2]])
// CHECK-NEXT: aiex.dma_await_task(%[[F1]])
// CHECK-NEXT: aiex.dma_await_task(%[[F2]])
// CHECK: %[[W:.*]] = aiex.dma_configure_task_for @w
// CHECK: %[[R:.*]] = aiex.dma_configure_task_for @b
// CHECK: packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>
// CHECK: aiex.dma_await_task(%[[W]])
// CHECK-NEXT: aiex.dma_start_task(%[[R]])
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @a(%tile, MM2S, 0)
    aie.shim_dma_allocation @b(%tile, MM2S, 1)
    aie.shim_dma_allocation @w(%tile, S2MM, 0)
  }
  func.func @marks(%m: memref<64xi32>, %n: memref<64xi32>, %o: memref<64xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    affine.for %k = 0 to 3 {
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @a, air.preserve_shim_dma_order} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    }
    %1 = airrt.dma_memcpy_nd(%i, %z, %z, %n[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @b, air.runtime_hoist} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %2 = airrt.dma_memcpy_nd(%i, %z, %z, %o[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @w, air.append_barrier} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    %3 = airrt.dma_memcpy_nd(%i, %z, %z, %o[0, 0, 0, 8], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @b, air.await_appends, packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>} : (i32, i64, i64, memref<64xi32>) : !airrt.event
    return
  }
}

// -----

// Parameters and locks of a herd come before the data of their iteration, of any type of scalar.
// CHECK-LABEL: aie.runtime_sequence @herds
// CHECK-SAME: %{{.*}}: memref<8xi32>, %[[N:.*]]: index, %[[F:.*]]: f32
// CHECK: %[[W:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK-NEXT: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 0, %[[W]]) : i32
// CHECK: %[[G:.*]] = arith.bitcast %[[F]] : f32 to i32
// CHECK-NEXT: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 1, %[[G]]) : i32
// CHECK: %[[ONE:.*]] = arith.constant 1065353216 : i32
// CHECK-NEXT: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 2, %[[ONE]]) : i32
// CHECK: %[[K:.*]] = arith.constant 0 : i32
// CHECK-NEXT: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 3, %[[K]]) : i32
// CHECK-NEXT: aiex.set_lock(%__air_herd_lock_0_2, 1)
// CHECK: aiex.dma_configure_task_for @in
// CHECK: aiex.dma_await_task
// CHECK: %[[K1:.*]] = arith.constant 1 : i32
// CHECK-NEXT: aiex.npu.rtp_write(@__air_herd_rtp_0_2, 3, %[[K1]]) : i32
// CHECK: aiex.dma_configure_task_for @in
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    %core_tile = aie.tile(0, 2)
    %lock = aie.lock(%core_tile, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
    %words = aie.buffer(%core_tile) {sym_name = "__air_herd_rtp_0_2"} : memref<4xi32>
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
  }
  airrt.module_metadata {
    airrt.segment_metadata attributes {sym_name = "seg"} {
      airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 1 : i64, size_y = 1 : i64, sym_name = "h"}
    }
  }
  func.func @herds(%a: memref<8xi32>, %n: index, %f: f32) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %one = arith.constant 1.0 : f32
    affine.for %k = 0 to 2 {
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>) : !airrt.event
      %h = airrt.herd_load "h" (%n, %f, %one, %k) {segment_name = "seg"} : (index, f32, f32, index) -> i64
      airrt.wait_all %0 {air.launch_end}
    }
    return
  }
}

// -----

// scf.for stays a loop; each run waits for what it has started.
// CHECK-LABEL: aie.runtime_sequence @rolled
// CHECK-SAME: %{{.*}}: memref<64xi32>, %[[N:.*]]: index
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %[[N]]
// CHECK: %[[C:.*]] = arith.index_cast %[[K]] : index to i64
// CHECK-NEXT: %[[O:.*]] = arith.trunci %[[C]] : i64 to i32
// CHECK-NEXT: %[[T:.*]] = aiex.dma_configure_task_for @in
// CHECK-NEXT: offset = %[[O]] len = 1
// CHECK: aiex.dma_start_task(%[[T]])
// CHECK-NEXT: aiex.dma_await_task(%[[T]])
// CHECK-NEXT: }
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @rolled(%a: memref<64xi32>, %n: index) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %e = airrt.wait_all : !airrt.event
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%f = %e) -> (!airrt.event) {
        %o = arith.index_cast %k : index to i64
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %o], [1, 1, 1, 1], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
        scf.yield %0 : !airrt.event
      }
      airrt.wait_all %r
      return
    }
  }
}

// -----

// Conditions on constants are decided; L3 memory becomes arguments, but for the copy of a result.
// CHECK-LABEL: aie.runtime_sequence @choices
// CHECK-SAME: (%[[A:.*]]: memref<8xi32>, %[[B:.*]]: memref<8xi32>, %[[C:.*]]: memref<4xi32>)
// CHECK: aiex.dma_configure_task_for @in
// CHECK-NEXT: aie.dma_bd(%[[C]] : memref<4xi32> offset = 0 len = 4
// CHECK: aiex.dma_configure_task_for @in
// CHECK-NEXT: aie.dma_bd(%[[A]] : memref<8xi32> offset = 4 len = 4
// CHECK: aiex.dma_configure_task_for @out
// CHECK-NEXT: aie.dma_bd(%[[B]] : memref<8xi32> offset = 0 len = 8
// CHECK-NOT: dma_configure
#set = affine_set<(d0) : (d0 - 1 >= 0)>
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  func.func @choices(%a: memref<8xi32>, %b: memref<8xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32>
    %n = memref.alloc() : memref<4xi32>
    %v = memref.cast %n : memref<4xi32> to memref<?xi32>
    affine.for %k = 0 to 2 {
      affine.if #set(%k) {
        airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 4], [1, 1, 1, 4], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      } else {
        airrt.dma_memcpy_nd(%i, %z, %z, %v[0, 0, 0, 0], [1, 1, 1, 4], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<?xi32>)
      }
      %is = arith.cmpi eq, %k, %c1 : index
      scf.if %is {
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<8xi32>) : !airrt.event
        airrt.wait_all %0
      }
    }
    memref.copy %m, %b : memref<8xi32> to memref<8xi32>
    return
  }
}

// -----

// Nothing for a device: airrt ops go.
// CHECK-LABEL: func.func @idle
// CHECK-NEXT: return
func.func @idle() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = airrt.alloc : memref<8xi32, 1>
  %e = airrt.wait_all : !airrt.event
  %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%f = %e) -> (!airrt.event) {
    %w = airrt.wait_all %f : !airrt.event
    scf.yield %w : !airrt.event
  }
  airrt.dealloc %m : memref<8xi32, 1>
  return
}

// -----

// Iterations that overlap: each on its side, receivers first, and no more than four of a channel.
// CHECK-LABEL: aie.runtime_sequence @overlap
// CHECK: %[[O0:.*]] = aiex.dma_configure_task_for @out
// CHECK: %[[I0:.*]] = aiex.dma_configure_task_for @in
// CHECK: %[[O1:.*]] = aiex.dma_configure_task_for @out
// CHECK: %[[I1:.*]] = aiex.dma_configure_task_for @in
// CHECK: %[[O2:.*]] = aiex.dma_configure_task_for @out
// CHECK: %[[I2:.*]] = aiex.dma_configure_task_for @in
// CHECK: %[[O3:.*]] = aiex.dma_configure_task_for @out
// CHECK: %[[I3:.*]] = aiex.dma_configure_task_for @in
// CHECK-NOT: await
// CHECK: %[[O4:.*]] = aiex.dma_configure_task_for @out
// CHECK: aiex.dma_await_task(%[[O0]])
// CHECK-NEXT: aiex.dma_start_task(%[[O4]])
// CHECK: %[[I4:.*]] = aiex.dma_configure_task_for @in
// CHECK: aiex.dma_await_task(%[[I0]])
// CHECK-NEXT: aiex.dma_start_task(%[[I4]])
// CHECK-NEXT: aiex.dma_await_task(%[[O1]])
// CHECK-NEXT: aiex.dma_await_task(%[[O2]])
// CHECK-NEXT: aiex.dma_await_task(%[[O3]])
// CHECK-NEXT: aiex.dma_await_task(%[[O4]])
// CHECK-NEXT: aiex.dma_free_task(%[[I1]])
// CHECK-NEXT: aiex.dma_free_task(%[[I2]])
// CHECK-NEXT: aiex.dma_free_task(%[[I3]])
// CHECK-NEXT: aiex.dma_await_task(%[[I4]])
// CHECK-NEXT: }
#map = affine_map<(d0) -> (d0 * 8)>
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
  }
  func.func @overlap(%a: memref<64xi32>, %b: memref<64xi32>) {
    %i = arith.constant 1 : i32
    %z = arith.constant 0 : i64
    affine.for %k = 0 to 5 {
      %at = affine.apply #map(%k)
      %o = arith.index_cast %at : index to i64
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, %o], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      %1 = airrt.dma_memcpy_nd(%i, %z, %z, %b[0, 0, 0, %o], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      %w = airrt.wait_all %0, %1 {air.iteration_end} : !airrt.event
    }
    airrt.wait_all {air.launch_end}
    return
  }
}
