// Depthwise convolutions take lanes along their channels, not the matrix unit: no sum_depth, and vectors in the cores.
// RUN: for f in bytes floats narrow; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; \
// RUN: done | FileCheck %s
// RUN: airlite-compile %s --function=floats --target=npu1 --emit=air -o %t && FileCheck %s --check-prefix=AIR < %t/program.mlir
// CHECK-COUNT-3: 3 arguments are as in the interpreter, bit by bit
// AIR-NOT: air.sum_depth
func.func @bytes(%a: memref<1x6x6x32xi8>, %k: memref<3x3x32xi8>, %c: memref<1x4x4x32xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %k : memref<1x6x6x32xi8>, memref<3x3x32xi8>) outs(%c : memref<1x4x4x32xi32>)
  return
}
func.func @floats(%a: memref<1x6x6x32xf32>, %k: memref<3x3x32xf32>, %c: memref<1x4x4x32xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %k : memref<1x6x6x32xf32>, memref<3x3x32xf32>) outs(%c : memref<1x4x4x32xf32>)
  return
}
func.func @narrow(%a: memref<1x6x6x32xbf16>, %k: memref<3x3x32xbf16>, %c: memref<1x4x4x32xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %k : memref<1x6x6x32xbf16>, memref<3x3x32xbf16>) outs(%c : memref<1x4x4x32xf32>)
  return
}
