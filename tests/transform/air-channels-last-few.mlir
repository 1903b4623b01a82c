// Convolutions of few channels are done on copies of eight, which the matrix unit takes at once; the loops that make them pad the image, too.
// RUN: airlite-opt %s --pipeline='func.func(air-channels-last)' | FileCheck %s
// RUN: airlite-opt %s --pipeline='func.func(air-channels-last)' --check-each --emit=none

// The image that the program pads goes away.
// CHECK-LABEL: func.func @padded
// CHECK-NOT: memref<1x3x34x34xi8>
// CHECK: %[[ROWS:.*]] = memref.alloc() : memref<1x34x272xi8>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[ROWS]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %c32
// CHECK: memref.store %{{.*}}, %[[ROWS]]
// CHECK: memref.load %arg0[%{{.*}}, %{{.*}}, %[[ROW]], %{{.*}}]
// CHECK: %[[IMAGE:.*]] = memref.expand_shape %[[ROWS]] {{.*}} into memref<1x34x34x8xi8>
// CHECK: %[[FILTER:.*]] = memref.alloc() : memref<5x5x8x32xi8>
// CHECK-NOT: linalg.fill ins(%{{.*}}) outs(%[[FILTER]]
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}ins(%[[IMAGE]], %[[FILTER]]
func.func @padded(%x: memref<1x3x32x32xi8>, %w: memref<32x3x5x5xi8>, %y: memref<1x32x15x15xi32>) {
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i32
  %p = memref.alloc() : memref<1x3x34x34xi8>
  linalg.fill ins(%zero : i8) outs(%p : memref<1x3x34x34xi8>)
  %inside = memref.subview %p[0, 0, 1, 1] [1, 3, 32, 32] [1, 1, 1, 1] : memref<1x3x34x34xi8> to memref<1x3x32x32xi8, strided<[3468, 1156, 34, 1], offset: 35>>
  linalg.copy ins(%x : memref<1x3x32x32xi8>) outs(%inside : memref<1x3x32x32xi8, strided<[3468, 1156, 34, 1], offset: 35>>)
  linalg.fill ins(%none : i32) outs(%y : memref<1x32x15x15xi32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%p, %w : memref<1x3x34x34xi8>, memref<32x3x5x5xi8>) outs(%y : memref<1x32x15x15xi32>)
  memref.dealloc %p : memref<1x3x34x34xi8>
  return
}

// Twelve filters become sixteen; their results are cut off.
// CHECK-LABEL: func.func @filters
// CHECK: memref.alloc() : memref<1x32x256xbf16>
// CHECK: %[[FILTER:.*]] = memref.alloc() : memref<7x7x8x16xbf16>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[FILTER]]
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<1x13x13x16xf32>
// CHECK: memref.subview %[[SUMS]][0, 0, 0, 0] [1, 13, 13, 12]
func.func @filters(%x: memref<1x4x32x32xbf16>, %w: memref<12x4x7x7xbf16>, %y: memref<1x12x13x13xf32>) {
  %none = arith.constant 0.0 : f32
  linalg.fill ins(%none : f32) outs(%y : memref<1x12x13x13xf32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : memref<1x4x32x32xbf16>, memref<12x4x7x7xbf16>) outs(%y : memref<1x12x13x13xf32>)
  return
}

// Rows that are no words are copied as before.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.expand_shape
// CHECK: return
func.func @others(%x: memref<1x3x33x33xi8>, %w: memref<32x3x5x5xi8>, %y: memref<1x32x15x15xi32>, %v: memref<8x3x3x3xi8>, %z: memref<1x8x31x31xi32>) {
  %none = arith.constant 0 : i32
  linalg.fill ins(%none : i32) outs(%y : memref<1x32x15x15xi32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : memref<1x3x33x33xi8>, memref<32x3x5x5xi8>) outs(%y : memref<1x32x15x15xi32>)
  linalg.fill ins(%none : i32) outs(%z : memref<1x8x31x31xi32>)
  linalg.conv_2d_nchw_fchw ins(%x, %v : memref<1x3x33x33xi8>, memref<8x3x3x3xi8>) outs(%z : memref<1x8x31x31xi32>)
  return
}
