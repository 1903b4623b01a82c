// A script that tiles a product to a herd: the tile of the output is filled, added to and copied out in one buffer.
// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-tile.mlir' | FileCheck %s
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-tile-odd.mlir' 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-tile-many.mlir' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-fuse-stale.mlir' 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-fuse-loop.mlir' 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-promote-alloca.mlir' 2>&1 | FileCheck %s --check-prefix=ALLOCA

// ODD: error: 'linalg.matmul' op not supported: a tile of 5 does not divide the 32 rounds of loop 0
// MANY: error: 'linalg.matmul' op has 3 loops, and there are 4 tile sizes
// STALE: error: 'transform.air.linalg_promote' op uses a handle to an op that is gone
// LOOP: error: 'scf.for' op cannot be fused: it is not a parallel loop
// ALLOCA: error: 'transform.air.linalg_promote' op not supported: 'use_alloca'

// CHECK-LABEL: func.func @main
// CHECK: air.herd {{.*}} tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c2{{.*}})
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<16x8xi32, 2 : i32>
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[SUM]] :
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: scf.for
// CHECK: %[[A:.*]] = memref.alloc() : memref<16x8xi32, 2 : i32>
// CHECK: air.dma_memcpy_nd (%[[A]][] [] [], %{{.*}}[{{.*}}] [16, 8] [24, 1])
// CHECK: %[[B:.*]] = memref.alloc() : memref<8x8xi32, 2 : i32>
// CHECK: air.dma_memcpy_nd (%[[B]][] [] [], %{{.*}}[{{.*}}] [8, 8] [16, 1])
// CHECK: linalg.matmul ins(%[[A]], %[[B]] : {{.*}}) outs(%[[SUM]] :
// CHECK: }
// CHECK: air.dma_memcpy_nd (%{{.*}}[{{.*}}] [16, 8] [16, 1], %[[SUM]][] [] [])
// CHECK: memref.dealloc %[[SUM]]
func.func @main(%a: memref<32x24xi32>, %b: memref<24x16xi32>, %c: memref<32x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<32x16xi32>)
  linalg.matmul ins(%a, %b : memref<32x24xi32>, memref<24x16xi32>) outs(%c : memref<32x16xi32>)
  return
}
