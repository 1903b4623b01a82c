// Windows over images without channels, or with channels outside: rows of an image are one long row of a core, of which vectors begin at
// any element (air-join-window-rows, air-aie-unaligned-vectors).
// REQUIRES: !sanitize
// RUN: for f in bytes halves words odd largest depthwise narrow line tall; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-18: 3 arguments are as in the interpreter, bit by bit
// RUN: for f in floats short; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done
// Sums of products of bytes stay in an accumulator: all but the first product of a sum are multiplied and added at once.
// RUN: airlite-compile --target=npu1 --function=bytes --remarks %s -o %t 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: FileCheck %s --check-prefix=CODE < %t/core_0_2.s
// OVERLAP: remark: rounds begin {{[0-9]+}} cycles after each other, {{[2-9]}} are under way
// CODE-COUNT-8: vmac cm
// A number of rows that no tile divides: launch instances overlap.
// RUN: airlite-compile --target=npu1 --function=tall --report=plan %s -o %t.tall | FileCheck %s --check-prefix=TALL
// TALL: steps

func.func @bytes(%a: memref<34x66xi8>, %w: memref<3x3xi8>, %c: memref<32x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<32x64xi32>)
  linalg.conv_2d ins(%a, %w : memref<34x66xi8>, memref<3x3xi8>) outs(%c : memref<32x64xi32>)
  return
}
// Adds to what is there.
func.func @halves(%a: memref<20x44xi16>, %w: memref<5x5xi16>, %c: memref<16x40xi32>) {
  linalg.conv_2d ins(%a, %w : memref<20x44xi16>, memref<5x5xi16>) outs(%c : memref<16x40xi32>)
  return
}
func.func @words(%a: memref<22x37xi32>, %w: memref<3x7xi32>, %c: memref<20x31xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<20x31xi32>)
  linalg.conv_2d ins(%a, %w : memref<22x37xi32>, memref<3x7xi32>) outs(%c : memref<20x31xi32>)
  return
}
// An image that is no whole words.
func.func @odd(%a: memref<27x35xi8>, %w: memref<3x3xi8>, %c: memref<25x33xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<25x33xi32>)
  linalg.conv_2d ins(%a, %w : memref<27x35xi8>, memref<3x3xi8>) outs(%c : memref<25x33xi32>)
  return
}
func.func @largest(%a: memref<1x8x18x20xi8>, %w: memref<3x5xi8>, %c: memref<1x8x16x16xi8>) {
  %least = arith.constant -128 : i8
  linalg.fill ins(%least : i8) outs(%c : memref<1x8x16x16xi8>)
  linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%a, %w : memref<1x8x18x20xi8>, memref<3x5xi8>) outs(%c : memref<1x8x16x16xi8>)
  return
}
func.func @depthwise(%a: memref<2x16x18x30xi8>, %w: memref<16x3x3xi8>, %c: memref<2x16x16x28xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<2x16x16x28xi32>)
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%a, %w : memref<2x16x18x30xi8>, memref<16x3x3xi8>) outs(%c : memref<2x16x16x28xi32>)
  return
}
// Sums of bytes wrap around as bytes.
func.func @narrow(%a: memref<18x34xi8>, %w: memref<3x3xi8>, %c: memref<16x32xi8>) {
  linalg.conv_2d ins(%a, %w : memref<18x34xi8>, memref<3x3xi8>) outs(%c : memref<16x32xi8>)
  return
}
func.func @line(%a: memref<1004xi16>, %w: memref<5xi16>, %c: memref<1000xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<1000xi32>)
  linalg.conv_1d ins(%a, %w : memref<1004xi16>, memref<5xi16>) outs(%c : memref<1000xi32>)
  return
}
func.func @tall(%a: memref<241x66xi16>, %w: memref<3x3xi16>, %c: memref<239x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<239x64xi32>)
  linalg.conv_2d ins(%a, %w : memref<241x66xi16>, memref<3x3xi16>) outs(%c : memref<239x64xi32>)
  return
}
func.func @floats(%a: memref<18x38xf32>, %w: memref<3x3xf32>, %c: memref<16x36xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<16x36xf32>)
  linalg.conv_2d ins(%a, %w : memref<18x38xf32>, memref<3x3xf32>) outs(%c : memref<16x36xf32>)
  return
}
func.func @short(%a: memref<1x16x18x34xbf16>, %w: memref<16x3x3xbf16>, %c: memref<1x16x16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1x16x16x32xf32>)
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%a, %w : memref<1x16x18x34xbf16>, memref<16x3x3xbf16>) outs(%c : memref<1x16x16x32xf32>)
  return
}
