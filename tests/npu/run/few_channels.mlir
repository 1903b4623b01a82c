// Convolutions of images with few channels: on copies of eight, which loops make and pad. Windows of images with several filters are products.
// REQUIRES: !sanitize
// RUN: for f in padded filters rows; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-6: compared with the program before the recipe
// RUN: airlite-run --on=sim --target=npu1 --compare=interp --init=random:1 --function=bytes %s | FileCheck %s --check-prefix=BITS
// BITS: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --remarks --function=rows %s -o %t.rows 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT-NOT: no product of the matrix unit

func.func @padded(%x: tensor<1x3x24x24xbf16>, %w: tensor<16x3x3x3xbf16>) -> tensor<1x16x12x12xf32> {
  %zero = arith.constant 0.0 : bf16
  %none = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %i: index, %j: index):
    tensor.yield %zero : bf16
  } : tensor<1x3x24x24xbf16> to tensor<1x3x26x26xbf16>
  %empty = tensor.empty() : tensor<1x16x12x12xf32>
  %start = linalg.fill ins(%none : f32) outs(%empty : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x3x26x26xbf16>, tensor<16x3x3x3xbf16>) outs(%start : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  return %y : tensor<1x16x12x12xf32>
}

// Twelve of sixteen results are kept.
func.func @filters(%x: memref<1x4x32x32xbf16>, %w: memref<12x4x5x5xbf16>, %y: memref<1x12x14x14xf32>) {
  %none = arith.constant 0.0 : f32
  linalg.fill ins(%none : f32) outs(%y : memref<1x12x14x14xf32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : memref<1x4x32x32xbf16>, memref<12x4x5x5xbf16>) outs(%y : memref<1x12x14x14xf32>)
  return
}

// Rows of the image stay apart: the matrix unit makes the sums of four filters.
func.func @rows(%x: memref<1x5x26x26xbf16>, %w: memref<4x5x3x3xbf16>, %y: memref<1x4x24x24xf32>) {
  %none = arith.constant 0.0 : f32
  linalg.fill ins(%none : f32) outs(%y : memref<1x4x24x24xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x5x26x26xbf16>, memref<4x5x3x3xbf16>) outs(%y : memref<1x4x24x24xf32>)
  return
}

func.func @bytes(%x: tensor<1x3x28x28xi8>, %w: tensor<8x3x5x5xi8>) -> tensor<1x8x14x14xi32> {
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 0, 2, 2] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %i: index, %j: index):
    tensor.yield %zero : i8
  } : tensor<1x3x28x28xi8> to tensor<1x3x31x31xi8>
  %empty = tensor.empty() : tensor<1x8x14x14xi32>
  %start = linalg.fill ins(%none : i32) outs(%empty : tensor<1x8x14x14xi32>) -> tensor<1x8x14x14xi32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<1x3x31x31xi8>, tensor<8x3x5x5xi8>) outs(%start : tensor<1x8x14x14xi32>) -> tensor<1x8x14x14xi32>
  return %y : tensor<1x8x14x14xi32>
}
