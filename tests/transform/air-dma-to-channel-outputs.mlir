// RUN: airlite-opt %s --air-dma-to-channel 2>&1 | FileCheck %s

// Three outputs of each core to L2 share a DMA; an output of one core only does not count, nor do two.
// CHECK: warning: 3 output channels of its cores get packet flow: a core would need 3 DMAs that send and has 2
// CHECK-DAG: air.channel @channel_0 [1, 1] {channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @channel_1 [1, 1] {channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @channel_2 [1, 1] {channel_type = "npu_dma_packet"}
// CHECK-DAG: air.channel @channel_3 [1, 1]{{$}}
// CHECK-DAG: air.channel @channel_4 [1, 1]{{$}}
func.func @outputs() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %l2 = memref.alloc() : memref<8xi32, 1>
    %m2 = memref.alloc() : memref<8xi32, 1>
    %n2 = memref.alloc() : memref<8xi32, 1>
    air.herd @three tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%e=%l2, %f=%m2, %g=%n2) : memref<8xi32, 1>, memref<8xi32, 1>, memref<8xi32, 1> {
      %l1 = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%e[] [] [], %l1[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
      air.dma_memcpy_nd (%f[] [] [], %l1[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
      air.dma_memcpy_nd (%g[] [] [], %l1[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
    }
    air.herd @two tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%e=%l2, %f=%m2) : memref<8xi32, 1>, memref<8xi32, 1> {
      %l1 = memref.alloc() : memref<8xi32, 2>
      air.dma_memcpy_nd (%e[] [] [], %l1[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
      air.dma_memcpy_nd (%f[] [] [], %l1[] [] []) : (memref<8xi32, 1>, memref<8xi32, 2>)
    }
  }
  return
}
