// Every aiex op, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

aie.device(npu2) @segment_0 {
  %shim = aie.tile(0, 0)
  %core = aie.tile(0, 2)
  %lock = aie.lock(%core, 0) {init = 0 : i32, sym_name = "go"}
  %rtp = aie.buffer(%core) {sym_name = "rtp"} : memref<4xi32>
  aie.shim_dma_allocation @air_in(%shim, MM2S, 0)
  aie.shim_dma_allocation @air_out(%shim, S2MM, 0)
  // CHECK: aie.runtime_sequence @run(%arg0: memref<64x64xbf16>, %arg1: memref<*xf32>, %arg2: i32) {
  aie.runtime_sequence @run(%arg0: memref<64x64xbf16>, %arg1: memref<*xf32>, %arg2: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %n = arith.constant 2 : i64
    // CHECK: %0 = aiex.dma_configure_task_for @air_in {
    // CHECK-NEXT: aie.dma_bd(%arg0 : memref<64x64xbf16> offset = 0 len = 512 sizes = [4, 2, 16, 16] strides = [1024, 16, 64, 1])
    // CHECK-NEXT: aie.end
    // CHECK-NEXT: } {repeat_count = 3 : i32}
    %t0 = aiex.dma_configure_task_for @air_in {
      aie.dma_bd(%arg0 : memref<64x64xbf16> offset = 0 len = 512 sizes = [4, 2, 16, 16] strides = [1024, 16, 64, 1])
      aie.end
    } {repeat_count = 3 : i32}
    // CHECK-NEXT: aiex.dma_start_task(%0)
    aiex.dma_start_task(%t0)
    // CHECK-NEXT: %1 = aiex.dma_configure_task_for @air_out repeat %arg2 : i32 {
    // CHECK-NEXT: aie.dma_bd(%arg1 : memref<*xf32> offset = %arg2 len = %arg2 sizes = [%c2_i64, 16] strides = [16, 1]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
    // CHECK-NEXT: aie.next_bd ^bb1
    // CHECK-NEXT: ^bb1:
    // CHECK-NEXT: aie.dma_bd(%arg1 : memref<*xf32> offset = 0 len = 8)
    // CHECK-NEXT: aie.end
    // CHECK-NEXT: } {issue_token = true}
    %t1 = aiex.dma_configure_task_for @air_out repeat %arg2 : i32 {
      aie.dma_bd(%arg1 : memref<*xf32> offset = %arg2 len = %arg2 sizes = [%n, 16] strides = [16, 1]) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>}
      aie.next_bd ^bb1
    ^bb1:
      aie.dma_bd(%arg1 : memref<*xf32> offset = 0 len = 8)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%t1)
    // CHECK: %2 = aiex.dma_configure_task(%shim_noc_tile_0_0, S2MM, 1, #aie.packet_info<pkt_type = 0, pkt_id = 2>) repeat %arg2 : i32 bd_id %c3_i32 : i32 {
    %t2 = aiex.dma_configure_task(%shim, S2MM, 1, #aie.packet_info<pkt_type = 0, pkt_id = 2>) repeat %arg2 : i32 bd_id %c3 : i32 {
      aie.dma_bd(%arg0 : memref<64x64xbf16> offset = 0 len = 64) {bd_id = 7 : i32}
      aie.end
    }
    // CHECK: aiex.dma_free_task(%0)
    // CHECK-NEXT: aiex.dma_await_task(%1)
    aiex.dma_free_task(%t0)
    aiex.dma_await_task(%t1)
    // CHECK-NEXT: aiex.set_lock(%go, 1)
    aiex.set_lock(%lock, 1)
    // CHECK-NEXT: aiex.npu.load_pdi {device_ref = @segment_0}
    aiex.npu.load_pdi {device_ref = @segment_0}
    // CHECK-NEXT: aiex.npu.preempt {level = 1 : ui8}
    aiex.npu.preempt {level = 1 : ui8}
    // CHECK-NEXT: aiex.npu.write32(%c4_i32, %c1_i32) {column = 0 : i32, row = 2 : i32} : i32, i32
    aiex.npu.write32(%c4, %c1) {column = 0 : i32, row = 2 : i32} : i32, i32
    // CHECK-NEXT: aiex.npu.maskwrite32(%c4_i32, %c1_i32, %c3_i32) {buffer = @rtp} : i32, i32, i32
    aiex.npu.maskwrite32(%c4, %c1, %c3) {buffer = @rtp} : i32, i32, i32
    // CHECK: aiex.npu.blockwrite(%alloc) {address = 119300 : ui32} : memref<8xi32>
    %data = memref.alloc() : memref<8xi32>
    aiex.npu.blockwrite(%data) {address = 119300 : ui32} : memref<8xi32>
    // CHECK-NEXT: aiex.npu.rtp_write(@rtp, 3, %c1_i32) : i32
    aiex.npu.rtp_write(@rtp, 3, %c1) : i32
    // CHECK-NEXT: aiex.npu.address_patch(%c0_i32 : i32) {addr = 119268 : ui32, arg_idx = 2 : i32}
    aiex.npu.address_patch(%c0 : i32) {addr = 119268 : ui32, arg_idx = 2 : i32}
    // CHECK-NEXT: aiex.npu.address_patch(%c0_i32 : i32) addr %arg2 : i32 {addr = 0 : ui32, arg_idx = 0 : i32}
    aiex.npu.address_patch(%c0 : i32) addr %arg2 : i32 {addr = 0 : ui32, arg_idx = 0 : i32}
    // CHECK-NEXT: aiex.control_packet {address = 126976 : ui32, data = array<i32: 1024>, length = 1 : i32, opcode = 0 : i32, stream_id = 0 : i32}
    aiex.control_packet {address = 126976 : ui32, data = array<i32: 1024>, length = 1 : i32, opcode = 0 : i32, stream_id = 0 : i32}
    // CHECK-NEXT: aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 16384 : i32, buffer_offset = 65536 : i32, column = 0 : i32
    aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 16384 : i32, buffer_offset = 65536 : i32, column = 0 : i32, d0_size = 0 : i32, d0_stride = 0 : i32, d0_zero_after = 0 : i32, d0_zero_before = 0 : i32, d1_size = 0 : i32, d1_stride = 0 : i32, d1_zero_after = 0 : i32, d1_zero_before = 0 : i32, d2_size = 0 : i32, d2_stride = 0 : i32, d2_zero_after = 0 : i32, d2_zero_before = 0 : i32, enable_packet = 1 : i32, iteration_current = 0 : i32, iteration_size = 0 : i32, iteration_stride = 0 : i32, lock_acq_enable = 0 : i32, lock_acq_id = 0 : i32, lock_acq_val = 0 : i32, lock_rel_id = 0 : i32, lock_rel_val = 0 : i32, next_bd = 0 : i32, out_of_order_id = 0 : i32, packet_id = 0 : i32, packet_type = 3 : i32, row = 0 : i32, use_next_bd = 0 : i32, valid_bd = 1 : i32}
    // CHECK-NEXT: aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %c3_i32 repeat %c0_i32 {issue_token = true} : i32, i32
    aiex.npu.push_queue(0, 0, MM2S : 1) bd_id %c3 repeat %c0 {issue_token = true} : i32, i32
    // CHECK-NEXT: aiex.npu.sync(%c0_i32, %c0_i32, %c0_i32, %c0_i32, %c1_i32, %c1_i32) : i32, i32, i32, i32, i32, i32
    aiex.npu.sync(%c0, %c0, %c0, %c0, %c1, %c1) : i32, i32, i32, i32, i32, i32
    // CHECK-NEXT: aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, %c2_i64][1, 1, 32, 32][0, 0, 64, 1], packet = #aie.packet_info<pkt_type = 0, pkt_id = 4>) {id = 0 : i64, issue_token = true, metadata = @air_in} : memref<64x64xbf16>
    aiex.npu.dma_memcpy_nd(%arg0[0, 0, 0, %n][1, 1, 32, 32][0, 0, 64, 1], packet = #aie.packet_info<pkt_type = 0, pkt_id = 4>) {id = 0 : i64, issue_token = true, metadata = @air_in} : memref<64x64xbf16>
    // CHECK-NEXT: aiex.npu.dma_wait {symbol = @air_out}
    aiex.npu.dma_wait {symbol = @air_out}
  }
}

// CHECK: aie.device(npu2) {
aie.device(npu2) {
  // CHECK-NEXT: aie.runtime_sequence @all(%arg0: memref<64x64xbf16>, %arg1: memref<*xf32>, %arg2: i32) {
  // CHECK-NEXT: aiex.configure @segment_0 {
  // CHECK-NEXT: aiex.run @run(%arg0, %arg1, %arg2) : (memref<64x64xbf16>, memref<*xf32>, i32)
  aie.runtime_sequence @all(%a: memref<64x64xbf16>, %b: memref<*xf32>, %c: i32) {
    aiex.configure @segment_0 {
      aiex.run @run(%a, %b, %c) : (memref<64x64xbf16>, memref<*xf32>, i32)
    }
  }
}
