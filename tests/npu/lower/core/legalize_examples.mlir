// The examples come down to what code can be generated for, with and without vectors; sums of the
// matrix unit need it.
// RUN: for name in attention_small batch_matmul conv2d matmul_bf16 matmul_f32 matmul_i8 matmul_i16 \
// RUN:     matmul_i32 matvec softmax vector_add; do \
// RUN:   for vectors in false true; do \
// RUN:     airlite-opt %S/../../../../examples/npu/$name.mlir --pipeline="air-npu{exact=$([ $vectors = true ] && echo false || echo true)}" \
// RUN:       --air-to-aie='device=npu1 emit-while-loop=true' \
// RUN:       --air-aie-legalize-core=vectorize=$vectors --emit=none || exit 1; \
// RUN: done; done
// RUN: airlite-opt %S/../../../../examples/npu/vector_add.mlir --pipeline=air-npu \
// RUN:   --air-to-aie='device=npu1 emit-while-loop=true' --air-aie-legalize-core=vectorize=true | FileCheck %s

// CHECK: aie.core
// CHECK: scf.for %{{.*}} = %c0 to %c256 step %c16
// CHECK: vector.load
// CHECK: arith.addf %{{.*}} : vector<16xf32>
