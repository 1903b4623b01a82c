// RUN: airlite-opt %s --air-dma-to-channel 2>&1 | FileCheck %s
// RUN: airlite-opt %s --air-dma-to-channel=shim-dma-channels-per-col=3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: airlite-opt %s --air-dma-to-channel="shim-dma-channels-per-col=9 force-shim-packet-flow" 2>&1 | FileCheck %s --check-prefix=FORCE
// RUN: airlite-opt %s --air-dma-to-channel="shim-dma-channels-per-col=9 force-packet-inputs" 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: not airlite-opt %s --air-dma-to-channel=shim-dma-channels-per-col=few 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: expected an integer

// Three channels from L3 to cores, one back: only the three are too many. A broadcast over two
// columns counts a half. What goes by L2 does not count.
// CHECK: warning: 3 input channels of its cores get packet flow: a shim column would need 3 DMAs and has 2
// CHECK: air.channel @channel_0 [2, 1] {channel_type = "npu_dma_packet"}
// CHECK: air.channel @channel_1 [2, 1] {channel_type = "npu_dma_packet"}
// CHECK: air.channel @channel_2 [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet"}
// CHECK: air.channel @channel_3 [2, 1]{{$}}
// CHECK: air.channel @channel_4 []{{$}}
// THREE-NOT: npu_dma_packet
// THREE: return
// FORCE-NOT: warning
// FORCE: air.channel @channel_2 [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet"}
// FORCE: air.channel @channel_3 [2, 1] {channel_type = "npu_dma_packet"}
// FORCE: air.channel @channel_4 []{{$}}
// INPUTS-NOT: warning
// INPUTS: air.channel @channel_2 [1, 1] {broadcast_shape = [2, 1], channel_type = "npu_dma_packet"}
// INPUTS: air.channel @channel_3 [2, 1]{{$}}
// INPUTS: air.channel @channel_4 []{{$}}
#both = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 == 0)>
func.func @f(%m: memref<8xi32>, %n: memref<8xi32>) {
  air.launch () in () args(%a=%m, %b=%n) : memref<8xi32>, memref<8xi32> {
    air.segment @s args(%c=%a, %d=%b) : memref<8xi32>, memref<8xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%e=%c, %f=%d) : memref<8xi32>, memref<8xi32> {
        %l1 = memref.alloc() : memref<1xi32, 2>
        air.dma_memcpy_nd (%l1[] [] [], %e[%x] [1] [1]) : (memref<1xi32, 2>, memref<8xi32>)
        air.dma_memcpy_nd (%l1[] [] [], %e[%x] [1] [1]) : (memref<1xi32, 2>, memref<8xi32>)
        affine.if #both()[%x, %y] {
          air.dma_memcpy_nd (%l1[] [] [], %e[0] [1] [1]) {broadcast_set = #both} : (memref<1xi32, 2>, memref<8xi32>)
        }
        air.dma_memcpy_nd (%f[%x] [1] [1], %l1[] [] []) : (memref<8xi32>, memref<1xi32, 2>)
      }
      %l2 = memref.alloc() : memref<8xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %c[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    }
  }
  return
}
