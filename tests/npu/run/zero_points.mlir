// Products of bytes with zero points are made by the matrix unit: sums of rows and of columns correct them afterwards.
// RUN: for f in product arguments batch convolution; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-8: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --report=plan --function=product %s -o %t.product 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: airlite-compile --target=npu1 --report=plan --function=convolution %s -o %t.convolution 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: tiled: {{.*}}; with the op after it
// PLAN: blocks 4x8x8

func.func @product(%a: tensor<64x128xi8>, %b: tensor<128x96xi8>) -> tensor<64x96xi32> {
  %za = arith.constant 3 : i32
  %zb = arith.constant -5 : i32
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x96xi32>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x96xi32>) -> tensor<64x96xi32>
  %c = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<64x128xi8>, tensor<128x96xi8>, i32, i32) outs(%start : tensor<64x96xi32>) -> tensor<64x96xi32>
  return %c : tensor<64x96xi32>
}

// Zero points that are known at run time, on what the result held; no size is a multiple of a block.
func.func @arguments(%a: memref<33x50xi8>, %b: memref<50x21xi8>, %za: i32, %zb: i32, %c: memref<33x21xi32>) {
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<33x50xi8>, memref<50x21xi8>, i32, i32) outs(%c : memref<33x21xi32>)
  return
}

func.func @batch(%a: memref<3x32x64xi8>, %b: memref<3x64x32xi8>, %c: memref<3x32x32xi32>) {
  %za = arith.constant 128 : i32
  %zb = arith.constant 0 : i32
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<3x32x32xi32>)
  linalg.quantized_batch_matmul ins(%a, %b, %za, %zb : memref<3x32x64xi8>, memref<3x64x32xi8>, i32, i32) outs(%c : memref<3x32x32xi32>)
  return
}

func.func @convolution(%a: memref<1x18x18x16xi8>, %w: memref<3x3x16x32xi8>, %c: memref<1x16x16x32xi32>) {
  %za = arith.constant -7 : i32
  %zw = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<1x16x16x32xi32>)
  linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %w, %za, %zw : memref<1x18x18x16xi8>, memref<3x3x16x32xi8>, i32, i32) outs(%c : memref<1x16x16x32xi32>)
  return
}
