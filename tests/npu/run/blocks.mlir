// Blocks of networks, as linalg text without options: what their cores and launches make is what the interpreter makes.
// REQUIRES: !sanitize
// RUN: for name in mlp bottleneck cnn; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 %S/../../../examples/blocks/$name.mlir || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-3: arguments are as in the interpreter, bit by bit
