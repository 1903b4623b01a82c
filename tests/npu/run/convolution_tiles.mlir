// The tile of a core of a convolution is the one with the least estimate of all for which L1 has room: many pixels, for which the filters are read
// and laid out once. Rows of filters of AIE2P, 32 floats of a block, are laid out by vectors.
// REQUIRES: !sanitize
// RUN: airlite-compile --target=npu1 --report=plan --function=pixels %s -o %t 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: tile of a core 1x{{[4-9]}}x{{7|14}}x16x3x3x
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=blocks %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu1 --compare=interp --init=random:1 --function=blocks %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
func.func @pixels(%x: memref<1x58x58x64xbf16>, %w: memref<3x3x64x64xbf16>, %y: memref<1x56x56x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x56x56x64xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x58x58x64xbf16>, memref<3x3x64x64xbf16>) outs(%y : memref<1x56x56x64xf32>)
  return
}
func.func @blocks(%x: memref<1x10x10x32xbf16>, %w: memref<3x3x32x32xbf16>, %y: memref<1x8x8x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x8x8x32xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x10x10x32xbf16>, memref<3x3x32x32xbf16>) outs(%y : memref<1x8x8x32xf32>)
  return
}
