// Products with fewer columns than a row of lanes of AIE2P (32 of bf16): the launch is longer, L2 or the copies of odd operands hold zeros for
// the rest, and results go back without the columns that were added.
// RUN: for f in floats narrow adds; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// CHECK-COUNT-3: as in the interpreter, bit by bit
// RUN: airlite-opt --air-tile-linalg='herd=8,4 device=npu2 matrix-sums=true products=true l2-bytes=4194304' --remarks --emit=none %s 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN-COUNT-4: tile of a core {{[0-9]+}}x32x
func.func @floats(%a: memref<523x278xbf16>, %b: memref<278x19xbf16>, %c: memref<523x19xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<523x19xf32>)
  linalg.matmul ins(%a, %b : memref<523x278xbf16>, memref<278x19xbf16>) outs(%c : memref<523x19xf32>)
  return
}
// Rows are whole words.
func.func @narrow(%a: memref<541x48xbf16>, %b: memref<48x12xbf16>, %c: memref<541x12xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<541x12xbf16>)
  linalg.matmul ins(%a, %b : memref<541x48xbf16>, memref<48x12xbf16>) outs(%c : memref<541x12xbf16>)
  return
}
func.func @adds(%a: memref<299x34xbf16>, %b: memref<34x29xbf16>, %c: memref<299x29xf32>) {
  linalg.matmul ins(%a, %b : memref<299x34xbf16>, memref<34x29xbf16>) outs(%c : memref<299x29xf32>)
  return
}
func.func @small(%a: memref<256x128xbf16>, %b: memref<128x16xbf16>, %c: memref<256x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x16xf32>)
  linalg.matmul ins(%a, %b : memref<256x128xbf16>, memref<128x16xbf16>) outs(%c : memref<256x16xf32>)
  return
}
