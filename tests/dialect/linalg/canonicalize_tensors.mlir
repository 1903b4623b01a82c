// Structured ops on tensors: casts, transposes, fills, packing.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: %0 = linalg.add ins(%arg0, %arg0 : tensor<4xf32>, tensor<4xf32>) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: return %cast : tensor<?xf32>
func.func @casts(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %d = tensor.cast %u : tensor<4xf32> to tensor<?xf32>
  %0 = linalg.add ins(%c, %c : tensor<?xf32>, tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Such a program has no meaning, but it stays a program.
// CHECK-LABEL: func.func @casts_that_disagree(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: %cast_0 = tensor.cast %arg1 : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT: %0 = linalg.add ins(%cast, %cast : tensor<?xf32>, tensor<?xf32>) outs(%cast_0 : tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT: return %0 : tensor<?xf32>
func.func @casts_that_disagree(%t: tensor<4xf32>, %u: tensor<5xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %d = tensor.cast %u : tensor<5xf32> to tensor<?xf32>
  %0 = linalg.add ins(%c, %c : tensor<?xf32>, tensor<?xf32>) outs(%d : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-NEXT: %transposed = linalg.transpose ins(%arg0 : tensor<4x8x2xf32>) outs(%arg2 : tensor<2x4x8xf32>) permutation = [2, 0, 1]
// CHECK-NEXT: return %transposed, %arg0 : tensor<2x4x8xf32>, tensor<4x8x2xf32>
func.func @transposes(%t: tensor<4x8x2xf32>, %u: tensor<8x2x4xf32>, %v: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<4x8x2xf32>) {
  %0 = linalg.transpose ins(%t : tensor<4x8x2xf32>) outs(%u : tensor<8x2x4xf32>) permutation = [1, 2, 0]
  %1 = linalg.transpose ins(%0 : tensor<8x2x4xf32>) outs(%v : tensor<2x4x8xf32>) permutation = [1, 2, 0]
  %2 = linalg.transpose ins(%0 : tensor<8x2x4xf32>) outs(%t : tensor<4x8x2xf32>) permutation = [2, 0, 1]
  return %1, %2 : tensor<2x4x8xf32>, tensor<4x8x2xf32>
}

// CHECK-LABEL: func.func @copy_of_fill(
// CHECK-NEXT: %0 = linalg.fill ins(%arg2 : f32) outs(%arg1 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %0 : tensor<4xf32>
func.func @copy_of_fill(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.copy ins(%0 : tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @packs(
// CHECK-NEXT: %pack = linalg.pack %arg0 padding_value(%arg3 : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg1 : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
// CHECK-NEXT: %unpack = linalg.unpack %pack inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg2 : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
// CHECK-NEXT: return %arg0, %unpack : tensor<16x16xf32>, tensor<16x16xf32>
func.func @packs(%t: tensor<16x16xf32>, %e: tensor<2x4x8x4xf32>, %d: tensor<16x16xf32>, %f: f32) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %0 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  %2 = linalg.pack %t padding_value(%f : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
  %3 = linalg.unpack %2 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  return %1, %3 : tensor<16x16xf32>, tensor<16x16xf32>
}
