// A core tile that the host configures by packets: they come with the data of the program, write its memory, and let its
// DMA go. The first request writes four words at 0x400, the second one the value of lock 0 (0x1F000).
// RUN: python3 %S/Inputs/control_words.py %t.in.npy %t.out.npy
// RUN: airlite-compile %s --target=npu1 -o %t.d
// RUN: airlite-run --on=sim %t.d --input 0=%t.in.npy --expect 1=%t.out.npy
// RUN: airlite-run --on=sim %t.d --input 0=%t.in.npy --expect 1=%t.out.npy --reverse-tiles
// What packets write is not known to the check for hangs.
// RUN: airlite-opt %s --aie-verify-progress --remarks --emit=none 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}packets that write registers of a tile
aie.device(npu1) @controlled {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %go = aie.lock(%tile, 0) {init = 0 : i32}
  %data = aie.buffer(%tile) {address = 1024 : i32, sym_name = "data"} : memref<4xi32> = dense<0>
  aie.mem(%tile) {
    aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    aie.use_lock(%go, AcquireGreaterEqual)
    aie.dma_bd(%data : memref<4xi32>)
    aie.next_bd ^end
  ^end:
    aie.end
  }
  aie.packet_flow(5) {
    aie.packet_source<%shim, DMA : 0>
    aie.packet_dest<%tile, TileControl : 0>
  }
  aie.flow(%tile, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @control(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @run(%words: memref<7xi32>, %result: memref<4xi32>) {
    %take = aiex.dma_configure_task_for @out {
      aie.dma_bd(%result : memref<4xi32>)
      aie.end
    } {issue_token = true}
    %send = aiex.dma_configure_task_for @control {
      aie.dma_bd(%words : memref<7xi32>) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 5>}
      aie.end
    }
    aiex.dma_start_task(%take)
    aiex.dma_start_task(%send)
    aiex.dma_await_task(%take)
  }
}
