// A position outside of the source is an error of the interpreter, also after the gather has become loads of buffers.
// RUN: not airlite-run %s --on=interp --init=zero --input 1=7 2>&1 | FileCheck %s
// RUN: not airlite-run %s --on=interp --init=zero --input 1=-1 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: airlite-opt %s --air-bufferize-linalg | not airlite-run --on=interp --init=zero --input 1=7 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: airlite-run %s --on=interp --init=zero --input 1=4

// CHECK: gather_outside.mlir:[[@LINE+6]]:8: error: index [7, 0] of 'tensor.gather' is outside of the shape [5, 4]
// BELOW: error: index [-1, 0] of 'tensor.gather' is outside of the shape [5, 4]
// BUFFERS: error: index [7, 0] of 'memref.load' is outside of the shape [5, 4]
func.func @main(%table: tensor<5x4xf32>, %n: i32) -> tensor<3x4xf32> {
  %zero = arith.constant 0 : i32
  %list = tensor.from_elements %zero, %n, %zero : tensor<3x1xi32>
  %r = tensor.gather %table[%list] gather_dims([0]) unique : (tensor<5x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
