// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152 product-plan=4,4,32,128,0,2' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152 product-plan=4,4,32,128,0,2' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=40000' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not airlite-opt %s --air-tile-linalg='l2-bytes=-1' 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: 'l2-bytes' must not be negative

// The right factor stays in L2 while four tiles of rows pass by.
// REMARK: tiled: launch 1x1, herd 4x4, tile of a core {{.*}}, rounds 4x1x1
// Without it, and where L2 has no room for what stays:
// WITHOUT: tiled: launch
// WITHOUT-NOT: rounds
// CHECK-LABEL: func.func @stays
// CHECK: scf.parallel
// CHECK: %[[B:.*]] = memref.alloc() {air.kept} : memref<128x512xi8, 1 : i32>
// CHECK: memref.copy %{{.*}}, %[[B]]
// CHECK: scf.for %[[ROWS:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[A:.*]] = memref.alloc() : memref<128x128xi8, 1 : i32>
// CHECK: %[[C:.*]] = memref.alloc() : memref<128x512xi32, 1 : i32>
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK: scf.parallel
// CHECK: memref.copy %[[C]]
// CHECK: memref.dealloc %[[A]]
// CHECK: memref.dealloc %[[C]]
// CHECK: }
// CHECK: memref.dealloc %[[B]]
func.func @stays(%a: memref<512x128xi8>, %b: memref<128x512xi8>, %c: memref<512x512xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<512x512xi32>)
  linalg.matmul ins(%a, %b : memref<512x128xi8>, memref<128x512xi8>) outs(%c : memref<512x512xi32>)
  return
}
