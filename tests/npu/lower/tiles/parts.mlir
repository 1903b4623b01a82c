// A core adds products to what is in L2: its gets of %c, in front of the loop, and of its rows of %a, in the loop, share a
// DMA channel, since one memory tile sends them in this order.
// RUN: airlite-opt %s --pipeline='air-npu{herd=4,1 reuse=false l2-tile=0,0,512}' --air-to-aie='device=npu1 emit-while-loop=true' | FileCheck %s
func.func @main(%a: memref<16x512xi32>, %b: memref<512x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x512xi32>, memref<512x16xi32>) outs(%c : memref<16x16xi32>)
  return
}

// One descriptor for %c, eight for %a in two buffers by turns.
// CHECK: aie.mem(%tile_0_2) {
// CHECK: aie.dma_start(S2MM, 0
// CHECK: aie.dma_bd(%[[ACC:.*]] : memref<4x1x4x4xi32, 2 : i32>
// CHECK-COUNT-8: aie.dma_bd(%{{.*}} : memref<16x1x4x4xi32, 2 : i32>
// CHECK-NOT: aie.dma_bd(%{{.*}} : memref<16x1x4x4xi32
// CHECK: aie.core(%tile_0_2)

// A core takes a row of %a in eight parts, and all cores need each part of %b: the memory tile sends to the next core when
// the first part is gone, and what fills the buffer anew waits for all four.
// CHECK: aie.memtile_dma
// CHECK: aie.dma_bd(%[[A:.*]] : memref<16x512xi32, 1 : i32> offset = 0 len = 64 sizes = [4, 4, 4]
// CHECK: aie.use_lock(%{{.*}}, Release
// CHECK-NEXT: aie.next_bd ^bb[[#REST:]]
// CHECK-NEXT: ^bb[[#REST]]:
// CHECK-NEXT: aie.dma_bd(%[[A]] : memref<16x512xi32, 1 : i32> offset = 16 len = 1984 sizes = [124, 4, 4]
// CHECK: aie.use_lock(%[[SENT:.*]], Release
// CHECK: aie.dma_start(S2MM
// CHECK: aie.use_lock(%[[SENT]], AcquireGreaterEqual, %c4_i32)
// CHECK-NEXT: aie.dma_bd(%[[A]] : memref<16x512xi32, 1 : i32>
