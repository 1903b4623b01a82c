// Pooling of images whose channels make no whole words or vectors is done on copies with more channels.
// RUN: for t in npu1 npu2; do for f in bytes halves; do \
// RUN:   airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; \
// RUN: done; done | FileCheck %s
// CHECK-COUNT-4: arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=bytes --remarks %s -o %t 2>&1 | FileCheck %s --check-prefix=COPIES
// COPIES: on copies of 2 operands with longer rows
func.func @bytes(%x: memref<1x20x10x29xi8>, %y: memref<1x10x5x29xi8>) {
  %least = arith.constant -128 : i8
  linalg.fill ins(%least : i8) outs(%y : memref<1x10x5x29xi8>)
  %window = memref.alloc() : memref<2x2xi8>
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : memref<1x20x10x29xi8>, memref<2x2xi8>) outs(%y : memref<1x10x5x29xi8>)
  return
}
func.func @halves(%x: memref<1x12x14x21xi16>, %y: memref<1x10x12x21xi16>) {
  %zero = arith.constant 0 : i16
  linalg.fill ins(%zero : i16) outs(%y : memref<1x10x12x21xi16>)
  %window = memref.alloc() : memref<3x3xi16>
  linalg.pooling_nhwc_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %window : memref<1x12x14x21xi16>, memref<3x3xi16>) outs(%y : memref<1x10x12x21xi16>)
  return
}
