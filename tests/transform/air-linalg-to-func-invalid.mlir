// RUN: airlite-opt %s --air-linalg-to-func --split-input-file --verify-diagnostics

func.func @tensors(%t: tensor<4xi32>, %v: i32) {
  // expected-error@+1 {{'linalg.fill' op not supported: it is not on memrefs only}}
  %0 = linalg.fill ins(%v : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @operand(%m: memref<4xcomplex<f32>>, %v: complex<f32>) {
  // expected-error@+1 {{'linalg.fill' op not supported: an operand that is neither memref nor number}}
  linalg.fill ins(%v : complex<f32>) outs(%m : memref<4xcomplex<f32>>)
  return
}

// -----

// expected-note@+1 {{which is declared differently}}
func.func private @linalg_fill_i32_view4xi32(i32)
func.func @clash(%m: memref<4xi32>, %v: i32) {
  // expected-error@+1 {{'linalg.fill' op calls 'linalg_fill_i32_view4xi32' with '(i32, memref<4xi32>) -> ()'}}
  linalg.fill ins(%v : i32) outs(%m : memref<4xi32>)
  return
}
