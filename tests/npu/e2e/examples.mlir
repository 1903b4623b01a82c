// The examples from linalg to the bytes that a driver loads, on the simulated array: whole numbers,
// soft floats, bf16, several launches with memory between them. What comes out is what the
// interpreter computes, bit by bit. scripts/prove_npu.py does it with more data and random programs.
// REQUIRES: !sanitize
// RUN: for name in matvec matmul_i32 matmul_i8 matmul_f32 matmul_bf16 batch_matmul conv2d softmax \
// RUN:     attention_small; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 \
// RUN:     %S/../../../examples/npu/$name.mlir || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-9: arguments are as in the interpreter, bit by bit
// Other data, and the tiles of a cycle stepped in the other order: nothing depends on it. Here by
// the files that airlite-compile writes.
// RUN: for name in vector_add matmul_i16; do \
// RUN:   airlite-compile %S/../../../examples/npu/$name.mlir --target=npu1 -o %t.$name && \
// RUN:   airlite-run %S/../../../examples/npu/$name.mlir --on=interp --init=random:2 \
// RUN:     --output 2=%t.$name.npy && \
// RUN:   airlite-run --on=sim %t.$name --init=random:2 --reverse-tiles \
// RUN:     --expect 2=%t.$name.npy || exit 1; \
// RUN: done
