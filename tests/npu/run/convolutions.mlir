// Convolutions whose operands take much of L1 use the matrix unit too: the plan leaves room for what the cores lay out in
// blocks, and rows that several rows of the window need are laid out once.
// REQUIRES: !sanitize
// RUN: for f in channels dilated strides by_planes narrow; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; \
// RUN:   airlite-compile --target=npu1 --function=$f %s -o %t && grep -l vmac %t/core_*.s > /dev/null || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-5: 3 arguments are as in the interpreter, bit by bit
//
// Rows of an image that are shorter than a row of blocks for each column of cores stay whole.
// RUN: airlite-compile --target=npu1 --function=narrow --remarks %s -o %t 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: tile of a core 1x{{[0-9]+}}x4x
//
// Where no tiles leave that room in whole words, cores multiply one by one.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=odd_planes %s | FileCheck %s --check-prefix=ODD
// ODD: 3 arguments are as in the interpreter, bit by bit
// With the bits of the program, steps along a reduction are those of its outermost loop.
// RUN: airlite-run --on=sim --exact --compare=interp --init=random:1 --function=exact %s | FileCheck %s --check-prefix=ODD
//
// Cores lay out rows of whole vectors by vectors and shuffles: of seven places the last group of four has three, and two rows of 16
// bytes are one vector.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=seven %s | FileCheck %s --check-prefix=ODD
// RUN: airlite-compile --target=npu1 --function=seven %s -o %t.seven && grep -l vshuffle %t.seven/core_*.s | FileCheck %s --check-prefix=SEVEN
// SEVEN-COUNT-8: core_
func.func @seven(%x: memref<1x16x16x64xi8>, %w: memref<3x3x64x64xi8>, %y: memref<1x14x14x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x14x14x64xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x16x16x64xi8>, memref<3x3x64x64xi8>) outs(%y : memref<1x14x14x64xi32>)
  return
}
func.func @channels(%x: memref<1x18x18x64xi8>, %w: memref<3x3x64x32xi8>, %y: memref<1x16x16x32xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x16x16x32xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x18x18x64xi8>, memref<3x3x64x32xi8>) outs(%y : memref<1x16x16x32xi32>)
  return
}
func.func @dilated(%x: memref<1x12x20x32xbf16>, %w: memref<3x3x32x16xbf16>, %y: memref<1x8x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x8x16x16xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x12x20x32xbf16>, memref<3x3x32x16xbf16>) outs(%y : memref<1x8x16x16xf32>)
  return
}
func.func @strides(%x: memref<2x15x17x24xi8>, %w: memref<3x3x24x40xi8>, %y: memref<2x7x8x40xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<2x7x8x40xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : memref<2x15x17x24xi8>, memref<3x3x24x40xi8>) outs(%y : memref<2x7x8x40xi32>)
  return
}
func.func @by_planes(%x: memref<1x16x10x18xi16>, %w: memref<16x16x3x3xi16>, %y: memref<1x16x8x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x16x8x16xi32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x16x10x18xi16>, memref<16x16x3x3xi16>) outs(%y : memref<1x16x8x16xi32>)
  return
}
func.func @narrow(%x: memref<1x36x8x32xi16>, %w: memref<5x3x32x64xi16>, %y: memref<1x32x4x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x32x4x64xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x36x8x32xi16>, memref<5x3x32x64xi16>) outs(%y : memref<1x32x4x64xi32>)
  return
}
// What bodies of one size leave of the rows of a window is not a multiple of the bodies that are best for that.
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:1 --function=rests %s
func.func @rests(%x: memref<1x12x8x32xi16>, %w: memref<5x5x32x16xi16>, %y: memref<1x8x4x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x8x4x16xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x12x8x32xi16>, memref<5x5x32x16xi16>) outs(%y : memref<1x8x4x16xi32>)
  return
}
// Of floats the rest keeps its place in the order of the sums.
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:1 --function=order %s
func.func @order(%x: memref<1x9x9x64xbf16>, %w: memref<3x5x64x8xbf16>, %y: memref<1x7x5x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x7x5x8xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x9x9x64xbf16>, memref<3x5x64x8xbf16>) outs(%y : memref<1x7x5x8xf32>)
  return
}
func.func @odd_planes(%x: memref<2x4x59x29xi8>, %w: memref<8x4x5x3xi8>, %y: memref<2x8x28x14xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<2x8x28x14xi32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : memref<2x4x59x29xi8>, memref<8x4x5x3xi8>) outs(%y : memref<2x8x28x14xi32>)
  return
}
func.func @exact(%x: memref<1x3x4x128xf32>, %w: memref<3x3x128x16xf32>, %y: memref<1x1x2x16xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x3x4x128xf32>, memref<3x3x128x16xf32>) outs(%y : memref<1x1x2x16xf32>)
  return
}
