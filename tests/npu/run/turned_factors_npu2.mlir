// A transposed right factor of floats on AIE2P, whose blocks have rows of 32 columns: cores turn its tiles by bands of rows.
// In the place of 140,000 and 44,000 cycles, element by element:
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --stats --target=npu2 --compare=interp --init=random:1 --function=halves %s | FileCheck %s --check-prefixes=HALVES,SAME
// RUN: airlite-run --on=sim --stats --target=npu2 --compare=interp --init=random:1 --function=floats %s | FileCheck %s --check-prefixes=FLOATS,SAME
// HALVES: {{^[12][0-9][0-9][0-9][0-9]}} cycles
// FLOATS: {{^[23][0-9][0-9][0-9][0-9]}} cycles
// SAME: 3 arguments are as in the interpreter
func.func @halves(%a: memref<32x64xbf16>, %b: memref<128x64xbf16>, %c: memref<32x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x128xf32>)
  linalg.matmul_transpose_b ins(%a, %b : memref<32x64xbf16>, memref<128x64xbf16>) outs(%c : memref<32x128xf32>)
  return
}
func.func @floats(%a: memref<64x64xf32>, %b: memref<128x64xf32>, %c: memref<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x128xf32>)
  linalg.matmul_transpose_b ins(%a, %b : memref<64x64xf32>, memref<128x64xf32>) outs(%c : memref<64x128xf32>)
  return
}
