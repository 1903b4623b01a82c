// Copies of an image into L2 bring more channels than cores take at a time: the memory of the host takes as long for a part of a request
// as for all of it.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s --check-prefix=BITS
// RUN: airlite-opt --pipeline=air-npu %s | FileCheck %s

// BITS: arguments are as in the interpreter, bit by bit
// CHECK-LABEL: @channels
// The cores take fewer channels of the image than the 128 that one copy brings.
// CHECK-DAG: memref.alloc() : memref<{{.*}}x128xbf16, 1
// CHECK-DAG: memref.alloc() : memref<{{.*}}x{{16|32|64}}xbf16, 2
func.func @channels(%x: memref<1x10x18x128xbf16>, %w: memref<3x3x128x64xbf16>, %y: memref<1x8x16x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%y : memref<1x8x16x64xbf16>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x10x18x128xbf16>, memref<3x3x128x64xbf16>) outs(%y : memref<1x8x16x64xbf16>)
  return
}
