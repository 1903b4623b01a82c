// Convolutions are sums of products over the loops of the filter: a row of results is a block of rows of C.
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 --check-each --air-verify-program --emit=none

// The steps go over 3 x 3 places of the filter and two parts of the channels.
// CHECK-LABEL: func.func @nhwc
// CHECK-SAME: %[[IN:[a-z0-9]*]]: memref<1x4x18x40xf16>
// CHECK-NOT: linalg
// CHECK: air.launch ({{.*}}, {{.*}}, {{.*}}) in
// CHECK: scf.for
// CHECK: arith.divui
// CHECK: arith.remui
// CHECK: vector.transfer_read %{{.*}} : memref<1x4x18x40xf16>, vector<8x32xf16>
// CHECK: vector.transfer_read %{{.*}} : memref<3x3x40x20xf16>, vector<32x8xf16>
// CHECK: vector.contract
// CHECK: vector.transfer_write {{.*}} memref<1x2x16x20xf32>
// CHECK-NOT: linalg
// CHECK: return
// WHY: remark: [air-gpu-products] 32 x 32 of a workgroup of 4 waves
func.func @nhwc(%i: memref<1x4x18x40xf16>, %f: memref<3x3x40x20xf16>, %o: memref<1x2x16x20xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %f : memref<1x4x18x40xf16>, memref<3x3x40x20xf16>) outs(%o : memref<1x2x16x20xf32>)
  return
}

// Every second element of a row, from the place of the filter on; the image lies along its rows. The bias is a part.
// CHECK-LABEL: func.func @nchw
// CHECK-NOT: linalg
// CHECK: memref.subview %{{.*}}[0, 0, 0, %{{.*}}] [2, 8, 9, %{{.*}}] [1, 1, 1, 2]
// CHECK: vector.transfer_read %{{.*}} : memref<2x8x9x?xf32, strided<[648, 81, 9, 2], offset: ?>>
// CHECK: vector.contract
// CHECK: vector.transfer_read %{{.*}} : memref<4xf32>, vector<16xf32>
// CHECK: arith.addf
// CHECK-NOT: linalg
// CHECK: return
func.func @nchw(%i: memref<2x8x9x9xf32>, %f: memref<4x8x3x3xf32>, %bias: memref<4xf32>, %o: memref<2x4x4x4xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%o : memref<2x4x4x4xf32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%i, %f : memref<2x8x9x9xf32>, memref<4x8x3x3xf32>) outs(%o : memref<2x4x4x4xf32>)
  linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : memref<4xf32>) outs(%o : memref<2x4x4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// Each channel by itself: no loop of channels is summed.
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
// WHY: remark: [air-gpu-products] no product of matrices for a GPU: it has not one loop of rows, of columns and of sums
func.func @depthwise(%i: memref<1x4x18x8xf16>, %f: memref<3x3x8xf16>, %o: memref<1x2x16x8xf16>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %f : memref<1x4x18x8xf16>, memref<3x3x8xf16>) outs(%o : memref<1x2x16x8xf16>)
  return
}
