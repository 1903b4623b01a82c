// Convolutions of bytes with zero points or without signs, and products with both: products of bytes with signs by matrix
// instructions, sums of windows and of filters, and what puts them together. The very bits.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.0.npy --output 5=%t.1.npy --output 8=%t.2.npy --output 11=%t.3.npy
// RUN: for d in gfx942,forward gfx90a,reverse gfx1100,random:3 gfx1201,reverse; do \
// RUN:   airlite-run %s --target=$(echo $d | sed 's/,.*//') --order=$(echo $d | sed 's/.*,//') --init=random:4 \
// RUN:     --expect 2=%t.0.npy --expect 5=%t.1.npy --expect 8=%t.2.npy --expect 11=%t.3.npy || exit 1; done
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 | FileCheck %s

// Sums of windows and of filters for the first one.
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: vector.contract
// The filters of the second one have no zero point.
// CHECK-COUNT-1: linalg.generic {{.*}}"reduction"
// CHECK: vector.contract
// CHECK: vector.contract
// CHECK: vector.contract
func.func @main(%a: memref<2x13x12x8xi8>, %b: memref<3x2x8x20xi8>, %c: memref<2x6x11x20xi32>, %d: memref<1x4x8x9x9xi8>, %e: memref<4x5x8x3x3xi8>, %f: memref<1x4x5x5x5xi32>,
                %g: memref<1x10x10x8xi8>, %h: memref<16x3x3x8xi8>, %i: memref<1x8x8x16xi32>, %j: memref<37x64xi8>, %k: memref<64x45xi8>, %l: memref<37x45xi32>, %z: i32) {
  %minus = arith.constant -5 : i32
  %zero = arith.constant 0 : i32
  linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%a, %b, %z, %minus : memref<2x13x12x8xi8>, memref<3x2x8x20xi8>, i32, i32) outs(%c : memref<2x6x11x20xi32>)
  linalg.conv_2d_ngchw_gfchw_q {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%d, %e, %z, %zero : memref<1x4x8x9x9xi8>, memref<4x5x8x3x3xi8>, i32, i32) outs(%f : memref<1x4x5x5x5xi32>)
  linalg.conv_2d_nhwc_fhwc {cast = #linalg.type_fn<cast_unsigned>, dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%g, %h : memref<1x10x10x8xi8>, memref<16x3x3x8xi8>) outs(%i : memref<1x8x8x16xi32>)
  linalg.quantized_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%j, %k, %z, %minus : memref<37x64xi8>, memref<64x45xi8>, i32, i32) outs(%l : memref<37x45xi32>)
  return
}
