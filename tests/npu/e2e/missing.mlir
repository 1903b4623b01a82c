// Examples that do not become images yet, and why. When one does, move it to examples.mlir.
// RUN: not airlite-compile %S/../../../examples/npu/softmax.mlir --target=npu1 -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXP
// RUN: not airlite-compile %S/../../../examples/npu/attention_small.mlir --target=npu1 -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXP
// EXP: error: 'math.exp' op not supported in a core: no routine for floats
// RUN: not airlite-compile %S/../../../examples/npu/elementwise.mlir --target=npu1 -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHANNELS
// RUN: not airlite-compile %S/../../../examples/npu/layer_norm.mlir --target=npu1 -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: error: 'aie.core' op gets from {{[35]}} channels, but its tile has 2 DMA channels
// RUN: test ! -e %t
