// Every tensor op, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @f
func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: memref<4xf32>, %arg3: f32, %arg4: tensor<2xindex>, %arg5: tensor<*xf32>, %arg6: tensor<4x4x4xf32>, %arg7: tensor<1x1x2xindex>) {
  // CHECK-NEXT: %0 = tensor.empty(%arg1) {a = 1 : i64} : tensor<?x4xf32>
  %0 = tensor.empty(%arg1) {a = 1 : i64} : tensor<?x4xf32>
  // CHECK-NEXT: %extracted = tensor.extract %arg0[%arg1, %arg1] : tensor<?x4xf32>
  %extracted = tensor.extract %arg0[%arg1, %arg1] : tensor<?x4xf32>
  // CHECK-NEXT: %inserted = tensor.insert %arg3 into %arg0[%arg1, %arg1] : tensor<?x4xf32>
  %inserted = tensor.insert %arg3 into %arg0[%arg1, %arg1] : tensor<?x4xf32>
  // CHECK-NEXT: %extracted_slice = tensor.extract_slice %arg0[%arg1, 0] [2, %arg1] [1, 1] : tensor<?x4xf32> to tensor<2x?xf32>
  %extracted_slice = tensor.extract_slice %arg0[%arg1, 0] [2, %arg1] [1, 1] : tensor<?x4xf32> to tensor<2x?xf32>
  // CHECK-NEXT: %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[%arg1, 0] [2, %arg1] [1, 1] : tensor<2x?xf32> into tensor<?x4xf32>
  %inserted_slice = tensor.insert_slice %extracted_slice into %arg0[%arg1, 0] [2, %arg1] [1, 1] : tensor<2x?xf32> into tensor<?x4xf32>
  // CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<?x4xf32> to tensor<?x?xf32>
  %cast = tensor.cast %arg0 : tensor<?x4xf32> to tensor<?x?xf32>
  // CHECK-NEXT: %dim = tensor.dim %arg0, %arg1 : tensor<?x4xf32>
  %dim = tensor.dim %arg0, %arg1 : tensor<?x4xf32>
  // CHECK-NEXT: %rank = tensor.rank %arg0 : tensor<?x4xf32>
  %rank = tensor.rank %arg0 : tensor<?x4xf32>
  // CHECK-NEXT: %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  // CHECK-NEXT: %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [%arg1, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [%arg1, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  // CHECK-NEXT: %reshape = tensor.reshape %arg0(%arg4) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %reshape = tensor.reshape %arg0(%arg4) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  // CHECK-NEXT: %padded = tensor.pad %arg0 low[0, %arg1] high[1, 2] {
  %padded = tensor.pad %arg0 low[0, %arg1] high[1, 2] {
  // CHECK-NEXT: ^bb0(%arg8: index, %arg9: index):
  ^bb0(%arg8: index, %arg9: index):
    // CHECK-NEXT: tensor.yield %arg3 : f32
    tensor.yield %arg3 : f32
  // CHECK-NEXT: } : tensor<?x4xf32> to tensor<?x?xf32>
  } : tensor<?x4xf32> to tensor<?x?xf32>
  // CHECK-NEXT: %padded_0 = tensor.pad %arg0 nofold low[0, 0] high[1, 2] {
  %padded_0 = tensor.pad %arg0 nofold low[0, 0] high[1, 2] {
  // CHECK-NEXT: ^bb0(%arg8: index, %arg9: index):
  ^bb0(%arg8: index, %arg9: index):
    // CHECK-NEXT: tensor.yield %arg3 : f32
    tensor.yield %arg3 : f32
  // CHECK-NEXT: } {x} : tensor<?x4xf32> to tensor<?x6xf32>
  } {x} : tensor<?x4xf32> to tensor<?x6xf32>
  // CHECK-NEXT: %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %concat = tensor.concat dim(0) %arg0, %arg0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: %from_elements = tensor.from_elements %arg3, %arg3 : tensor<2xf32>
  %from_elements = tensor.from_elements %arg3, %arg3 : tensor<2xf32>
  // CHECK-NEXT: %generated = tensor.generate %arg1 {
  %generated = tensor.generate %arg1 {
  // CHECK-NEXT: ^bb0(%arg8: index):
  ^bb0(%arg8: index):
    // CHECK-NEXT: tensor.yield %arg3 : f32
    tensor.yield %arg3 : f32
  // CHECK-NEXT: } : tensor<?xf32>
  } : tensor<?xf32>
  // CHECK-NEXT: %splat = tensor.splat %arg3 : tensor<2xf32>
  %splat = tensor.splat %arg3 : tensor<2xf32>
  // CHECK-NEXT: %splat_1 = tensor.splat %arg3[%arg1] : tensor<?xf32>
  %splat_1 = tensor.splat %arg3[%arg1] : tensor<?xf32>
  // CHECK-NEXT: %gather = tensor.gather %arg6[%arg7] gather_dims([0, 2]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  %gather = tensor.gather %arg6[%arg7] gather_dims([0, 2]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  // CHECK-NEXT: %scatter = tensor.scatter %gather into %arg6[%arg7] scatter_dims([0, 2]) unique : (tensor<1x1x1x4x1xf32>, tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<4x4x4xf32>
  %scatter = tensor.scatter %gather into %arg6[%arg7] scatter_dims([0, 2]) unique : (tensor<1x1x1x4x1xf32>, tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<4x4x4xf32>
  // CHECK-NEXT: %1 = tensor.bitcast %arg0 : tensor<?x4xf32> to tensor<?x4xi32>
  %1 = tensor.bitcast %arg0 : tensor<?x4xf32> to tensor<?x4xi32>
  return
}
// CHECK-LABEL: func.func @p
func.func @p(%arg0: tensor<16x16xf32>, %arg1: tensor<2x4x8x4xf32>, %arg2: f32, %arg3: index) {
  // CHECK-NEXT: %pack = tensor.pack %arg0 padding_value(%arg2 : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg1 {x = 1 : i64} : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
  %pack = tensor.pack %arg0 padding_value(%arg2 : f32) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg1 {x = 1 : i64} : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
  // CHECK-NEXT: %unpack = tensor.unpack %arg1 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg0 {x = 1 : i64} : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  %unpack = tensor.unpack %arg1 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg0 {x = 1 : i64} : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  return
}
// CHECK-LABEL: func.func @parallel
func.func @parallel(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: %0 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %arg0) -> (tensor<4x4xf32>) {
  %0 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %arg0) -> (tensor<4x4xf32>) {
    // CHECK-NEXT: scf.forall.in_parallel {
    scf.forall.in_parallel {
      // CHECK-NEXT: tensor.parallel_insert_slice %arg1 into %arg3[%arg2, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
      tensor.parallel_insert_slice %arg1 into %arg3[%arg2, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}
// CHECK-LABEL: func.func @unranked
func.func @unranked(%arg0: tensor<*xf32>, %arg1: tensor<1xi32>, %arg2: index) {
  // CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<*xf32> to tensor<4xf32>
  %cast = tensor.cast %arg0 : tensor<*xf32> to tensor<4xf32>
  // CHECK-NEXT: %dim = tensor.dim %arg0, %arg2 : tensor<*xf32>
  %dim = tensor.dim %arg0, %arg2 : tensor<*xf32>
  // CHECK-NEXT: %rank = tensor.rank %arg0 : tensor<*xf32>
  %rank = tensor.rank %arg0 : tensor<*xf32>
  // CHECK-NEXT: %reshape = tensor.reshape %arg0(%arg1) : (tensor<*xf32>, tensor<1xi32>) -> tensor<?xf32>
  %reshape = tensor.reshape %arg0(%arg1) : (tensor<*xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK-NEXT: %0 = tensor.bitcast %arg0 : tensor<*xf32> to tensor<*xi32>
  %0 = tensor.bitcast %arg0 : tensor<*xf32> to tensor<*xi32>
  // CHECK-NEXT: %1 = tensor.empty() : tensor<f32>
  %1 = tensor.empty() : tensor<f32>
  // CHECK-NEXT: %extracted = tensor.extract %1[] : tensor<f32>
  %extracted = tensor.extract %1[] : tensor<f32>
  // CHECK-NEXT: %expanded = tensor.expand_shape %1 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %expanded = tensor.expand_shape %1 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  // CHECK-NEXT: %collapsed = tensor.collapse_shape %expanded [] : tensor<1x1xf32> into tensor<f32>
  %collapsed = tensor.collapse_shape %expanded [] : tensor<1x1xf32> into tensor<f32>
  return
}
