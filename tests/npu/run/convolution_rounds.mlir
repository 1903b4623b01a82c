// Over many launch instances with the same filters these stay in L2, and the instances are rounds.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=rounds %s | FileCheck %s --check-prefix=BITS
// RUN: airlite-compile --target=npu1 --function=rounds --remarks %s -o %t 2>&1 | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: rounds 1x4x1x1x1x1x1
// BITS: 3 arguments are as in the interpreter, bit by bit
func.func @rounds(%x: memref<1x42x42x64xi8>, %w: memref<3x3x64x64xi8>, %y: memref<1x40x40x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x40x40x64xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x42x42x64xi8>, memref<3x3x64x64xi8>) outs(%y : memref<1x40x40x64xi32>)
  return
}
