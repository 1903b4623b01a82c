// Workgroups go to the eight XCDs of gfx942 in turn: each of them gets blocks next to each other, in bands of
// eight rows of blocks, which the levels launch, XCDs, compute units say. Other devices, and grids that eight do
// not divide, keep their order.
// RUN: airlite-opt %s --air-gpu-products='device=gfx942 block=32,32' | FileCheck %s
// RUN: airlite-opt %s --air-gpu-products='device=gfx942 block=32,32' --check-each --emit=none
// RUN: airlite-opt %s --air-gpu-products='device=gfx90a block=32,32' | FileCheck %s --check-prefix=ONE
// ONE-NOT: XCD

// 6 x 8 blocks: each XCD has 6 of them at the same time; point = 6 xcd + unit; 48 points in a band of 8 rows.
// CHECK-LABEL: func.func @banded
// CHECK: air.launch (%{{.*}}) in (%{{.*}}=%c1{{.*}})
// CHECK: air.segment unroll(%[[XCD:.*]]) in (%{{.*}}=%c8{{.*}}) {{.*}}"backend-granularity" = "XCD"
// CHECK: air.segment unroll(%[[CU:.*]]) in (%{{.*}}=%c6{{.*}})
// CHECK: arith.muli %{{.*}}, %c6
// CHECK: arith.remui %{{.*}}, %c48
// CHECK: air.herd
func.func @banded(%a: memref<256x8xf32>, %b: memref<8x192xf32>, %c: memref<256x192xf32>) {
  linalg.matmul ins(%a, %b : memref<256x8xf32>, memref<8x192xf32>) outs(%c : memref<256x192xf32>)
  return
}

// CHECK-LABEL: func.func @uneven
// CHECK-NOT: XCD
// CHECK: return
func.func @uneven(%a: memref<96x8xf32>, %b: memref<8x96xf32>, %c: memref<96x96xf32>) {
  linalg.matmul ins(%a, %b : memref<96x8xf32>, memref<8x96xf32>) outs(%c : memref<96x96xf32>)
  return
}
