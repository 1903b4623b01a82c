// The first layer of a network: an image with three channels of i8 is padded at odd bytes, which a core does, and convolved. With two images
// of bf16 the same; what is whole words stays with the DMA.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=i8 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=bf16 %s | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=i8 --target=npu2 %s | FileCheck %s
// In steps of two pixels 33 of 34 are used, which no DMA brings alone, nor 15 of 16 without padding: all of them come.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=steps %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=plain %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=argument %s | FileCheck %s --check-prefix=TWO
// CHECK: 3 arguments are as in the interpreter, bit by bit
// TWO: 2 arguments are as in the interpreter, bit by bit
func.func @i8(%x: memref<1x16x16x3xi8>, %w: memref<3x3x3x16xi8>, %y: memref<1x16x16x16xi32>) {
  %p = memref.alloc() : memref<1x18x18x3xi8>
  %zp = arith.constant 0 : i8
  linalg.fill ins(%zp : i8) outs(%p : memref<1x18x18x3xi8>)
  %sv = memref.subview %p[0, 1, 1, 0] [1, 16, 16, 3] [1, 1, 1, 1] : memref<1x18x18x3xi8> to memref<1x16x16x3xi8, strided<[972, 54, 3, 1], offset: 57>>
  memref.copy %x, %sv : memref<1x16x16x3xi8> to memref<1x16x16x3xi8, strided<[972, 54, 3, 1], offset: 57>>
  %za = arith.constant 0 : i32
  linalg.fill ins(%za : i32) outs(%y : memref<1x16x16x16xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>} ins(%p, %w : memref<1x18x18x3xi8>, memref<3x3x3x16xi8>) outs(%y : memref<1x16x16x16xi32>)
  return
}
func.func @bf16(%x: memref<2x8x6xbf16>, %y: memref<2x10x8xbf16>) {
  %p = memref.alloc() : memref<2x10x8xbf16>
  %one = arith.constant 1.5 : bf16
  linalg.fill ins(%one : bf16) outs(%p : memref<2x10x8xbf16>)
  %sv = memref.subview %p[0, 1, 1] [2, 8, 6] [1, 1, 1] : memref<2x10x8xbf16> to memref<2x8x6xbf16, strided<[80, 8, 1], offset: 9>>
  memref.copy %x, %sv : memref<2x8x6xbf16> to memref<2x8x6xbf16, strided<[80, 8, 1], offset: 9>>
  memref.copy %p, %y : memref<2x10x8xbf16> to memref<2x10x8xbf16>
  return
}
func.func @steps(%x: memref<1x32x32x3xi8>, %w: memref<3x3x3x16xi8>, %y: memref<1x16x16x16xi32>) {
  %p = memref.alloc() : memref<1x34x34x3xi8>
  %zp = arith.constant 0 : i8
  linalg.fill ins(%zp : i8) outs(%p : memref<1x34x34x3xi8>)
  %sv = memref.subview %p[0, 1, 1, 0] [1, 32, 32, 3] [1, 1, 1, 1] : memref<1x34x34x3xi8> to memref<1x32x32x3xi8, strided<[3468, 102, 3, 1], offset: 105>>
  memref.copy %x, %sv : memref<1x32x32x3xi8> to memref<1x32x32x3xi8, strided<[3468, 102, 3, 1], offset: 105>>
  %za = arith.constant 0 : i32
  linalg.fill ins(%za : i32) outs(%y : memref<1x16x16x16xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>} ins(%p, %w : memref<1x34x34x3xi8>, memref<3x3x3x16xi8>) outs(%y : memref<1x16x16x16xi32>)
  return
}
func.func @plain(%x: memref<1x16x16x3xi8>, %w: memref<3x3x3x8xi8>, %y: memref<1x7x7x8xi32>) {
  %za = arith.constant 0 : i32
  linalg.fill ins(%za : i32) outs(%y : memref<1x7x7x8xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 2]> : vector<2xi64>} ins(%x, %w : memref<1x16x16x3xi8>, memref<3x3x3x8xi8>) outs(%y : memref<1x7x7x8xi32>)
  return
}

// Into what the caller gives.
func.func @argument(%x: memref<2x7x8x3xi8>, %p: memref<2x8x12x3xi8>) {
  %five = arith.constant 5 : i8
  linalg.fill ins(%five : i8) outs(%p : memref<2x8x12x3xi8>)
  %inside = memref.subview %p[0, 1, 1, 0] [2, 7, 8, 3] [1, 1, 1, 1] : memref<2x8x12x3xi8> to memref<2x7x8x3xi8, strided<[288, 36, 3, 1], offset: 39>>
  memref.copy %x, %inside : memref<2x7x8x3xi8> to memref<2x7x8x3xi8, strided<[288, 36, 3, 1], offset: 39>>
  return
}
