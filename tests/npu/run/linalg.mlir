// The examples from linalg to the bytes that a driver loads, on the simulated array: whole numbers,
// soft floats, several launches with memory between them. What comes out is what the interpreter
// computes, bit by bit. scripts/prove_npu.py does it with more data and random programs.
// REQUIRES: !sanitize
// RUN: for name in vector_add matvec matmul_i8 matmul_f32 softmax; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:3 \
// RUN:     %S/../../../examples/npu/$name.mlir || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-5: arguments are as in the interpreter, bit by bit
