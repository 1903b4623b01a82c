// Examples that do not become images yet, and why. When one does, move it to examples.mlir.
// RUN: for name in elementwise layer_norm; do \
// RUN:   not airlite-compile %S/../../../examples/npu/$name.mlir --target=npu1 -o %t || exit 1; \
// RUN: done 2>&1 | FileCheck %s
// CHECK-COUNT-2: error: 'aie.core' op gets from {{[35]}} channels, but its tile has 2 DMA channels
// RUN: test ! -e %t
