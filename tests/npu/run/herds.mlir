// Ops that need more DMA channels on herds of 4 x 4 than there are get smaller ones, and run. A sum of products on top of
// what is there: rows of %a and of %c share a DMA channel of each core, and each core has its rows
// of %a in parts while all wait for the same columns of %b.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit

// RUN: airlite-compile %s --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: herds.mlir:[[#@LINE+12]]:3: remark: herds are 4,1 at most, since with 4,4: 'aie.core' op gets from 3 channels, but its tile has 2 DMA channels in this direction

// The user's own passes are the last word.
// RUN: not airlite-compile %s --target=npu1 --pipeline=air-npu -o %t.none 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: 'aie.core' op gets from 3 channels

// RUN: for name in elementwise layer_norm; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:3 \
// RUN:     %S/../../../examples/npu/$name.mlir || exit 1; \
// RUN: done | FileCheck %s --check-prefix=EXAMPLES
// EXAMPLES-COUNT-2: arguments are as in the interpreter, bit by bit
func.func @main(%a: memref<16x512xi32>, %b: memref<512x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x512xi32>, memref<512x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
