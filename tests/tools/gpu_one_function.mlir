// A function that stays on tensors keeps no other one from being run, or compiled; one that is called does, where it is.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:1 --output 1=%t.npy
// RUN: airlite-run %s --target=gfx942 --init=random:1 --expect 1=%t.npy
// RUN: not airlite-run %s --target=gfx942 --init=zero --function=calls 2>&1 | FileCheck %s
// RUN: not airlite-run %s --target=gfx942 --init=zero --function=mian 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: airlite-compile %s --target=gfx942 -o %t 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: not airlite-compile %s --target=gfx942 -o %t.w --Werror 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: sed '/^func.func @main/,$d' %s >%t.mlir
// RUN: sed 's/private @other/@other/' %t.mlir | not airlite-compile --target=gfx942 -o %t.n 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: airlite-compile %s --target=npu1 -o %t.npu 2>&1 | FileCheck %s --check-prefix=NPU

// LEFT: gpu_one_function.mlir:[[@LINE+19]]:1: {{warning|error}}: function 'calls' is left out: it stays on tensors
// LEFT: gpu_one_function.mlir:[[@LINE+12]]:5: note: 'scf.yield' op stays on tensors: it takes tensors out of a loop or a branch
// NPU: gpu_one_function.mlir:[[@LINE+17]]:1: warning: function 'calls' stays on the host: it works on tensors
// FILES: main{{.*}}.hsaco
// BOTH: warning: function 'other' is left out
// BOTH: warning: function 'calls' is left out
// BOTH: error: there is no air.launch to compile

// NAME: there is no function 'mian' with a body
// CHECK: gpu_one_function.mlir:[[@LINE+2]]:8: error: 'scf.if' op stays on tensors: no buffers are known for it
func.func private @other(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %s = arith.addf %a, %a : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @calls(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = call @other(%a, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.addf %a, %a : tensor<4xf32>
  return %s : tensor<4xf32>
}
