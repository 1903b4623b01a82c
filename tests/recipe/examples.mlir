// Every example of examples/npu goes through the recipe: nothing that is computed is left outside of
// a herd, the checker has nothing to say, and each pass keeps what the functions compute
// (scripts/prove_examples.py does it with 20 schedules and more options).
// RUN: for name in attention_small batch_matmul conv2d elementwise layer_norm matmul_bf16 matmul_f32 \
// RUN:     matmul_i8 matmul_i16 matmul_i32 matvec softmax vector_add; do \
// RUN:   airlite-opt %S/../../examples/npu/$name.mlir --pipeline=air-npu --check-each \
// RUN:     --check-schedules=1 --air-verify-program -o %t.mlir || exit 1; \
// RUN:   ! grep -q "memref.copy" %t.mlir && ! grep -q "air.dma_memcpy_nd" %t.mlir || exit 1; \
// RUN: done
// The LLaMA-2 block of the paper is too long for the interpreter in a test: it is checked, not run.
// RUN: airlite-opt %S/../../examples/npu/attention.mlir --pipeline=air-npu --air-verify-program -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// Two products, and the softmax between them.
// CHECK-COUNT-3: air.herd {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
func.func @none() { return }
