// A program on tensors, whose result becomes the last argument; a view of the host and a copy beside it.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=main %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles --function=main %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %S/Inputs/host_views.mlir | FileCheck %s --check-prefix=VIEWS
// VIEWS: 3 arguments are as in the interpreter, bit by bit
#same = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%a: tensor<16x32xi32>, %bias: tensor<16xi32>) -> tensor<16x16xi32> {
  %zero = arith.constant 0 : i32
  %weights = arith.constant dense<3> : tensor<32x16xi32>
  %e = tensor.empty() : tensor<16x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<16x16xi32>) -> tensor<16x16xi32>
  %m = linalg.matmul ins(%a, %weights : tensor<16x32xi32>, tensor<32x16xi32>) outs(%f : tensor<16x16xi32>) -> tensor<16x16xi32>
  %r = linalg.generic {indexing_maps = [#same, #column, #same], iterator_types = ["parallel", "parallel"]}
      ins(%m, %bias : tensor<16x16xi32>, tensor<16xi32>) outs(%e : tensor<16x16xi32>) {
  ^bb0(%x: i32, %y: i32, %old: i32):
    %0 = arith.addi %x, %y : i32
    %1 = arith.maxsi %0, %zero : i32
    linalg.yield %1 : i32
  } -> tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}
