// Several results, attributes, transposes and reductions of tensors.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
#map = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @f
func.func @f(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>, %arg3: tensor<4x8xf32>, %arg4: memref<4xf32>, %arg5: tensor<4xf32>, %arg6: tensor<8x4xf32>, %arg7: index) {
  // CHECK: %0:2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<4x8xf32>) outs(%arg3, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<4x8xf32>) outs(%arg3, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>) {
  // CHECK-NEXT: ^bb0(%in: f32, %out: f32, %out_0: f32):
  ^bb0(%in: f32, %out: f32, %out_0: f32):
    // CHECK-NEXT: linalg.yield %in, %in : f32, f32
    linalg.yield %in, %in : f32, f32
  // CHECK-NEXT: } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  // CHECK-NEXT: %transposed = linalg.transpose ins(%arg3 : tensor<4x8xf32>) outs(%arg6 : tensor<8x4xf32>) permutation = [1, 0]
  %transposed = linalg.transpose ins(%arg3 : tensor<4x8xf32>) outs(%arg6 : tensor<8x4xf32>) permutation = [1, 0] 
  // CHECK-NEXT: linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) attrs =  {a = 1 : i32} {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) attrs =  {a = 1 : i32} {
  // CHECK-NEXT: ^bb0(%in: f32, %out: f32):
  ^bb0(%in: f32, %out: f32):
    // CHECK-NEXT: %1 = linalg.index 1 : index
    %1 = linalg.index 1 : index
    // CHECK-NEXT: linalg.yield %in : f32
    linalg.yield %in : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %reduced:2 = linalg.reduce ins(%arg3, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg5, %arg5 : tensor<4xf32>, tensor<4xf32>) dimensions = [1]
  %reduced:2 = linalg.reduce ins(%arg3, %arg3 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg5, %arg5 : tensor<4xf32>, tensor<4xf32>) dimensions = [1] 
    // CHECK-NEXT: (%in: f32, %in_0: f32, %init: f32, %init_1: f32) {
    (%in: f32, %in_0: f32, %init: f32, %init_1: f32) {
      // CHECK-NEXT: %1 = arith.addf %in, %init : f32
      %1 = arith.addf %in, %init : f32
      // CHECK-NEXT: linalg.yield %1, %1 : f32, f32
      linalg.yield %1, %1 : f32, f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: linalg.map { arith.addf } ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) {foo = 1 : i32}
  linalg.map { arith.addf } ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) {foo = 1 : i32}
  // CHECK-NEXT: linalg.map ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) {foo = 1 : i32}
  linalg.map ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) {foo = 1 : i32}
    // CHECK-NEXT: (%in: f32) {
    (%in: f32) {
      // CHECK-NEXT: linalg.yield %in : f32
      linalg.yield %in : f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: linalg.softmax {foo = 1 : i32} dimension(1) ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.softmax {foo = 1 : i32} dimension(1) ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}
