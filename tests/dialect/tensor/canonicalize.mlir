// Folders and rewrites of the tensor ops.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sizes(
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %0 = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<8x4xf32> to tensor<?x4xf32>
// CHECK-NEXT: return %cast, %c8 : tensor<?x4xf32>, index
func.func @sizes() -> (tensor<?x4xf32>, index) {
  %c = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %0 = tensor.empty(%c) : tensor<?x4xf32>
  %1 = tensor.dim %0, %c0 : tensor<?x4xf32>
  return %0, %1 : tensor<?x4xf32>, index
}

// CHECK-LABEL: func.func @dims(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %dim = tensor.dim %arg2, %c0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_0 = tensor.dim %arg2, %arg0 : tensor<?x?xf32>
// CHECK-NEXT: %dim_1 = tensor.dim %arg3, %c1 : tensor<1x?xf32>
// CHECK-NEXT: return %arg1, %arg1, %dim, %dim_0, %dim_1 : index, index, index, index, index
func.func @dims(%n: index, %m: index, %t: tensor<?x?xf32>, %s: tensor<1x?xf32>, %f: f32) -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %0 = tensor.dim %e, %c1 : tensor<?x?xf32>
  %x = tensor.extract_slice %t[0, 0] [1, %m] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %1 = tensor.dim %x, %c0 : tensor<?xf32>
  %y = tensor.insert_slice %s into %t[0, 0] [1, %m] [1, 1] : tensor<1x?xf32> into tensor<?x?xf32>
  %2 = tensor.dim %y, %c0 : tensor<?x?xf32>
  %z = linalg.fill ins(%f : f32) outs(%t : tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tensor.dim %z, %n : tensor<?x?xf32>
  %w = tensor.cast %s : tensor<1x?xf32> to tensor<?x?xf32>
  %4 = tensor.dim %w, %c1 : tensor<?x?xf32>
  return %0, %1, %2, %3, %4 : index, index, index, index, index
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: %cast = tensor.cast %arg1 : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT: %cast_0 = tensor.cast %arg1 : tensor<?xf32> to tensor<5xf32>
// CHECK-NEXT: %cast_1 = tensor.cast %cast_0 : tensor<5xf32> to tensor<?xf32>
// CHECK-NEXT: return %arg0, %cast, %cast_1 : tensor<4xf32>, tensor<4xf32>, tensor<?xf32>
func.func @casts(%t: tensor<4xf32>, %u: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<?xf32>) {
  %0 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
  %2 = tensor.cast %u : tensor<?xf32> to tensor<*xf32>
  %3 = tensor.cast %2 : tensor<*xf32> to tensor<4xf32>
  %4 = tensor.cast %u : tensor<?xf32> to tensor<5xf32>
  %5 = tensor.cast %4 : tensor<5xf32> to tensor<?xf32>
  return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @elements(
// CHECK-NEXT: %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT: %inserted = tensor.insert %arg0 into %arg4[%arg2] : tensor<4xf32>
// CHECK-NEXT: %extracted = tensor.extract %inserted[%arg3] : tensor<4xf32>
// CHECK-NEXT: %0 = arith.index_cast %arg3 : index to i32
// CHECK-NEXT: %1 = arith.sitofp %0 : i32 to f32
// CHECK-NEXT: return %cst, %cst_0, %arg1, %arg0, %arg0, %extracted, %1 : f32, f32, f32, f32, f32, f32, f32
func.func @elements(%a: f32, %b: f32, %i: index, %j: index, %t: tensor<4xf32>) -> (f32, f32, f32, f32, f32, f32, f32) {
  %c1 = arith.constant 1 : index
  %d = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %p = arith.constant dense<3.0> : tensor<2xf32>
  %0 = tensor.extract %d[%c1] : tensor<2xf32>
  %1 = tensor.extract %p[%i] : tensor<2xf32>
  %e = tensor.from_elements %a, %b : tensor<2xf32>
  %2 = tensor.extract %e[%c1] : tensor<2xf32>
  %s = tensor.splat %a : tensor<2xf32>
  %3 = tensor.extract %s[%i] : tensor<2xf32>
  %n = tensor.insert %a into %t[%i] : tensor<4xf32>
  %4 = tensor.extract %n[%i] : tensor<4xf32>
  %5 = tensor.extract %n[%j] : tensor<4xf32>
  %g = tensor.generate %i {
  ^bb0(%k: index):
    %q = arith.index_cast %k : index to i32
    %r = arith.sitofp %q : i32 to f32
    tensor.yield %r : f32
  } : tensor<?xf32>
  %6 = tensor.extract %g[%j] : tensor<?xf32>
  return %0, %1, %2, %3, %4, %5, %6 : f32, f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: %cst = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT: %cst_0 = arith.constant dense<1> : tensor<2xi32>
// CHECK-NEXT: %cst_1 = arith.constant dense<{{\[\[}}1, 2]]> : tensor<1x2xi32>
// CHECK-NEXT: %cst_2 = arith.constant dense<1> : tensor<1xi32>
// CHECK-NEXT: return %cst, %cst_0, %cst_1, %cst_2, %cst_0 : tensor<2xi32>, tensor<2xi32>, tensor<1x2xi32>, tensor<1xi32>, tensor<2xi32>
func.func @constants() -> (tensor<2xi32>, tensor<2xi32>, tensor<1x2xi32>, tensor<1xi32>, tensor<2xi32>) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %i = arith.constant 0 : index
  %0 = tensor.from_elements %c1, %c2 : tensor<2xi32>
  %1 = tensor.splat %c1 : tensor<2xi32>
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 2] : tensor<2xi32> into tensor<1x2xi32>
  %3 = tensor.extract_slice %1[0] [1] [1] : tensor<2xi32> to tensor<1xi32>
  %4 = tensor.insert %c1 into %1[%i] : tensor<2xi32>
  return %0, %1, %2, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<1x2xi32>, tensor<1xi32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @slices(
// CHECK-NEXT: %extracted_slice = tensor.extract_slice %arg0[2, %arg3] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
// CHECK-NEXT: %cast = tensor.cast %extracted_slice : tensor<2x4xf32> to tensor<?x4xf32>
// CHECK-NEXT: %inserted_slice = tensor.insert_slice %arg2 into %arg0[%arg3, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
// CHECK-NEXT: return %cast, %arg0, %inserted_slice, %arg1, %arg0 : tensor<?x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x4xf32>, tensor<8x8xf32>
func.func @slices(%t: tensor<8x8xf32>, %s: tensor<2x4xf32>, %r: tensor<2x4xf32>, %i: index) -> (tensor<?x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x4xf32>, tensor<8x8xf32>) {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %t[%c2, %i] [%c2, 4] [1, 1] : tensor<8x8xf32> to tensor<?x4xf32>
  %1 = tensor.extract_slice %t[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> to tensor<8x8xf32>
  %2 = tensor.insert_slice %s into %t[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
  %3 = tensor.insert_slice %r into %2[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
  %4 = tensor.extract_slice %2[%i, 0] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
  %5 = tensor.extract_slice %t[%i, 0] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
  %6 = tensor.insert_slice %5 into %t[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
  return %0, %1, %3, %4, %6 : tensor<?x4xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x4xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func.func @slices_of_casts(
// CHECK-NEXT: %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
// CHECK-NEXT: %inserted_slice = tensor.insert_slice %arg1 into %arg0[%arg2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
// CHECK-NEXT: %cast = tensor.cast %inserted_slice : tensor<8x8xf32> to tensor<?x?xf32>
// CHECK-NEXT: %extracted_slice_0 = tensor.extract_slice %arg0[%arg2, 0] [2, 4] [1, 1] : tensor<8x8xf32> to tensor<2x4xf32>
// CHECK-NEXT: return %extracted_slice, %cast, %extracted_slice_0 : tensor<2x4xf32>, tensor<?x?xf32>, tensor<2x4xf32>
func.func @slices_of_casts(%t: tensor<8x8xf32>, %s: tensor<2x4xf32>, %i: index, %n: index) -> (tensor<2x4xf32>, tensor<?x?xf32>, tensor<2x4xf32>) {
  %c = tensor.cast %t : tensor<8x8xf32> to tensor<?x?xf32>
  %d = tensor.cast %s : tensor<2x4xf32> to tensor<?x4xf32>
  %0 = tensor.extract_slice %c[%i, 0] [2, 4] [1, 1] : tensor<?x?xf32> to tensor<2x4xf32>
  %1 = tensor.insert_slice %d into %c[%i, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x?xf32>
  %2 = tensor.extract_slice %t[%i, 0] [%n, 4] [1, 1] : tensor<8x8xf32> to tensor<?x4xf32>
  %3 = tensor.cast %2 : tensor<?x4xf32> to tensor<2x4xf32>
  return %0, %1, %3 : tensor<2x4xf32>, tensor<?x?xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT: %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2]] : tensor<2x3x4xf32> into tensor<24xf32>
// CHECK-NEXT: %collapsed_0 = tensor.collapse_shape %arg1 {{\[\[}}0, 1]] : tensor<?x?xf32> into tensor<?xf32>
// CHECK-NEXT: %expanded = tensor.expand_shape %collapsed_0 {{\[\[}}0, 1]] output_shape [%arg2, %arg3] : tensor<?xf32> into tensor<?x?xf32>
// CHECK-NEXT: %from_elements = tensor.from_elements %arg5, %arg5 : tensor<1x2xf32>
// CHECK-NEXT: return %collapsed, %arg0, %expanded, %arg4, %from_elements : tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<1x2xf32>
func.func @reshapes(%t: tensor<2x3x4xf32>, %u: tensor<?x?xf32>, %n: index, %m: index, %v: tensor<?xf32>, %a: f32) -> (tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<1x2xf32>) {
  %0 = tensor.collapse_shape %t [[0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x12xf32> into tensor<24xf32>
  %2 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [2, 3, 4] : tensor<2x12xf32> into tensor<2x3x4xf32>
  %3 = tensor.collapse_shape %u [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %4 = tensor.expand_shape %3 [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  %5 = tensor.expand_shape %v [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  %6 = tensor.collapse_shape %5 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %7 = tensor.from_elements %a, %a : tensor<2xf32>
  %8 = tensor.expand_shape %7 [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  return %1, %2, %4, %6, %8 : tensor<24xf32>, tensor<2x3x4xf32>, tensor<?x?xf32>, tensor<?xf32>, tensor<1x2xf32>
}

// CHECK-LABEL: func.func @pads(
// CHECK-NEXT: %cast = tensor.cast %arg0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT: %padded = tensor.pad %arg0 nofold low[0] high[0] {
// CHECK-NEXT: ^bb0(%arg2: index):
// CHECK-NEXT: tensor.yield %arg1 : f32
// CHECK-NEXT: } : tensor<4xf32> to tensor<4xf32>
// CHECK-NEXT: %padded_0 = tensor.pad %arg0 low[2] high[0] {
// CHECK-NEXT: ^bb0(%arg2: index):
// CHECK-NEXT: tensor.yield %arg1 : f32
// CHECK-NEXT: } : tensor<4xf32> to tensor<6xf32>
// CHECK-NEXT: %cast_1 = tensor.cast %padded_0 : tensor<6xf32> to tensor<?xf32>
// CHECK-NEXT: return %arg0, %cast, %padded, %cast_1 : tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<?xf32>
func.func @pads(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<4xf32>
  %1 = tensor.pad %t low[%c0] high[%c0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<?xf32>
  %2 = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<4xf32>
  %3 = tensor.pad %t low[%c2] high[0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<?xf32>, tensor<4xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @packs(
// CHECK-NEXT: %cst = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: return %arg0, %cst : tensor<16x16xf32>, tensor<4xf32>
func.func @packs(%t: tensor<16x16xf32>, %e: tensor<2x4x8x4xf32>, %d: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<4xf32>) {
  %0 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
  %1 = tensor.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %2 = tensor.concat dim(0) %c : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<16x16xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @fills(
// CHECK-NEXT: %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1]] : tensor<4x4xf32> into tensor<16xf32>
// CHECK-NEXT: %0 = linalg.fill ins(%arg1 : f32) outs(%collapsed : tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT: %1 = tensor.empty() : tensor<4x2xf32>
// CHECK-NEXT: %collapsed_0 = tensor.collapse_shape %1 {{\[\[}}0, 1]] : tensor<4x2xf32> into tensor<8xf32>
// CHECK-NEXT: %expanded = tensor.expand_shape %1 {{\[\[}}0, 1], [2]] output_shape [2, 2, 2] : tensor<4x2xf32> into tensor<2x2x2xf32>
// CHECK-NEXT: %expanded_1 = tensor.expand_shape %collapsed_0 {{\[\[}}0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK-NEXT: return %0, %arg1, %expanded, %expanded_1 : tensor<16xf32>, f32, tensor<2x2x2xf32>, tensor<2x4xf32>
func.func @fills(%m: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<16xf32>, f32, tensor<2x2x2xf32>, tensor<2x4xf32>) {
  %0 = linalg.fill ins(%f : f32) outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %2 = tensor.extract %0[%i, %i] : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %c = tensor.collapse_shape %e [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %3 = tensor.expand_shape %c [[0, 1, 2]] output_shape [2, 2, 2] : tensor<8xf32> into tensor<2x2x2xf32>
  %4 = tensor.expand_shape %c [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  return %1, %2, %3, %4 : tensor<16xf32>, f32, tensor<2x2x2xf32>, tensor<2x4xf32>
}

// What the amounts say and what the type says may contradict each other.
// CHECK-LABEL: func.func @pad_contradiction(
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %padded = tensor.pad %arg0 low[%c2] high[0] {
// CHECK-NEXT: ^bb0(%arg2: index):
// CHECK-NEXT: tensor.yield %arg1 : f32
// CHECK-NEXT: } : tensor<4xf32> to tensor<9xf32>
// CHECK-NEXT: return %padded : tensor<9xf32>
func.func @pad_contradiction(%t: tensor<4xf32>, %f: f32) -> tensor<9xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %t low[%c2] high[0] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32> to tensor<9xf32>
  return %0 : tensor<9xf32>
}

// Only with the same element, known sizes, and where the pad may go.
// CHECK-LABEL: func.func @pad_of_fill(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<6x8xf32>
// CHECK-NEXT: %[[FILLED:.*]] = linalg.fill ins(%arg0 : f32) outs(%[[EMPTY]] : tensor<6x8xf32>) -> tensor<6x8xf32>
// CHECK-NEXT: %[[OTHER:.*]] = tensor.pad
// CHECK: %[[DYNAMIC:.*]] = tensor.pad
// CHECK: %[[KEPT:.*]] = tensor.pad %{{.*}} nofold
// CHECK: return %[[FILLED]], %[[OTHER]], %[[DYNAMIC]], %[[KEPT]]
func.func @pad_of_fill(%f: f32, %g: f32, %n: index) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<?x8xf32>, tensor<6x8xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.pad %0 low[1, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<6x8xf32>
  %2 = tensor.pad %0 low[1, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %g : f32
  } : tensor<4x4xf32> to tensor<6x8xf32>
  %3 = tensor.pad %0 low[%n, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<?x8xf32>
  %4 = tensor.pad %0 nofold low[1, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<6x8xf32>
  return %1, %2, %3, %4 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<?x8xf32>, tensor<6x8xf32>
}
