// A convolution by single elements is a product of matrices over all pixels; what fills its result and what follows it get the
// same dimensions.
// RUN: airlite-opt %s --air-convolution-to-matmul --check-each | FileCheck %s
// RUN: airlite-opt %s --air-convolution-to-matmul --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: :[[#]]:3: remark: [air-convolution-to-matmul] no product: its window has several elements
// REMARK: no product: its window moves by several elements
// REMARK: no product: it has several images with channels outside
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: func.func @chain
// CHECK: %[[X:.*]] = memref.collapse_shape %arg0 {{\[}}[0, 1, 2], [3]] : memref<2x3x5x16xi8> into memref<30x16xi8>
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<30x8xi32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[SUMS]] : memref<30x8xi32>)
// CHECK: %[[W:.*]] = memref.collapse_shape %arg1 {{\[}}[0, 1, 2], [3]] : memref<1x1x16x8xi8> into memref<16x8xi8>
// CHECK: linalg.matmul ins(%[[X]], %[[W]] : memref<30x16xi8>, memref<16x8xi8>) outs(%[[SUMS]] : memref<30x8xi32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%[[SUMS]], %arg2 : memref<30x8xi32>, memref<8xi32>) outs(%{{.*}} : memref<30x8xi32>)
// CHECK: memref.dealloc %[[SUMS]]
func.func @chain(%x: memref<2x3x5x16xi8>, %w: memref<1x1x16x8xi8>, %bias: memref<8xi32>, %y: memref<2x3x5x8xi32>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<2x3x5x8xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<2x3x5x8xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<2x3x5x16xi8>, memref<1x1x16x8xi8>) outs(%sums : memref<2x3x5x8xi32>)
  linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %bias : memref<2x3x5x8xi32>, memref<8xi32>) outs(%y : memref<2x3x5x8xi32>) {
  ^bb0(%sum: i32, %b: i32, %old: i32):
    %r = arith.addi %sum, %b : i32
    linalg.yield %r : i32
  }
  memref.dealloc %sums : memref<2x3x5x8xi32>
  return
}

// Planes of one image: the weights are the left factor.
// CHECK-LABEL: func.func @planes
// CHECK: %[[W:.*]] = memref.collapse_shape %arg1 {{\[}}[0], [1, 2, 3]] : memref<8x16x1x1xi8> into memref<8x16xi8>
// CHECK: linalg.matmul ins(%[[W]], %{{.*}} : memref<8x16xi8>, memref<16x15xi8>) outs(%{{.*}} : memref<8x15xi32>)
func.func @planes(%x: memref<1x16x3x5xi8>, %w: memref<8x16x1x1xi8>, %y: memref<1x8x3x5xi32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x16x3x5xi8>, memref<8x16x1x1xi8>) outs(%y : memref<1x8x3x5xi32>)
  return
}

// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: linalg.conv_2d
func.func @others(%x: memref<2x5x5x4xi8>, %w: memref<3x3x4x8xi8>, %y: memref<2x3x3x8xi32>, %w1: memref<1x1x4x8xi8>, %planes: memref<2x4x3x3xi8>, %wp: memref<8x4x1x1xi8>, %yp: memref<2x8x3x3xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<2x5x5x4xi8>, memref<3x3x4x8xi8>) outs(%y : memref<2x3x3x8xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w1 : memref<2x5x5x4xi8>, memref<1x1x4x8xi8>) outs(%y : memref<2x3x3x8xi32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%planes, %wp : memref<2x4x3x3xi8>, memref<8x4x1x1xi8>) outs(%yp : memref<2x8x3x3xi32>)
  return
}
