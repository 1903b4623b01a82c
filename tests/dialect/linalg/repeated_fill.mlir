// A fill directly after an equal fill.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @fills(
// CHECK-NEXT: %0 = linalg.fill ins(%arg1 : f32) outs(%arg0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: linalg.fill ins(%arg1 : f32) outs(%arg3 : memref<4xf32>)
// CHECK-NEXT: linalg.fill ins(%arg2 : f32) outs(%arg3 : memref<4xf32>)
// CHECK-NEXT: return %0 : tensor<4xf32>
// CHECK-NEXT: }
func.func @fills(%t: tensor<4xf32>, %f: f32, %g: f32, %m: memref<4xf32>) -> tensor<4xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  linalg.fill ins(%g : f32) outs(%m : memref<4xf32>)
  return %1 : tensor<4xf32>
}
