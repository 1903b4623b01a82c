// A transposed right factor of floats on AIE2P, whose blocks have rows of 32 columns: cores turn its tiles by bands of rows.
// RUN: for f in halves narrow floats; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// CHECK-COUNT-3: 3 arguments are as in the interpreter
// In the place of 140,000 cycles, element by element:
// RUN: for f in halves narrow; do airlite-run --on=model --target=npu2 --stats --init=zero --function=$f %s || exit 1; done | FileCheck %s --check-prefix=CYCLES
// CYCLES: {{^[12][0-9][0-9][0-9][0-9]}} cycles
// CYCLES: {{^[12][0-9][0-9][0-9][0-9]}} cycles
func.func @halves(%a: memref<32x64xbf16>, %b: memref<128x64xbf16>, %c: memref<32x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x128xf32>)
  linalg.matmul_transpose_b ins(%a, %b : memref<32x64xbf16>, memref<128x64xbf16>) outs(%c : memref<32x128xf32>)
  return
}
func.func @narrow(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<64x64xbf16>)
  linalg.matmul_transpose_b ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
  return
}
func.func @floats(%a: memref<64x64xf32>, %b: memref<128x64xf32>, %c: memref<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x128xf32>)
  linalg.matmul_transpose_b ins(%a, %b : memref<64x64xf32>, memref<128x64xf32>) outs(%c : memref<64x128xf32>)
  return
}
