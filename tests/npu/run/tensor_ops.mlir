// Tensors that are cut, put together, padded and reshaped, on their way to cores.
// RUN: for name in cut shaped padded; do airlite-run --on=sim --compare=interp --init=random:1 --function=$name %s || exit 1; done | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
// CHECK: 2 arguments are as in the interpreter, bit by bit
// CHECK: 2 arguments are as in the interpreter, bit by bit
func.func @cut(%a: tensor<32x32xi32>, %b: tensor<16x16xi32>) -> tensor<32x32xi32> {
  %p = tensor.extract_slice %a[8, 4] [16, 16] [1, 1] : tensor<32x32xi32> to tensor<16x16xi32>
  %e = tensor.empty() : tensor<16x16xi32>
  %s = linalg.mul ins(%p, %b : tensor<16x16xi32>, tensor<16x16xi32>) outs(%e : tensor<16x16xi32>) -> tensor<16x16xi32>
  %r = tensor.insert_slice %s into %a[0, 16] [16, 16] [1, 1] : tensor<16x16xi32> into tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}
func.func @shaped(%a: tensor<32x32xi32>) -> tensor<1024xi32> {
  %f = tensor.collapse_shape %a [[0, 1]] : tensor<32x32xi32> into tensor<1024xi32>
  %e = tensor.empty() : tensor<1024xi32>
  %r = linalg.add ins(%f, %f : tensor<1024xi32>, tensor<1024xi32>) outs(%e : tensor<1024xi32>) -> tensor<1024xi32>
  return %r : tensor<1024xi32>
}
func.func @padded(%a: tensor<30x30xi32>) -> tensor<32x32xi32> {
  %z = arith.constant 5 : i32
  %p = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i32
  } : tensor<30x30xi32> to tensor<32x32xi32>
  %e = tensor.empty() : tensor<32x32xi32>
  %r = linalg.mul ins(%p, %p : tensor<32x32xi32>, tensor<32x32xi32>) outs(%e : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}
