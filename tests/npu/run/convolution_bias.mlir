// A convolution that adds to a bias, as frameworks export them: where its launch instances then are rounds, whose filters stay in L2, its sums
// begin with zero and are added by an op of their own.
// REQUIRES: !sanitize
// RUN: airlite-compile --target=npu1 --remarks %s -o %t 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN-DAG: adds to its result in an op of its own
// PLAN-DAG: rounds 1x{{[0-9]+}}x{{[0-9]+}}x1x1x1x1
func.func @bias(%x: memref<1x114x114x64xbf16>, %w: memref<3x3x64x64xbf16>, %b: memref<64xbf16>, %y: memref<1x112x112x64xbf16>) {
  linalg.broadcast ins(%b : memref<64xbf16>) outs(%y : memref<1x112x112x64xbf16>) dimensions = [0, 1, 2]
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x114x114x64xbf16>, memref<3x3x64x64xbf16>) outs(%y : memref<1x112x112x64xbf16>)
  return
}
