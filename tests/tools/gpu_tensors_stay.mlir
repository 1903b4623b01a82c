// What keeps tensors from becoming memory is said where it is, before arguments are asked for.
// REQUIRES: gpu
// RUN: not airlite-run %s --target=gfx942 --init=zero 2>&1 | FileCheck %s
// RUN: not airlite-compile %s --target=gfx942 -o %t 2>&1 | FileCheck %s

// CHECK: gpu_tensors_stay.mlir:[[@LINE+5]]:8: error: 'tensor.scatter' op stays on tensors: no buffers are known for it
func.func @main(%a: tensor<4x4xi32>, %p: tensor<4x1xindex>) -> tensor<4x4xi32> {
  %e = tensor.empty() : tensor<4x4xi32>
  %z = arith.constant 1 : i32
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %g = tensor.scatter %a into %f[%p] scatter_dims([0]) unique : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<4x1xindex>) -> tensor<4x4xi32>
  %s = arith.addi %g, %f : tensor<4x4xi32>
  return %s : tensor<4x4xi32>
}
