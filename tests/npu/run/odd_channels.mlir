// Images of so many channels that rows of the image or of the filter are not whole words, or not rows of factors of the matrix unit: cores copy
// operands to rows with more channels, of zeros, and results back. Sums that are added to what is there. Windows that move by several elements leave room for tiles
// of single products, which take less.
// REQUIRES: !sanitize
// RUN: for f in floats numbers steps adds depthwise; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in floats numbers depthwise; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// CHECK-COUNT-5: 3 arguments are as in the interpreter, bit by bit
// RUN: for f in floats numbers adds depthwise; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1 || exit 1; done | FileCheck %s --check-prefix=PADDED
// PADDED-COUNT-4: operands with longer rows
//
// Channels in words and in factors stay as they are. So do sums of floats in the order of the program, to which zeros are not added.
// RUN: airlite-compile --target=npu1 --function=whole --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: airlite-opt --pipeline='func.func(air-tile-linalg{matrix-sums=false})' --remarks %s 2>&1 | FileCheck %s --check-prefix=WHOLE --allow-empty
// WHOLE-NOT: operands with longer rows
func.func @floats(%x: memref<1x29x29x13xbf16>, %w: memref<3x3x13x16xbf16>, %y: memref<1x27x27x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x27x27x16xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x29x29x13xbf16>, memref<3x3x13x16xbf16>) outs(%y : memref<1x27x27x16xf32>)
  return
}
func.func @numbers(%x: memref<1x29x29x13xi8>, %w: memref<3x3x13x32xi8>, %y: memref<1x27x27x32xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x27x27x32xi32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x29x29x13xi8>, memref<3x3x13x32xi8>) outs(%y : memref<1x27x27x32xi32>)
  return
}
func.func @steps(%x: memref<1x29x29x13xbf16>, %w: memref<3x3x13x16xbf16>, %y: memref<1x14x14x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x14x14x16xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%x, %w : memref<1x29x29x13xbf16>, memref<3x3x13x16xbf16>) outs(%y : memref<1x14x14x16xf32>)
  return
}
func.func @adds(%x: memref<1x29x29x13xbf16>, %w: memref<3x3x13x16xbf16>, %y: memref<1x27x27x16xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x29x29x13xbf16>, memref<3x3x13x16xbf16>) outs(%y : memref<1x27x27x16xf32>)
  return
}
func.func @depthwise(%x: memref<1x29x29x13xi8>, %w: memref<3x3x13xi8>, %y: memref<1x27x27x13xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x27x27x13xi32>)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : memref<1x29x29x13xi8>, memref<3x3x13xi8>) outs(%y : memref<1x27x27x13xi32>)
  return
}
func.func @whole(%x: memref<1x16x16x16xbf16>, %w: memref<3x3x16x16xbf16>, %y: memref<1x14x14x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x14x14x16xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x16x16x16xbf16>, memref<3x3x16x16xbf16>) outs(%y : memref<1x14x14x16xf32>)
  return
}
