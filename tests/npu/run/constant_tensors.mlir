// Constant tensors are constants of the host, too.

// RUN: airlite-opt %s --air-bufferize-linalg --buffer-results-to-out-params | airlite-run --on=sim --compare=interp --init=random:1 -
// RUN: airlite-compile --target=npu1 %s -o %t.d && FileCheck %s --input-file=%t.d/manifest.json
// CHECK: "contents": "constant.bin"
func.func @main(%a: tensor<16xi32>) -> tensor<16xi32> {
  %w = arith.constant dense<[10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160]> : tensor<16xi32>
  %e = tensor.empty() : tensor<16xi32>
  %r = linalg.mul ins(%a, %w : tensor<16xi32>, tensor<16xi32>) outs(%e : tensor<16xi32>) -> tensor<16xi32>
  return %r : tensor<16xi32>
}
