// Small matrices of a batch whose tiles would overlap both ways are computed whole, by a core each.
// REQUIRES: !sanitize
// RUN: for t in npu1 npu2; do for f in thirties tens; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-4: 3 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=thirties --report=plan -o %t %s | FileCheck %s --check-prefix=PLAN --implicit-check-not=blocks --allow-empty
// PLAN-NOT: launch 24x2x2
func.func @thirties(%a: memref<24x30x30xbf16>, %b: memref<24x30x30xbf16>, %c: memref<24x30x30xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<24x30x30xf32>)
  linalg.batch_matmul ins(%a, %b : memref<24x30x30xbf16>, memref<24x30x30xbf16>) outs(%c : memref<24x30x30xf32>)
  return
}
func.func @tens(%a: memref<64x10x10xi8>, %b: memref<64x10x10xi8>, %c: memref<64x10x10xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x10x10xi32>)
  linalg.batch_matmul ins(%a, %b : memref<64x10x10xi8>, memref<64x10x10xi8>) outs(%c : memref<64x10x10xi32>)
  return
}
