// The designs of examples/npu_designs compute what their references say, in several orders of what
// may run at the same time; the checker finds nothing; they become designs of tiles.
// RUN: for case in passthrough:1 transpose:1 vector_add:2 elementwise_l2:1 broadcast:1 two_herds:1 \
// RUN:     cascade:1 packet_gather:1 padding:1 matmul_one_core:2 matmul_4x4:2 two_launches:2; do \
// RUN:   name=${case%:*}; output=${case#*:}; design=%S/../../examples/npu_designs/$name.mlir; \
// RUN:   airlite-run %S/../../examples/npu_designs/reference/reference.mlir --function=$name \
// RUN:     --on=interp --init=random:3 --output $output=%T/$name.npy || exit 1; \
// RUN:   for seed in 0 1 2; do \
// RUN:     airlite-run $design --on=interp --init=random:3 --seed=$seed \
// RUN:       --expect $output=%T/$name.npy || exit 1; \
// RUN:   done; \
// RUN:   airlite-opt $design --air-verify-program --emit=none || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-36: is as expected in {{.*}}: {{[0-9]+}} elements, all with the same bits

// RUN: for name in passthrough transpose padding vector_add elementwise_l2 broadcast \
// RUN:     two_herds cascade packet_gather matmul_one_core matmul_4x4 two_launches; do \
// RUN:   airlite-opt %S/../../examples/npu_designs/$name.mlir --emit=none \
// RUN:     --air-to-aie='device=npu1 row-offset=2 col-offset=0 emit-while-loop=true' || exit 1; \
// RUN: done

// A segment without cores: the memory tile is the first tile of the design.
// RUN: airlite-opt %S/../../examples/npu_designs/transpose.mlir --air-to-aie=device=npu1 \
// RUN:   | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: aie.device(npu1) @transpose {
// TRANSPOSE-NEXT: %[[MEM:.*]] = aie.logical_tile<MemTile>(?, ?)
// TRANSPOSE: aie.dma_bd(%{{.*}} : memref<64x32xi32, 1> offset = 0 len = 2048 sizes = [32, 64] strides = [1, 32])
