// The GEMM of the case study on a herd of 4 x 4: what has to be true of the program at the end of the
// recipe (docs/recipe.md). Facts, not a text.
// RUN: airlite-opt %s --pipeline='air-npu{herd=4,4 l1-tile=32,32,32 l2-tile=0,0,256}' -o %t.mlir
// RUN: airlite-opt %t.mlir --air-verify-program --emit=none

// A goes to the cores of a row, B to those of a column: one put for four cores.
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=BROADCAST
// BROADCAST-COUNT-4: broadcast_shape = [1, 4]
// BROADCAST-COUNT-4: broadcast_shape = [4, 1]

// L2 buffers are split by four, one part per column of memory tiles: no buffer of all that a launch moves
// is left. C is split along its rows, so that the tile of a core is contiguous in a part.
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=SPLIT
// SPLIT-NOT: memref<128x{{128|256}}xi32, 1
// SPLIT: memref.alloc() : memref<128x32xi32, 1
// SPLIT-NOT: memref<128x{{128|256}}xi32, 1

// Each core works on one pair of buffers while the other is filled: four tokens go round.
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PINGPONG
// PINGPONG: air.herd
// PINGPONG: scf.for {{.*}} iter_args(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token)

// The herd has its place.
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=PLACE
// PLACE: air.segment {{.*}}x_loc = 0 : i64, x_size = 4 : i64, y_loc = 2 : i64, y_size = 4 : i64
// PLACE: air.herd @herd_0 {{.*}} in (%{{.*}}=%c4{{[_0-9]*}}, %{{.*}}=%c4{{[_0-9]*}}) {{.*}}x_loc = 0 : i64, y_loc = 2 : i64
func.func @matmul(%a: memref<512x1024xi32>, %b: memref<1024x512xi32>, %c: memref<512x512xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<512x512xi32>)
  linalg.matmul ins(%a, %b : memref<512x1024xi32>, memref<1024x512xi32>)
      outs(%c : memref<512x512xi32>)
  return
}

// One access pattern per transfer: outside of the cores no loop is left but those around the L2
// buffers of A and B, which hold one step of 256 and are two each: one is filled while the other is
// drained.
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=FOLDED
// FOLDED: func.func @matmul
// FOLDED-NOT: scf.for
// FOLDED-NOT: scf.parallel
// FOLDED: air.segment
// RUN: sed -n '/air.segment/,/air.herd/p' %t.mlir > %t.segment
// RUN: FileCheck %s --input-file=%t.segment --check-prefix=L2
// L2-NOT: scf.parallel
// L2-COUNT-8: scf.for {{.*}} step %c512{{.*}} -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token)
// L2-NOT: scf.for
// RUN: grep -c 'alloc().*memref<32x256xi32, 1 ' %t.segment | FileCheck %s --check-prefix=EIGHT
// RUN: grep -c 'alloc().*memref<256x32xi32, 1 ' %t.segment | FileCheck %s --check-prefix=EIGHT
// EIGHT: 8
// RUN: grep 'alloc()' %t.segment | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: x1024xi32
