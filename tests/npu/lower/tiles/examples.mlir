// The examples go from linalg to the tiles of a device.
// RUN: airlite-opt %S/../../../../examples/npu/matmul_i32.mlir --pipeline='air-npu{reuse=false}' --air-to-aie='device=npu1 emit-while-loop=true' | FileCheck %s --check-prefix=MATMUL
// RUN: for name in attention attention_small batch_matmul conv2d matmul_bf16 matmul_f32 matmul_i8 \
// RUN:     matmul_i16 matvec softmax vector_add; do \
// RUN:   airlite-opt %S/../../../../examples/npu/$name.mlir --pipeline=air-npu \
// RUN:     --air-to-aie='device=npu1 emit-while-loop=true' \
// RUN:     --air-to-std --airrt-to-npu --emit=none || exit 1; \
// RUN: done

// Sixteen cores, four memory tiles; the matrices come by two channels of each shim.
// MATMUL: aie.device(npu1)
// MATMUL-COUNT-4: aie.logical_tile<MemTile>
// MATMUL-COUNT-4: aie.logical_tile<ShimNOCTile>
// MATMUL-COUNT-16: aie.core
// MATMUL-COUNT-4: aie.memtile_dma
// MATMUL: aie.shim_dma_allocation
// MATMUL: air.channel.put{{.*}}metadataArray

// The host side: what comes back first, then two matrices in four parts; all is through at the end.
// RUN: airlite-opt %S/../../../../examples/npu/matmul_i32.mlir --pipeline='air-npu{reuse=false}' --air-to-aie='device=npu1 emit-while-loop=true' --air-to-std --airrt-to-npu | FileCheck %s --check-prefix=HOST
// HOST: aie.runtime_sequence @main(%{{.*}}: memref<64x32xi32>, %{{.*}}: memref<32x64xi32>, %{{.*}}: memref<64x64xi32>) {
// HOST-COUNT-4: aie.dma_bd(%{{.*}} : memref<64x64xi32>
// HOST-COUNT-4: aie.dma_bd(%{{.*}} : memref<64x32xi32>
// HOST-COUNT-4: aie.dma_bd(%{{.*}} : memref<32x64xi32>
// HOST-COUNT-12: aiex.dma_await_task
// HOST-NEXT: }
// HOST-NOT: func.func

// Several launches are several designs, and a sequence that loads one after the other.
// RUN: airlite-opt %S/../../../../examples/npu/attention_small.mlir --pipeline=air-npu --air-to-aie='device=npu1 emit-while-loop=true' --air-to-std --airrt-to-npu | FileCheck %s --check-prefix=STEPS
// STEPS-COUNT-3: aie.runtime_sequence @main_
// STEPS: aie.runtime_sequence @main(
// STEPS-COUNT-3: aiex.run
