// Constant globals of the host are memory that the program brings along: a file beside the images
// for each, which the host puts into a buffer before the runs.

// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s
// RUN: airlite-run --on=interp %s --init=random:3 --output 2=%t.npy
// RUN: airlite-compile --target=npu1 %s -o %t.d && airlite-run --on=sim %t.d --init=random:3 --expect 2=%t.npy
// RUN: FileCheck %s --input-file=%t.d/manifest.json
// CHECK: "scratch": [
// CHECK: "contents": "weights.bin"
// CHECK: "contents": "ones.bin"

// A file of another size is refused before anything runs.
// RUN: printf 'abc' > %t.d/ones.bin
// RUN: not airlite-run --on=sim %t.d --init=random:3 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: 'ones.bin' has 3 bytes, its buffer 64

memref.global "private" constant @weights : memref<16x8xi32> = dense<[
  [1, 2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 5, 6, 7, 8, 9], [-1, -2, -3, -4, -5, -6, -7, -8],
  [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0],
  [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 0, 0],
  [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1], [9, 9, 9, 9, 9, 9, 9, 9],
  [1, 1, 1, 1, 1, 1, 1, 1], [3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8],
  [100, 200, 300, 400, 500, 600, 700, 800]]>
memref.global "private" constant @ones : memref<16xi32> = dense<1>

func.func @main(%a: memref<8x16xi32>, %v: memref<16xi32>, %c: memref<8x8xi32>,
                %d: memref<16xi32>) {
  %zero = arith.constant 0 : i32
  %w = memref.get_global @weights : memref<16x8xi32>
  linalg.fill ins(%zero : i32) outs(%c : memref<8x8xi32>)
  linalg.matmul ins(%a, %w : memref<8x16xi32>, memref<16x8xi32>) outs(%c : memref<8x8xi32>)
  %one = memref.get_global @ones : memref<16xi32>
  linalg.add ins(%v, %one : memref<16xi32>, memref<16xi32>) outs(%d : memref<16xi32>)
  %again = memref.get_global @ones : memref<16xi32>
  linalg.sub ins(%d, %again : memref<16xi32>, memref<16xi32>) outs(%d : memref<16xi32>)
  return
}
