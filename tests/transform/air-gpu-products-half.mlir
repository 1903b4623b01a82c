// Sums of f16 and bf16 are made in f32 and rounded once.
// RUN: airlite-opt %s --air-gpu-products=device=gfx90a | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK: vector.transfer_read %{{.*}} memref<33x17xf16>, vector<16x16xf16>
// CHECK: arith.extf {{.*}} : vector<16x16xf16> to vector<16x16xf32>
// CHECK: vector.contract {{.*}} into vector<16x16xf32>
// CHECK: arith.truncf {{.*}} : vector<16x16xf32> to vector<16x16xf16>
// CHECK: vector.transfer_write %{{.*}} : vector<16x16xf16>, memref<33x17xf16>
func.func @f(%a: memref<33x5xf16>, %b: memref<5x17xf16>, %c: memref<33x17xf16>) {
  linalg.matmul ins(%a, %b : memref<33x5xf16>, memref<5x17xf16>) outs(%c : memref<33x17xf16>)
  return
}
