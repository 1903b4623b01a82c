// Products in any layout and of any size use the matrix unit: the cores lay their operands out in tiles.
// RUN: for f in odd transposed vector convolution halves batches; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// CHECK-COUNT-6: 3 arguments are as in the interpreter, bit by bit
// RUN: for f in odd transposed convolution halves batches; do \
// RUN:   rm -rf %t; airlite-compile --target=npu1 --function=$f %s -o %t && grep -l vmac %t/*core_*.s > /dev/null || exit 1; \
// RUN: done
func.func @odd(%a: memref<21x23xi8>, %b: memref<23x19xi8>, %c: memref<21x19xi32>) {
  linalg.matmul ins(%a, %b : memref<21x23xi8>, memref<23x19xi8>) outs(%c : memref<21x19xi32>)
  return
}
func.func @transposed(%a: memref<24x40xi8>, %b: memref<20x40xi8>, %c: memref<24x20xi32>) {
  linalg.matmul_transpose_b ins(%a, %b : memref<24x40xi8>, memref<20x40xi8>) outs(%c : memref<24x20xi32>)
  return
}
func.func @vector(%a: memref<32x48xi8>, %b: memref<48xi8>, %c: memref<32xi32>) {
  linalg.matvec ins(%a, %b : memref<32x48xi8>, memref<48xi8>) outs(%c : memref<32xi32>)
  return
}
func.func @convolution(%x: memref<1x10x10x8xi8>, %w: memref<3x3x8x12xi8>, %y: memref<1x8x8x12xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : memref<1x10x10x8xi8>, memref<3x3x8x12xi8>) outs(%y : memref<1x8x8x12xi32>)
  return
}
func.func @halves(%a: memref<10x26xi16>, %b: memref<26x14xi16>, %c: memref<10x14xi32>) {
  linalg.matmul ins(%a, %b : memref<10x26xi16>, memref<26x14xi16>) outs(%c : memref<10x14xi32>)
  return
}
func.func @batches(%a: memref<3x12x20xi8>, %b: memref<3x20x12xi8>, %c: memref<3x12x12xi32>) {
  linalg.batch_matmul ins(%a, %b : memref<3x12x20xi8>, memref<3x20x12xi8>) outs(%c : memref<3x12x12xi32>)
  return
}
