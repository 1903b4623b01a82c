// npu2: what its array is planned for. A herd of four rows and eight columns of tiles lies across the array, with the columns
// of the product along the columns of the array.
// RUN: airlite-compile %s --target=npu2 --function=product --report=plan -o %t \
// RUN:   --pipeline='air-npu{herd=8,4 num-cols=8 device=npu2 product-plan=4,8,64,64,64,1 l2-part=12288}' | FileCheck %s --check-prefix=PLAN
// PLAN: launch 1x1, herd 8x4, tile of a core 64x64x64
// RUN: airlite-run --on=interp %s --function=product --init=random:1 --output 2=%t.i.npy
// RUN: airlite-run --on=sim %t --init=random:1 --output arg2=%t.s.npy && cmp %t.i.npy %t.s.npy
//
// Rows of lanes are 32 wide: a core that needs a part of one needs room for all of it, and where the array has no room, the
// next smaller herds are tried, then the floats of the program.
// RUN: for f in window narrow; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s; done \
// RUN:   | FileCheck %s --check-prefix=SAME
// SAME-COUNT-2: 3 arguments are as in the interpreter, bit by bit
func.func @product(%a: memref<256x64xi8>, %b: memref<64x512xi8>, %c: memref<256x512xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<256x512xi32>)
  linalg.matmul ins(%a, %b : memref<256x64xi8>, memref<64x512xi8>) outs(%c : memref<256x512xi32>)
  return
}
func.func @window(%x: memref<1x3x4x24xf32>, %w: memref<3x3x24x64xf32>, %y: memref<1x1x2x64xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : memref<1x3x4x24xf32>, memref<3x3x24x64xf32>) outs(%y : memref<1x1x2x64xf32>)
  return
}
func.func @narrow(%x: memref<1x5x4x24xf32>, %w: memref<5x3x24x16xf32>, %y: memref<1x1x2x16xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : memref<1x5x4x24xf32>, memref<5x3x24x16xf32>) outs(%y : memref<1x1x2x16xf32>)
  return
}
