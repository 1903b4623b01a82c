// After an error the reader goes on with the next operation, and not with the next line of the one
// that is broken.
// RUN: not airlite-opt %s 2>&1 | FileCheck %s --implicit-check-not=error:
// CHECK: recovery_lines.mlir:[[@LINE+7]]:18: error: use of undeclared SSA value name '%u'
// CHECK: recovery_lines.mlir:[[@LINE+13]]:12: error: use of undeclared SSA value name '%v'
// CHECK: recovery_lines.mlir:[[@LINE+17]]:11: error: use of undeclared SSA value name '%w'
func.func @f(%m: memref<4xf32>, %f: f32) {
  air.launch () in () args(%a = %m)
      : memref<4xf32> {
    %c = arith.constant 0 : index
    memref.store %u, %a[%c] : memref<4xf32>
  }
  return
}
func.func @h(%m: memref<4xf32>, %f: f32) {
  linalg.fill
      ins(%f : f32)
      outs(%v : memref<4xf32>)
  return
}
func.func @g(%f: f32) {
  %0 = arith.addf
      %f, %w
      : f32
  return
}
