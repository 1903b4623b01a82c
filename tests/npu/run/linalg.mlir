// From linalg to bytes: whole numbers, soft floats, bf16, several launches with memory between them.
// The larger ones are in scripts/prove_npu.py.
// REQUIRES: !sanitize
// RUN: for name in vector_add matvec matmul_i8 matmul_f32 softmax; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:3 \
// RUN:     %S/../../../examples/npu/$name.mlir || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-5: arguments are as in the interpreter, bit by bit
