// The examples go from linalg to the tiles of a device.
// RUN: airlite-opt %S/../../../examples/npu/matmul_i32.mlir --pipeline=air-npu --air-to-aie='device=npu1 emit-while-loop=true' | FileCheck %s --check-prefix=MATMUL
// RUN: for name in attention attention_small batch_matmul conv2d matmul_bf16 matmul_f32 matmul_i8 \
// RUN:     matmul_i16 matvec softmax vector_add; do \
// RUN:   airlite-opt %S/../../../examples/npu/$name.mlir --pipeline=air-npu \
// RUN:     --air-to-aie='device=npu1 emit-while-loop=true' --emit=none || exit 1; \
// RUN: done

// Sixteen cores, four memory tiles; the matrices come by two channels of each shim.
// MATMUL: aie.device(npu1)
// MATMUL-COUNT-4: aie.logical_tile<MemTile>
// MATMUL-COUNT-4: aie.logical_tile<ShimNOCTile>
// MATMUL-COUNT-16: aie.core
// MATMUL-COUNT-4: aie.memtile_dma
// MATMUL: aie.shim_dma_allocation
// MATMUL: air.channel.put{{.*}}metadataArray
