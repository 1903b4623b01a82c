// Ops that need more DMA channels on herds of 4 x 4 than there are get smaller ones, and run. A sum of
// products on top of what is there: each core reads its part of %c itself, word by word, since its two DMA
// channels get %a and %b.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit

// RUN: airlite-compile %S/depthwise.mlir --function=bytes --target=npu1 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: depthwise.mlir:9:3: remark: compiled by air-npu{herd=2,4 l2-part=12288}, since with air-npu{herd=4,4 l2-part=12288}: 'memref.alloc' op does not fit: it needs 4352 bytes, 21 channels in and 17 out of one memory tile

// The user's own passes are the last word.
// RUN: not airlite-compile %S/depthwise.mlir --function=bytes --target=npu1 --pipeline=air-npu -o %t.none 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: 'memref.alloc' op does not fit

// In one column, rows of %a and of %c share a DMA channel of each core, and each core gets its rows of %a in
// parts while all wait for the same columns of %b.
// RUN: airlite-compile %s --target=npu1 '--pipeline=air-npu{herd=4,1}' -o %t.column
// RUN: airlite-run --on=interp --init=random:1 %s --output 2=%t.npy
// RUN: airlite-run --on=sim %t.column --init=random:1 --expect 2=%t.npy | FileCheck %s --check-prefix=COLUMN
// COLUMN: all with the same bits

// RUN: for name in elementwise layer_norm; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:3 \
// RUN:     %S/../../../examples/npu/$name.mlir || exit 1; \
// RUN: done | FileCheck %s --check-prefix=EXAMPLES
// EXAMPLES-COUNT-2: arguments are as in the interpreter, bit by bit
func.func @main(%a: memref<16x512xi32>, %b: memref<512x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x512xi32>, memref<512x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
