// RUN: airlite-opt %s --airrt-to-npu='trace-size=1024 trace-offset=64' | FileCheck %s
// RUN: not airlite-opt %s --airrt-to-npu='trace-size=6' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: airrt-to-npu: trace-size and trace-offset count bytes of words
// RUN: airlite-opt %s --airrt-to-npu | FileCheck %s --check-prefix=OFF
// OFF-NOT: aiex.npu.write

// The trace of a core goes to the buffer after the arguments by channel 1 of the shim's DMA, which
// begins at its last descriptor; the shim's event starts all of them.
// CHECK: aie.runtime_sequence @traced
// CHECK-NEXT: %[[TIMER:.*]] = arith.constant 212992 : i32
// CHECK-NEXT: %[[RESET:.*]] = arith.constant 31232 : i32
// CHECK-NEXT: aiex.npu.write32(%[[TIMER]], %[[RESET]]) {column = 1 : i32, row = 3 : i32}
// CHECK: arith.constant 213204 : i32
// CHECK-NEXT: arith.constant 5 : i32
// CHECK: aiex.npu.writebd {bd_id = 15 : i32, buffer_length = 256 : i32, buffer_offset = 64 : i32, column = 1 : i32
// CHECK-SAME: packet_id = 5 : i32
// CHECK: %[[PLUS:.*]] = arith.constant 64 : i32
// CHECK-NEXT: aiex.npu.address_patch(%[[PLUS]] : i32) {addr = 33673700 : ui32, arg_idx = 1 : i32}
// CHECK: %[[QUEUE:.*]] = arith.constant 119308 : i32
// CHECK-NEXT: %[[BD:.*]] = arith.constant 15 : i32
// CHECK-NEXT: aiex.npu.write32(%[[QUEUE]], %[[BD]]) {column = 1 : i32, row = 0 : i32}
// CHECK-COUNT-3: aiex.npu.write32({{.*}}) {column = 1 : i32, row = 0 : i32}
// CHECK-NEXT: aiex.dma_configure_task_for @in
module {
  aie.device(npu1) @seg {
    %shim = aie.tile(1, 0)
    %tile = aie.tile(1, 3)
    aie.packet_flow(5) {
      aie.packet_source<%tile, Trace : 0>
      aie.packet_dest<%shim, DMA : 1>
    } {keep_pkt_header = true}
    aie.shim_dma_allocation @in(%shim, MM2S, 0)
    func.func @traced(%a: memref<8xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
      return
    }
  }
}
