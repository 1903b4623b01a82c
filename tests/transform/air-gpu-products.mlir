// A product of matrices becomes a launch: a workgroup has a tile of C, its waves take tiles of A and B
// to LDS (L2) one step ahead, and hold their sums in vectors.
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 | FileCheck %s
// RUN: airlite-opt %s --air-gpu-products=device=gfx1100 | FileCheck %s --check-prefix=RDNA
// RUN: airlite-opt %s --air-gpu-products='device=gfx942 buffers=1 block=64,64' \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 --check-each --emit=none

// CHECK: module attributes {airlite.gpu = "gfx942", airlite.wave_size = 64 : i64}
// RDNA: module attributes {airlite.gpu = "gfx1100", airlite.wave_size = 32 : i64}

// The fill with zero is a part of the product; two buffers, one barrier in a step.
// CHECK-LABEL: func.func @main
// CHECK-NOT: linalg
// CHECK: air.launch (%[[X:.*]], %[[Y:.*]]) in
// CHECK: memref.alloc() : memref<2x32x40xbf16, 1>
// CHECK: memref.alloc() : memref<2x32x40xbf16, 1>
// CHECK: air.herd
// CHECK-SAME: attributes {airlite.spread}
// CHECK: arith.constant dense<0.000000e+00> : vector<16x16xf32>
// CHECK: vector.transfer_read {{.*}}in_bounds = [true, true]{{.*}} vector<8x32xbf16>
// CHECK: vector.transpose
// CHECK: vector.store
// CHECK: gpu.barrier memfence [#gpu.address_space<workgroup>]
// CHECK: scf.for
// CHECK: vector.transfer_read
// CHECK: vector.transfer_read
// CHECK: gpu.schedule_barrier
// CHECK: vector.contract
// CHECK: vector.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
// CHECK: vector.contract
// CHECK: vector.transfer_write {{.*}}in_bounds = [true, true]

// ONE: memref.alloc() : memref<64x40xbf16, 1>
// ONE: scf.for
// ONE: vector.contract
// ONE: gpu.barrier
// ONE: vector.store
// ONE: gpu.barrier
// ONE: scf.yield
func.func @main(%a: memref<64x128xbf16>, %b: memref<128x64xbf16>, %c: memref<64x64xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x128xbf16>, memref<128x64xbf16>) outs(%c : memref<64x64xf32>)
  return
}

// Sizes that are no multiples are guarded; what C holds is a part of the sum.
// CHECK-LABEL: func.func @tails
// CHECK: vector.transfer_read %{{.*}} memref<33x17xf32>, vector<16x16xf32>
// CHECK: vector.transfer_read %{{.*}}cst{{.*}} : memref<33x5xf16>, vector<8x32xf16>
// CHECK: vector.transfer_write %{{.*}} : vector<16x16xf32>, memref<33x17xf32>
func.func @tails(%a: memref<33x5xf16>, %b: memref<5x17xf16>, %c: memref<33x17xf32>) {
  linalg.matmul ins(%a, %b : memref<33x5xf16>, memref<5x17xf16>) outs(%c : memref<33x17xf32>)
  return
}

// A batch is the third dimension of the grid. Without an instruction each lane multiplies what it has.
// RDNA-LABEL: func.func @batch
// RDNA: air.launch (%{{.*}}, %{{.*}}, %[[B:.*]]) in
// RDNA: vector.contract {{.*}} vector<1x16xf32>, vector<1x32xf32> into vector<16x32xf32>
func.func @batch(%a: memref<3x32x8xf32>, %b: memref<3x8x32xf32>, %c: memref<3x32x32xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<3x32x8xf32>, memref<3x8x32xf32>)
      outs(%c : memref<3x32x32xf32>)
  return
}

// -0.0 is not where sums start.
// CHECK-LABEL: func.func @minus_zero
// CHECK: linalg.fill
// CHECK: air.launch
func.func @minus_zero(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  %z = arith.constant -0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}

// Open sizes: the grid is computed, all is guarded.
// CHECK-LABEL: func.func @open
// CHECK: memref.dim
// CHECK: arith.divui
// CHECK: air.launch
func.func @open(%a: memref<?x?xi8>, %b: memref<?x?xi8>, %c: memref<?x?xi32>) {
  linalg.matmul ins(%a, %b : memref<?x?xi8>, memref<?x?xi8>) outs(%c : memref<?x?xi32>)
  return
}
