// Two examples that take longer: sums of bf16 products, a convolution.
// REQUIRES: !sanitize
// RUN: for name in matmul_bf16 conv2d; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 \
// RUN:     %S/../../../examples/npu/$name.mlir || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-2: arguments are as in the interpreter, bit by bit
