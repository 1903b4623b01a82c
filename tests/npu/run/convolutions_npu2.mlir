// Convolutions whose channels are less than a block of the matrix unit of npu2 (2 x 32 x 16 floats), which cores lay out: tiles of a core have whole
// blocks, and less of the window where these need the room.
// REQUIRES: !sanitize
// RUN: for f in floats halves few; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// CHECK-COUNT-3: 3 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu2 --report=plan --function=wide %s -o %t 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: tile of a core 1x{{[0-9]+}}x{{[0-9]+}}x16x
func.func @floats(%x: memref<1x12x12x12xf32>, %w: memref<3x3x12x32xf32>, %y: memref<1x10x10x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x10x10x32xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x12x12x12xf32>, memref<3x3x12x32xf32>) outs(%y : memref<1x10x10x32xf32>)
  return
}
func.func @halves(%x: memref<1x14x14x8xbf16>, %w: memref<3x3x8x26xbf16>, %y: memref<1x12x12x26xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x12x12x26xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x14x14x8xbf16>, memref<3x3x8x26xbf16>) outs(%y : memref<1x12x12x26xf32>)
  return
}
func.func @few(%x: memref<1x9x9x4xf32>, %w: memref<3x3x4x8xf32>, %y: memref<1x4x4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x4x4x8xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x9x9x4xf32>, memref<3x3x4x8xf32>) outs(%y : memref<1x4x4x8xf32>)
  return
}
func.func @wide(%x: memref<1x32x32x32xf32>, %w: memref<3x3x32x16xf32>, %y: memref<1x30x30x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x30x30x16xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x32x32x32xf32>, memref<3x3x32x16xf32>) outs(%y : memref<1x30x30x16xf32>)
  return
}
