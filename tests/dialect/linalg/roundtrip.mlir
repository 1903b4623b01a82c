// Structured ops with and without bodies in text, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #map1 = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @f
func.func @f(%arg0: memref<4x8xf32>, %arg1: memref<8x16xf32>, %arg2: memref<4x16xf32>, %arg3: f32, %arg4: tensor<4x8xf32>, %arg5: tensor<8x16xf32>, %arg6: tensor<4x16xf32>, %arg7: memref<4xf32>, %arg8: memref<4x8xi8>, %arg9: memref<8x16xi8>, %arg10: memref<4x16xi32>, %arg11: tensor<4xf32>, %arg12: memref<4x16xi64>) {
  // CHECK: linalg.fill ins(%arg3 : f32) outs(%arg0 : memref<4x8xf32>)
  linalg.fill ins(%arg3 : f32) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: %0 = linalg.fill ins(%arg3 : f32) outs(%arg4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.fill ins(%arg3 : f32) outs(%arg4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: linalg.fill {foo = 1 : i32} ins(%arg3 : f32) outs(%arg0 : memref<4x8xf32>)
  linalg.fill {foo = 1 : i32} ins(%arg3 : f32) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.copy ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.copy ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.matmul ins(%arg0, %arg1 : memref<4x8xf32>, memref<8x16xf32>) outs(%arg2 : memref<4x16xf32>)
  linalg.matmul ins(%arg0, %arg1 : memref<4x8xf32>, memref<8x16xf32>) outs(%arg2 : memref<4x16xf32>)
  // CHECK-NEXT: %1 = linalg.matmul ins(%arg4, %arg5 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%arg6 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = linalg.matmul ins(%arg4, %arg5 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%arg6 : tensor<4x16xf32>) -> tensor<4x16xf32>
  // CHECK-NEXT: linalg.matmul ins(%arg8, %arg9 : memref<4x8xi8>, memref<8x16xi8>) outs(%arg10 : memref<4x16xi32>)
  linalg.matmul ins(%arg8, %arg9 : memref<4x8xi8>, memref<8x16xi8>) outs(%arg10 : memref<4x16xi32>)
  // CHECK-NEXT: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg8, %arg9 : memref<4x8xi8>, memref<8x16xi8>) outs(%arg10 : memref<4x16xi32>)
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg8, %arg9 : memref<4x8xi8>, memref<8x16xi8>) outs(%arg10 : memref<4x16xi32>)
  // CHECK-NEXT: linalg.matmul {cast = #linalg.type_fn<cast_signed>} ins(%arg8, %arg9 : memref<4x8xi8>, memref<8x16xi8>) outs(%arg10 : memref<4x16xi32>)
  linalg.matmul {cast = #linalg.type_fn<cast_signed>} ins(%arg8, %arg9 : memref<4x8xi8>, memref<8x16xi8>) outs(%arg10 : memref<4x16xi32>)
  // CHECK-NEXT: linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>) {
  // CHECK-NEXT: ^bb0(%in: f32, %out: f32):
  ^bb0(%in: f32, %out: f32):
    // CHECK-NEXT: %4 = linalg.index 1 : index
    %4 = linalg.index 1 : index
    // CHECK-NEXT: linalg.yield %in : f32
    linalg.yield %in : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: linalg.generic {doc = "xx", indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"], library_call = "call"} ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) attrs =  {bar = 1 : i32, foo = 3 : i32} {
  linalg.generic {doc = "xx", indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"], library_call = "call"} ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) attrs =  {bar = 1 : i32, foo = 3 : i32} {
  // CHECK-NEXT: ^bb0(%in: f32, %out: f32):
  ^bb0(%in: f32, %out: f32):
    // CHECK-NEXT: %4 = arith.addf %in, %out : f32
    %4 = arith.addf %in, %out : f32
    // CHECK-NEXT: linalg.yield %4 : f32
    linalg.yield %4 : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg4 : tensor<4x8xf32>) outs(%arg11 : tensor<4xf32>) {
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg4 : tensor<4x8xf32>) outs(%arg11 : tensor<4xf32>) {
  // CHECK-NEXT: ^bb0(%in: f32, %out: f32):
  ^bb0(%in: f32, %out: f32):
    // CHECK-NEXT: %4 = arith.addf %in, %out : f32
    %4 = arith.addf %in, %out : f32
    // CHECK-NEXT: linalg.yield %4 : f32
    linalg.yield %4 : f32
  // CHECK-NEXT: } -> tensor<4xf32>
  } -> tensor<4xf32>
  // CHECK-NEXT: linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%arg0 : memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%arg0 : memref<4x8xf32>) {
  // CHECK-NEXT: ^bb0(%out: f32):
  ^bb0(%out: f32):
    // CHECK-NEXT: linalg.yield %arg3 : f32
    linalg.yield %arg3 : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: linalg.reduce ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) dimensions = [1]
  linalg.reduce ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) dimensions = [1] 
    // CHECK-NEXT: (%in: f32, %init: f32) {
    (%in: f32, %init: f32) {
      // CHECK-NEXT: %4 = arith.addf %in, %init : f32
      %4 = arith.addf %in, %init : f32
      // CHECK-NEXT: linalg.yield %4 : f32
      linalg.yield %4 : f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: linalg.reduce { arith.addf } ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) dimensions = [1] 
  // CHECK-NEXT: linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) dimensions = [1]  {foo = 1 : i32}
  linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%arg0 : memref<4x8xf32>) outs(%arg7 : memref<4xf32>) dimensions = [1]  {foo = 1 : i32}
  // CHECK-NEXT: %reduced = linalg.reduce ins(%arg4 : tensor<4x8xf32>) outs(%arg11 : tensor<4xf32>) dimensions = [1]
  %reduced = linalg.reduce ins(%arg4 : tensor<4x8xf32>) outs(%arg11 : tensor<4xf32>) dimensions = [1] 
    // CHECK-NEXT: (%in: f32, %init: f32) {
    (%in: f32, %init: f32) {
      // CHECK-NEXT: %4 = arith.addf %in, %init : f32
      %4 = arith.addf %in, %init : f32
      // CHECK-NEXT: %5 = arith.addf %4, %init : f32
      %5 = arith.addf %4, %init : f32
      // CHECK-NEXT: linalg.yield %5 : f32
      linalg.yield %5 : f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: linalg.map ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.map ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
    // CHECK-NEXT: (%in: f32, %in_0: f32) {
    (%in: f32, %in_0: f32) {
      // CHECK-NEXT: %4 = arith.addf %in, %in_0 : f32
      %4 = arith.addf %in, %in_0 : f32
      // CHECK-NEXT: %5 = arith.addf %4, %in_0 : f32
      %5 = arith.addf %4, %in_0 : f32
      // CHECK-NEXT: linalg.yield %5 : f32
      linalg.yield %5 : f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: linalg.map { arith.addf } ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.map { arith.addf } ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.map outs(%arg0 : memref<4x8xf32>)
  linalg.map outs(%arg0 : memref<4x8xf32>)
    // CHECK-NEXT: () {
    () {
      // CHECK-NEXT: linalg.yield %arg3 : f32
      linalg.yield %arg3 : f32
    // CHECK-NEXT: }
    }
  // CHECK-NEXT: %mapped = linalg.map { math.exp } ins(%arg4 : tensor<4x8xf32>) outs(%arg4 : tensor<4x8xf32>)
  %mapped = linalg.map { math.exp } ins(%arg4 : tensor<4x8xf32>) outs(%arg4 : tensor<4x8xf32>)
  // CHECK-NEXT: %alloc = memref.alloc() : memref<8x4xf32>
  %alloc = memref.alloc() : memref<8x4xf32>
  // CHECK-NEXT: linalg.transpose ins(%arg0 : memref<4x8xf32>) outs(%alloc : memref<8x4xf32>) permutation = [1, 0]
  linalg.transpose ins(%arg0 : memref<4x8xf32>) outs(%alloc : memref<8x4xf32>) permutation = [1, 0] 
  // CHECK-NEXT: linalg.broadcast ins(%arg7 : memref<4xf32>) outs(%arg0 : memref<4x8xf32>) dimensions = [1]  {foo = 1 : i32}
  linalg.broadcast ins(%arg7 : memref<4xf32>) outs(%arg0 : memref<4x8xf32>) dimensions = [1]  {foo = 1 : i32}
  // CHECK-NEXT: %broadcasted = linalg.broadcast ins(%arg11 : tensor<4xf32>) outs(%arg4 : tensor<4x8xf32>) dimensions = [1]
  %broadcasted = linalg.broadcast ins(%arg11 : tensor<4xf32>) outs(%arg4 : tensor<4x8xf32>) dimensions = [1] 
  // CHECK-NEXT: linalg.add ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.add ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.exp ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.exp ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.elemwise_unary ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.elemwise_unary ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.elemwise_unary {fun = #linalg.unary_fn<abs>} ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.elemwise_unary {fun = #linalg.unary_fn<abs>} ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: linalg.elemwise_binary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.binary_fn<mul>} ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.elemwise_binary {cast = #linalg.type_fn<cast_unsigned>, fun = #linalg.binary_fn<mul>} ins(%arg0, %arg0 : memref<4x8xf32>, memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: %3 = linalg.softmax dimension(1) ins(%arg4 : tensor<4x8xf32>) outs(%arg4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.softmax dimension(1) ins(%arg4 : tensor<4x8xf32>) outs(%arg4 : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: linalg.softmax dimension(1) ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  linalg.softmax dimension(1) ins(%arg0 : memref<4x8xf32>) outs(%arg0 : memref<4x8xf32>)
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}
