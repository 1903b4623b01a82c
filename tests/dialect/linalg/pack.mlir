// linalg.pack and linalg.unpack.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @pack
func.func @pack(%arg0: tensor<4x8xf32>, %arg1: tensor<2x4x2x2xf32>, %arg2: f32, %arg3: index, %arg4: tensor<?x?x?x2xf32>, %arg5: tensor<?x?xf32>) {
  // CHECK: %pack = linalg.pack %arg0 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg1 : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  %pack = linalg.pack %arg0 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg1 : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  // CHECK-NEXT: %pack_0 = linalg.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg1 {foo = 1 : i32} : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  %pack_0 = linalg.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg1 {foo = 1 : i32} : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  // CHECK-NEXT: %unpack = linalg.unpack %pack inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg0 : tensor<2x4x2x2xf32> -> tensor<4x8xf32>
  %unpack = linalg.unpack %pack inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %arg0 : tensor<2x4x2x2xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: %pack_1 = linalg.pack %arg5 inner_dims_pos = [0, 1] inner_tiles = [%arg3, 2] into %arg4 : tensor<?x?xf32> -> tensor<?x?x?x2xf32>
  %pack_1 = linalg.pack %arg5 inner_dims_pos = [0, 1] inner_tiles = [%arg3, 2] into %arg4 : tensor<?x?xf32> -> tensor<?x?x?x2xf32>
  // CHECK-NEXT: %unpack_2 = linalg.unpack %pack_1 inner_dims_pos = [0, 1] inner_tiles = [%arg3, 2] into %arg5 : tensor<?x?x?x2xf32> -> tensor<?x?xf32>
  %unpack_2 = linalg.unpack %pack_1 inner_dims_pos = [0, 1] inner_tiles = [%arg3, 2] into %arg5 : tensor<?x?x?x2xf32> -> tensor<?x?xf32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}
