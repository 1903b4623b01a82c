// RUN: airlite-opt %s --airrt-to-npu='coalesce-shim-dma=true' | FileCheck %s
// RUN: airlite-opt %s --airrt-to-npu='unroll-loops=true' | FileCheck %s --check-prefix=UNROLL

// Ordered transfers of one channel that follow each other are one; a gap, another channel's turn and
// transfers without an order are left.
// CHECK-LABEL: aie.runtime_sequence @join
// CHECK: %[[A:.*]] = aiex.dma_configure_task_for @in
// CHECK-NEXT: offset = 0 len = 16 sizes = [16] strides = [1])
// CHECK: aiex.dma_start_task(%[[A]])
// CHECK-NEXT: aiex.dma_await_task(%[[A]])
// CHECK: offset = 24 len = 8
// CHECK: offset = 32 len = 8
// CHECK: offset = 40 len = 8
// CHECK-NOT: dma_configure
// UNROLL-NOT: scf.for
// UNROLL-COUNT-5: aiex.dma_configure_task_for @in
// UNROLL-NOT: dma_configure
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    func.func @join(%a: memref<64xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      %c32 = arith.constant 32 : index
      %c8 = arith.constant 8 : index
      %c48 = arith.constant 48 : index
      %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in, air.preserve_shim_dma_order} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 8], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in, air.preserve_shim_dma_order} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      %2 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 24], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in, air.preserve_shim_dma_order} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      affine.for %k = 0 to 1 {
        %3 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 32], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      }
      scf.for %k = %c32 to %c48 step %c8 {
        airrt.wait_all
      }
      %4 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 40], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      return
    }
  }
}
