// Products of matrices of bf16 on npu2: one product after the other, which are the bits of the program as it is
// (--exact); and in blocks that share exponents, with the bits of the interpreter of blocks. Any size, sums of bf16,
// factors of f32.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --target=npu2_2col --compare=interp --function=wide --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2_2col --exact --compare=interp --function=small --init=random:1 %s | FileCheck %s --check-prefix=EXACT
// RUN: airlite-run --on=sim --target=npu2_2col --float-blocks --compare=interp --function=wide --init=random:1 --output 2=%t.npy %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2_2col --float-blocks --compare=interp --function=odd --init=random:2 %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2_2col --float-blocks --compare=interp --function=narrow --init=random:3 %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2_2col --float-blocks --compare=interp --function=pieces --init=random:4 %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
// EXACT: 3 arguments are as in the interpreter, bit by bit
//
// RUN: not airlite-run --on=interp --function=wide --init=random:1 --expect 2=%t.npy %s 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: airlite-run --on=interp --function=wide --init=random:1 --expect 2=%t.npy --expect-atol=1.1 %s
// OTHER: elements differ
//
// RUN: airlite-compile %s --target=npu2_2col --function=wide --remarks -o %t.d 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=LANES < %t.d/core_0_2.s
// RUN: airlite-compile %s --target=npu2_2col --float-blocks --function=wide -o %t.d
// RUN: FileCheck %s --check-prefix=BLOCKS < %t.d/core_0_2.s
// REMARK: rounds begin {{[0-9]+}} cycles after each other, 2 are under way
// LANES: vmac.f dm{{[0-4]}}, dm{{[0-4]}}, y
// BLOCKS: vconv.bfp16ebs8.fp32 ex{{[0-9]+}}, dm
// BLOCKS: vmac.f dm{{[0-4]}}, dm{{[0-4]}}, ex
//
// RUN: not airlite-compile %s --target=npu1 --float-blocks --function=wide -o %t.d 2>&1 | FileCheck %s --check-prefix=NPU1
// RUN: not airlite-compile %s --target=npu2 --float-blocks --exact --function=wide -o %t.d 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not airlite-run %s --on=interp --float-blocks --function=wide 2>&1 | FileCheck %s --check-prefix=INTERP
// NPU1: bf16_npu2.mlir:{{[1-9][0-9]*}}:{{[0-9]+}}: error: not supported: blocks of floats on npu1; npu2 has them
// BOTH: blocks of floats and exact floats exclude each other
// INTERP: --float-blocks needs --on=sim
func.func @wide(%a: memref<32x64xbf16>, %b: memref<64x64xbf16>, %c: memref<32x64xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xbf16>, memref<64x64xbf16>) outs(%c : memref<32x64xf32>)
  return
}
func.func @odd(%a: memref<9x20xbf16>, %b: memref<20x33xbf16>, %c: memref<9x33xf32>) {
  linalg.matmul ins(%a, %b : memref<9x20xbf16>, memref<20x33xbf16>) outs(%c : memref<9x33xf32>)
  return
}
func.func @narrow(%a: memref<16x32xbf16>, %b: memref<32x32xbf16>, %c: memref<16x32xbf16>) {
  linalg.matmul ins(%a, %b : memref<16x32xbf16>, memref<32x32xbf16>) outs(%c : memref<16x32xbf16>)
  return
}
func.func @pieces(%a: memref<16x32xf32>, %b: memref<32x32xf32>, %c: memref<16x32xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xf32>, memref<32x32xf32>) outs(%c : memref<16x32xf32>)
  return
}
func.func @small(%a: memref<16x32xbf16>, %b: memref<32x32xbf16>, %c: memref<16x32xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xbf16>, memref<32x32xbf16>) outs(%c : memref<16x32xf32>)
  return
}
