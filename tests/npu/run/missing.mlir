// Examples that do not become images yet, and why. When one does, move it to examples.mlir.
// RUN: not airlite-compile %S/../../../examples/npu/elementwise.mlir --target=npu1 -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHANNELS
// RUN: not airlite-compile %S/../../../examples/npu/layer_norm.mlir --target=npu1 -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: error: 'aie.core' op gets from {{[35]}} channels, but its tile has 2 DMA channels
// RUN: test ! -e %t
