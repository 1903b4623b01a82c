// Structured ops on memrefs as affine loops.
// RUN: airlite-opt %s --convert-linalg-to-affine-loops | FileCheck %s

// CHECK: #map = affine_map<(d0, d1) -> (d0 * 2 + d1 * 3)>

// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT: affine.for %arg3 = 0 to 4 {
// CHECK-NEXT: affine.for %arg4 = 0 to 16 {
// CHECK-NEXT: affine.for %arg5 = 0 to 8 {
// CHECK-NEXT: %0 = affine.load %arg0[%arg3, %arg5] : memref<4x8xf32>
// CHECK-NEXT: %1 = affine.load %arg1[%arg5, %arg4] : memref<8x16xf32>
// CHECK-NEXT: %2 = affine.load %arg2[%arg3, %arg4] : memref<4x16xf32>
// CHECK-NEXT: %3 = arith.mulf %0, %1 : f32
// CHECK-NEXT: %4 = arith.addf %2, %3 : f32
// CHECK-NEXT: affine.store %4, %arg2[%arg3, %arg4] : memref<4x16xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  return
}

// CHECK-LABEL: func.func @fill(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
// CHECK-NEXT: affine.for %arg2 = 0 to %dim {
// CHECK-NEXT: affine.for %arg3 = 0 to %dim_0 {
// CHECK-NEXT: affine.store %arg1, %arg0[%arg2, %arg3] : memref<?x?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @fill(%d: memref<?x?xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%d : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @conv(
// CHECK-NEXT: affine.for %arg3 = 0 to 1 {
// CHECK-NEXT: affine.for %arg4 = 0 to 5 {
// CHECK-NEXT: affine.for %arg5 = 0 to 7 {
// CHECK-NEXT: affine.for %arg6 = 0 to 7 {
// CHECK-NEXT: affine.for %arg7 = 0 to 4 {
// CHECK-NEXT: affine.for %arg8 = 0 to 3 {
// CHECK-NEXT: affine.for %arg9 = 0 to 3 {
// CHECK-NEXT: %0 = affine.apply #map(%arg5, %arg8)
// CHECK-NEXT: %1 = affine.apply #map(%arg6, %arg9)
// CHECK-NEXT: %2 = affine.load %arg0[%arg3, %arg7, %0, %1] : memref<1x4x20x20xf32>
// CHECK-NEXT: %3 = affine.load %arg1[%arg4, %arg7, %arg8, %arg9] : memref<5x4x3x3xf32>
// CHECK-NEXT: %4 = affine.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x5x7x7xf32>
// CHECK-NEXT: %5 = arith.mulf %2, %3 : f32
// CHECK-NEXT: %6 = arith.addf %4, %5 : f32
// CHECK-NEXT: affine.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x5x7x7xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @conv(%im: memref<1x4x20x20xf32>, %k: memref<5x4x3x3xf32>, %o: memref<1x5x7x7xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%im, %k : memref<1x4x20x20xf32>, memref<5x4x3x3xf32>) outs(%o : memref<1x5x7x7xf32>)
  return
}
