// Transfers of tensors, known masks, strided slices.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @element_of_shape_cast(
// CHECK-NEXT: %0 = vector.extract %arg0[2, 3] : f32 from vector<4x8xf32>
// CHECK-NEXT: return %0 : f32
func.func @element_of_shape_cast(%a: vector<4x8xf32>) -> f32 {
  %0 = vector.shape_cast %a : vector<4x8xf32> to vector<2x16xf32>
  %1 = vector.extract %0[1, 3] : f32 from vector<2x16xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @tensor_transfers(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = vector.transfer_write %arg1, %arg0[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<8x16xf32>
// CHECK-NEXT: %1 = vector.transfer_write %arg1, %arg0[%c0, %arg3] : vector<4xf32>, tensor<8x16xf32>
// CHECK-NEXT: %2 = vector.transfer_read %1[%c0, %arg3], %arg2 : tensor<8x16xf32>, vector<4xf32>
// CHECK-NEXT: return %arg1, %arg0, %0, %2 : vector<4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, vector<4xf32>
func.func @tensor_transfers(%t: tensor<8x16xf32>, %v: vector<4xf32>, %f: f32, %i: index) -> (vector<4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<8x16xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %f {in_bounds = [true]} : tensor<8x16xf32>, vector<4xf32>
  %2 = vector.transfer_read %t[%c0, %c0], %f {in_bounds = [true]} : tensor<8x16xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %t[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<8x16xf32>
  %4 = vector.transfer_write %v, %0[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<8x16xf32>
  %5 = vector.transfer_write %v, %t[%c0, %i] : vector<4xf32>, tensor<8x16xf32>
  %6 = vector.transfer_read %5[%c0, %i], %f : tensor<8x16xf32>, vector<4xf32>
  return %1, %3, %4, %6 : vector<4xf32>, tensor<8x16xf32>, tensor<8x16xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @known_masks(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = vector.constant_mask [4] : vector<8xi1>
// CHECK-NEXT: %1 = vector.load %arg0[%c0] : memref<8xf32>, vector<8xf32>
// CHECK-NEXT: %2 = vector.maskedload %arg0[%c0], %0, %arg1 : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
// CHECK-NEXT: vector.store %arg1, %arg0[%c0] : memref<8xf32>, vector<8xf32>
// CHECK-NEXT: return %1, %arg1, %2 : vector<8xf32>, vector<8xf32>, vector<8xf32>
func.func @known_masks(%m: memref<8xf32>, %p: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %k = vector.constant_mask [8] : vector<8xi1>
  %h = vector.constant_mask [4] : vector<8xi1>
  %z = arith.constant dense<false> : vector<8xi1>
  %0 = vector.maskedload %m[%c0], %k, %p : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.maskedload %m[%c0], %z, %p : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %2 = vector.maskedload %m[%c0], %h, %p : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %m[%c0], %k, %p : memref<8xf32>, vector<8xi1>, vector<8xf32>
  vector.maskedstore %m[%c0], %z, %p : memref<8xf32>, vector<8xi1>, vector<8xf32>
  return %0, %1, %2 : vector<8xf32>, vector<8xf32>, vector<8xf32>
}

// CHECK-LABEL: func.func @strided_slices(
// CHECK-NEXT: %cst = arith.constant dense<{{\[\[}}3, 4], [5, 6]]> : vector<2x2xi32>
// CHECK-NEXT: %0 = vector.broadcast %arg2 : f32 to vector<2x8xf32>
// CHECK-NEXT: return %arg1, %arg0, %0, %cst : vector<2x2xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<2x2xi32>
func.func @strided_slices(%a: vector<4x8xf32>, %b: vector<2x2xf32>, %f: f32) -> (vector<2x2xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<2x2xi32>) {
  %2 = vector.insert_strided_slice %b, %a {offsets = [1, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x8xf32>
  %3 = vector.extract_strided_slice %2 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x8xf32> to vector<2x2xf32>
  %4 = vector.extract_strided_slice %a {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x8xf32> to vector<2x2xf32>
  %5 = vector.insert_strided_slice %4, %a {offsets = [1, 1], strides = [1, 1]} : vector<2x2xf32> into vector<4x8xf32>
  %r = vector.broadcast %f : f32 to vector<4x8xf32>
  %6 = vector.extract_strided_slice %r {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %c = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi32>
  %7 = vector.extract_strided_slice %c {offsets = [1], sizes = [2], strides = [1]} : vector<3x2xi32> to vector<2x2xi32>
  return %3, %5, %6, %7 : vector<2x2xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<2x2xi32>
}

// CHECK-LABEL: func.func @constants_put_together(
// CHECK-DAG: %[[SHUFFLED:.*]] = arith.constant dense<[0, 4, 1, 5]> : vector<4xi32>
// CHECK-DAG: %[[SPLAT:.*]] = arith.constant dense<3> : vector<3xi32>
// CHECK-DAG: %[[ELEMENT:.*]] = arith.constant dense<[0, 1, 42, 3]> : vector<4xi32>
// CHECK-DAG: %[[ROW:.*]] = arith.constant dense<{{\[\[}}0, 0], [8, 9]]> : vector<2x2xi32>
// CHECK: %[[DYNAMIC:.*]] = vector.insert %{{.*}}, %{{.*}} [%arg0] : i32 into vector<4xi32>
// CHECK-NEXT: return %[[SHUFFLED]], %[[SPLAT]], %[[ELEMENT]], %[[ROW]], %[[DYNAMIC]]
func.func @constants_put_together(%i: index) -> (vector<4xi32>, vector<3xi32>, vector<4xi32>, vector<2x2xi32>, vector<4xi32>) {
  %a = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %b = arith.constant dense<[4, 5, 6, 7]> : vector<4xi32>
  %threes = arith.constant dense<3> : vector<4xi32>
  %zeros = arith.constant dense<0> : vector<2x2xi32>
  %row = arith.constant dense<[8, 9]> : vector<2xi32>
  %c = arith.constant 42 : i32
  %0 = vector.shuffle %a, %b [0, 4, 1, 5] : vector<4xi32>, vector<4xi32>
  %1 = vector.shuffle %threes, %threes [0, 4, 1] : vector<4xi32>, vector<4xi32>
  %2 = vector.insert %c, %a[2] : i32 into vector<4xi32>
  %3 = vector.insert %row, %zeros[1] : vector<2xi32> into vector<2x2xi32>
  %4 = vector.insert %c, %a[%i] : i32 into vector<4xi32>
  return %0, %1, %2, %3, %4 : vector<4xi32>, vector<3xi32>, vector<4xi32>, vector<2x2xi32>, vector<4xi32>
}

// The elements of a shuffle of more dims are rows.
// CHECK-LABEL: func.func @shuffled_rows(
// CHECK: vector.shuffle
func.func @shuffled_rows() -> vector<3x2xi32> {
  %a = arith.constant dense<[[0, 1], [2, 3]]> : vector<2x2xi32>
  %0 = vector.shuffle %a, %a [0, 3, 1] : vector<2x2xi32>, vector<2x2xi32>
  return %0 : vector<3x2xi32>
}
