// Two cores send to one channel of a memory tile, which receives out of order: where a packet goes
// says its header. The host gets the parts in the order of the descriptors, whoever came first; the
// core (0,3) waits for a lock that the host sets when the other's packet has long come.
// RUN: airlite-compile %s --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=zero --output 0=%t.npy
// RUN: airlite-run --on=interp %S/Inputs/count_parts.mlir --expect 0=%t.npy
// RUN: airlite-run --on=sim %t.out --init=zero --reverse-tiles --expect 0=%t.npy
// RUN: airlite-inspect %t.out/gather.xclbin | FileCheck %s
// CHECK: (0,1)+DMA_BD5_0
// CHECK: (0,2)+DMA_BD0_0
// CHECK: Out_Of_Order_BD_ID=7
// CHECK: (0,1)+DMA_S2MM_0_Ctrl Enable_Out_of_Order=1
// CHECK-NEXT: (0,1)+DMA_S2MM_0_Start_Queue
aie.device(npu1) @gather {
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %first = aie.tile(0, 2)
  %second = aie.tile(0, 3)
  %came = aie.lock(%mem) {init = 0 : i32}
  %go = aie.lock(%first, 0) {init = 0 : i32}
  %all = aie.buffer(%mem) {sym_name = "all"} : memref<64xi32>
  %low = aie.buffer(%first) {sym_name = "low"} : memref<32xi32> = dense<1>
  %high = aie.buffer(%second) {sym_name = "high"} : memref<32xi32> = dense<2>
  aie.mem(%first) {
    aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    aie.use_lock(%go, AcquireGreaterEqual)
    aie.dma_bd(%low : memref<32xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 1>, out_of_order_id = 7 : i32}
    aie.next_bd ^end
  ^end:
    aie.end
  }
  aie.mem(%second) {
    aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    aie.dma_bd(%high : memref<32xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 2>, out_of_order_id = 5 : i32}
    aie.next_bd ^end
  ^end:
    aie.end
  }
  aie.memtile_dma(%mem) {
    aie.dma_start(S2MM, 0, ^in0, ^next, repeat_count = 1) {out_of_order}
  ^in0:
    aie.dma_bd(%all : memref<64xi32> offset = 0 len = 32) {bd_id = 7 : i32}
    aie.use_lock(%came, Release)
    aie.next_bd ^in1
  ^in1:
    aie.dma_bd(%all : memref<64xi32> offset = 32 len = 32) {bd_id = 5 : i32}
    aie.use_lock(%came, Release)
    aie.next_bd ^end
  ^next:
    aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    %two = arith.constant 2 : i32
    aie.use_lock(%came, AcquireGreaterEqual, %two)
    aie.dma_bd(%all : memref<64xi32>)
    aie.next_bd ^end
  ^end:
    aie.end
  }
  aie.packet_flow(1) {
    aie.packet_source<%first, DMA : 0>
    aie.packet_dest<%mem, DMA : 0>
  } {keep_pkt_header = true}
  aie.packet_flow(2) {
    aie.packet_source<%second, DMA : 0>
    aie.packet_dest<%mem, DMA : 0>
  } {keep_pkt_header = true}
  aie.flow(%mem, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @run(%out: memref<64xi32>) {
    %lock0 = arith.constant 126976 : i32
    %one = arith.constant 1 : i32
    %take = aiex.dma_configure_task_for @out {
      aie.dma_bd(%out : memref<64xi32>)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%take)
    aiex.npu.write32(%lock0, %one) {column = 0 : i32, row = 2 : i32} : i32, i32
    aiex.dma_await_task(%take)
  }
}
