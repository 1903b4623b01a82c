// What computes nothing goes away; what is done to memory stays.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @dead_on_tensors(
// CHECK-NEXT: linalg.fill ins(%arg1 : f32) outs(%arg2 : memref<4xf32>)
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @dead_on_tensors(%t: tensor<4xf32>, %f: f32, %m: memref<4xf32>) {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @identity_generic(
// CHECK-NEXT: return %arg0 : tensor<4xf32>
// CHECK-NEXT: }
func.func @identity_generic(%t: tensor<4xf32>, %u: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%u : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @copies(
// CHECK-NEXT: linalg.copy ins(%arg1 : memref<4xf32>) outs(%arg2 : memref<4xf32>)
// CHECK-NEXT: return %arg0 : tensor<4xf32>
// CHECK-NEXT: }
func.func @copies(%t: tensor<4xf32>, %m: memref<4xf32>, %n: memref<4xf32>) -> tensor<4xf32> {
  %0 = linalg.copy ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  linalg.copy ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @empty(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @empty(%m: memref<0x4xf32>) {
  linalg.exp ins(%m : memref<0x4xf32>) outs(%m : memref<0x4xf32>)
  return
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: linalg.fill ins(%arg1 : f32) outs(%arg0 : memref<4xf32>)
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @casts(%m: memref<4xf32>, %f: f32) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  linalg.fill ins(%f : f32) outs(%c : memref<?xf32>)
  return
}
