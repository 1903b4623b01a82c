// Images whose channels lie outside are transposed where rows would have no vectors (air-channels-last). The window of @pool moves by one
// element: its rows are joined instead (air-join-window-rows). That of @halves moves by two: vectors have every second element.
// REQUIRES: !sanitize
// RUN: for f in pool halves thirds depthwise conv near odd row; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in pool halves thirds near odd row; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: airlite-opt %s --air-channels-last --remarks 2>&1 | FileCheck %s --check-prefix=MOVED
// RUN: airlite-opt %s --air-channels-last='exact=true' | FileCheck %s --check-prefix=EXACT
// MOVED-COUNT-6: on copies whose channels lie side by side
// MOVED-NOT: on copies whose channels lie side by side
// EXACT: linalg.conv_2d_nhwc_hwcf
// EXACT-LABEL: @floats
// EXACT: linalg.conv_2d_nchw_fchw
// EXACT-LABEL: @small
// EXACT: linalg.pooling_nchw_max
// CHECK-COUNT-8: arguments are as in the interpreter, bit by bit
func.func @pool(%x: memref<1x16x18x18xbf16>, %w: memref<3x3xbf16>, %y: memref<1x16x16x16xbf16>) {
  %least = arith.constant 0xFF80 : bf16
  linalg.fill ins(%least : bf16) outs(%y : memref<1x16x16x16xbf16>)
  linalg.pooling_nchw_max {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x16x18x18xbf16>, memref<3x3xbf16>) outs(%y : memref<1x16x16x16xbf16>)
  return
}
func.func @halves(%x: memref<1x16x33x33xbf16>, %w: memref<3x3xbf16>, %y: memref<1x16x16x16xbf16>) {
  %least = arith.constant 0xFF80 : bf16
  linalg.fill ins(%least : bf16) outs(%y : memref<1x16x16x16xbf16>)
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x16x33x33xbf16>, memref<3x3xbf16>) outs(%y : memref<1x16x16x16xbf16>)
  return
}
func.func @thirds(%x: memref<1x16x36x36xbf16>, %w: memref<3x3xbf16>, %y: memref<1x16x12x12xbf16>) {
  %least = arith.constant 0xFF80 : bf16
  linalg.fill ins(%least : bf16) outs(%y : memref<1x16x12x12xbf16>)
  linalg.pooling_nchw_max {strides = dense<3> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x16x36x36xbf16>, memref<3x3xbf16>) outs(%y : memref<1x16x12x12xbf16>)
  return
}
func.func @depthwise(%x: memref<1x32x17x17xi8>, %w: memref<32x3x3xi8>, %y: memref<1x32x8x8xi32>) {
  linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x32x17x17xi8>, memref<32x3x3xi8>) outs(%y : memref<1x32x8x8xi32>)
  return
}
func.func @conv(%x: memref<1x8x33x33xi8>, %w: memref<16x8x3x3xi8>, %y: memref<1x16x16x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x16x16x16xi32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x8x33x33xi8>, memref<16x8x3x3xi8>) outs(%y : memref<1x16x16x16xi32>)
  return
}
func.func @floats(%x: memref<1x8x33x33xbf16>, %w: memref<16x8x3x3xbf16>, %y: memref<1x16x16x16xf32>) {
  linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x8x33x33xbf16>, memref<16x8x3x3xbf16>) outs(%y : memref<1x16x16x16xf32>)
  return
}
// A window that moves by one element, and few channels, whose rows are not whole words or, of @few, are.
func.func @near(%x: memref<1x16x18x18xbf16>, %w: memref<16x16x3x3xbf16>, %y: memref<1x16x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x16x16x16xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x16x18x18xbf16>, memref<16x16x3x3xbf16>) outs(%y : memref<1x16x16x16xf32>)
  return
}
func.func @odd(%x: memref<1x3x21x21xbf16>, %w: memref<16x3x3x3xbf16>, %y: memref<1x16x19x19xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x16x19x19xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x3x21x21xbf16>, memref<16x3x3x3xbf16>) outs(%y : memref<1x16x19x19xf32>)
  return
}
func.func @few(%x: memref<1x3x22x22xbf16>, %w: memref<16x3x3x3xbf16>, %y: memref<1x16x20x20xf32>) {
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x3x22x22xbf16>, memref<16x3x3x3xbf16>) outs(%y : memref<1x16x20x20xf32>)
  return
}
func.func @small(%x: memref<1x8x8x8xi8>, %w: memref<2x2xi8>, %y: memref<1x8x4x4xi8>) {
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x8x8x8xi8>, memref<2x2xi8>) outs(%y : memref<1x8x4x4xi8>)
  return
}
// Rows: a convolution on images that have one each.
func.func @row(%x: memref<2x16x129xbf16>, %w: memref<32x16x3xbf16>, %y: memref<2x32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x32x64xf32>)
  linalg.conv_1d_ncw_fcw {strides = dense<2> : vector<1xi64>, dilations = dense<1> : vector<1xi64>}
    ins(%x, %w : memref<2x16x129xbf16>, memref<32x16x3xbf16>) outs(%y : memref<2x32x64xf32>)
  return
}
