// Each instance of a segment is a design of its own; what depends on its ids is decided.
// RUN: airlite-opt %s --air-to-aie='device=npu2 row-offset=2 col-offset=0' | FileCheck %s
// CHECK: aie.device(npu2) @half_0
// CHECK: aie.flow
// CHECK: aie.shim_dma_allocation @air_left(
// CHECK: } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
// CHECK: aie.device(npu2) @half_1
// CHECK: aie.flow
// CHECK: aie.shim_dma_allocation @air_right(
// CHECK: } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
// What the devices are is told in front of the program.
// CHECK-NEXT: airrt.module_metadata
// CHECK: func.func @main
// CHECK: air.segment @half_0 async
// CHECK: air.segment @half_1 async
air.channel @left [1]
air.channel @right [1]
func.func @main(%x: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %p0 = air.channel.put async @left[%c0] (%x[] [] []) : (memref<32xi32>)
  %p1 = air.channel.put async @right[%c0] (%x[] [] []) : (memref<32xi32>)
  %c2 = arith.constant 2 : index
  air.segment @half unroll(%k) in (%n = %c2) {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %l2 = memref.alloc() : memref<32xi32, 1>
    %isFirst = arith.cmpi eq, %k, %k0 : index
    scf.if %isFirst {
      %g = air.channel.get async @left[%k0] (%l2[] [] []) : (memref<32xi32, 1>)
    } else {
      %g = air.channel.get async @right[%k0] (%l2[] [] []) : (memref<32xi32, 1>)
    }
    air.herd @h tile (%tx, %ty) in (%nx = %k1, %ny = %k1) {
    }
  }
  return
}
