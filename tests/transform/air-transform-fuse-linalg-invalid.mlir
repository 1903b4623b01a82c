// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-fuse-two-wrong.mlir' 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-fuse-truncf-wrong.mlir' 2>&1 | FileCheck %s --check-prefix=TRUNCF

// TWO: :[[@LINE+11]]:{{.*}}error: 'linalg.generic' op cannot be fused: the first op does not compute each element alone
// TRUNCF: :[[@LINE+10]]:{{.*}}error: 'linalg.generic' op cannot be fused: a linalg.generic that reads its output would be another one with a narrow output
func.func @sums(%a: tensor<4x6xf32>, %z: tensor<4xf32>) -> tensor<4xbf16> {
  %r = linalg.generic {first, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x6xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xbf16>

  // The second op.
  %n = linalg.generic {second, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%r : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  return %n : tensor<4xbf16>
}
