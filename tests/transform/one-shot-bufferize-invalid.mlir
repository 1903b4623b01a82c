// RUN: airlite-opt %s --one-shot-bufferize --verify-diagnostics --split-input-file
// RUN: not airlite-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file 2>&1 | FileCheck %s --check-prefix=BOUNDARIES

// BOUNDARIES: func.func @argument(%arg0: memref<4xi32>) -> memref<4xi32>
// expected-error @+1 {{has tensors as arguments or results, which 'bufferize-function-boundaries' makes buffers}}
func.func @argument(%t: tensor<4xi32>) -> tensor<4xi32> {
  return %t : tensor<4xi32>
}

// -----

func.func @branches(%a: memref<4xi32>, %c: i1) {
  // expected-error @+1 {{stays on tensors: other ops may write to the buffer, it is not 'restrict'}}
  %t = bufferization.to_tensor %a : memref<4xi32> to tensor<4xi32>
  // expected-error @+1 {{stays on tensors: no buffers are known for it}}
  %r = scf.if %c -> (tensor<4xi32>) {
    // expected-error @+1 {{stays on tensors: it takes tensors out of a loop or a branch}}
    scf.yield %t : tensor<4xi32>
  } else {
    // expected-error @+1 {{stays on tensors: it takes tensors out of a loop or a branch}}
    scf.yield %t : tensor<4xi32>
  }
  return
}
