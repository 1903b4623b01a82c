// RUN: airlite-opt %s --air-tile-linalg='herd=1,1 l2-bytes=2097152' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-tile-linalg='herd=1,1 l2-bytes=2097152' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: airlite-opt %s --air-tile-linalg='herd=1,1' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: airlite-opt %s --air-tile-linalg='herd=1,1 l2-bytes=40000' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not airlite-opt %s --air-tile-linalg='l2-bytes=-1' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: 'l2-bytes' must not be negative

// The right factor stays in L2 while four tiles of rows pass by, in copies whose rows are 256 bytes long.
// REMARK: tiled: launch 1x1, herd 1x1, tile of a core 64x64x64, rounds 4x1x1
// Without it, and where L2 has no room for what stays:
// WITHOUT: tiled: launch 4x1, herd 1x1, tile of a core 64x64x64, blocks
// CHECK-LABEL: func.func @stays
// CHECK: scf.parallel
// CHECK: %[[B:.*]] = memref.alloc() : memref<256x64xi8, 1 : i32>
// CHECK: memref.copy %{{.*}}, %[[B]]
// CHECK: scf.for %[[ROWS:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[A:.*]] = memref.alloc() : memref<64x256xi8, 1 : i32>
// CHECK: %[[C:.*]] = memref.alloc() : memref<64x64xi32, 1 : i32>
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK: scf.parallel
// CHECK: memref.copy %[[C]]
// CHECK: memref.dealloc %[[A]]
// CHECK: memref.dealloc %[[C]]
// CHECK: }
// CHECK: memref.dealloc %[[B]]
func.func @stays(%a: memref<256x256xi8>, %b: memref<256x64xi8>, %c: memref<256x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<256x64xi32>)
  linalg.matmul ins(%a, %b : memref<256x256xi8>, memref<256x64xi8>) outs(%c : memref<256x64xi32>)
  return
}
