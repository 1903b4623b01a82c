// Reshapes of reshapes, and copies of nothing.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @expand_of_collapse(
// CHECK-NEXT: %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
// CHECK-NEXT: %collapse_shape_0 = memref.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
// CHECK-NEXT: %collapse_shape_1 = memref.collapse_shape %arg1 {{\[\[}}0, 1, 2]] : memref<4x1x6xf32> into memref<24xf32>
// CHECK-NEXT: %expand_shape = memref.expand_shape %collapse_shape_1 {{\[\[}}0, 1, 2, 3]] output_shape [2, 2, 6, 1] : memref<24xf32> into memref<2x2x6x1xf32>
// CHECK-NEXT: %expand_shape_2 = memref.expand_shape %collapse_shape {{\[\[}}0, 1]] output_shape [3, 8] : memref<24xf32> into memref<3x8xf32>
// CHECK-NEXT: return %collapse_shape_0, %expand_shape, %expand_shape_2 : memref<6x4xf32>, memref<2x2x6x1xf32>, memref<3x8xf32>
func.func @expand_of_collapse(%m: memref<2x3x4xf32>, %n: memref<4x1x6xf32>) -> (memref<6x4xf32>, memref<2x2x6x1xf32>, memref<3x8xf32>) {
  %0 = memref.collapse_shape %m [[0, 1, 2]] : memref<2x3x4xf32> into memref<24xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [6, 4] : memref<24xf32> into memref<6x4xf32>
  %2 = memref.collapse_shape %n [[0, 1, 2]] : memref<4x1x6xf32> into memref<24xf32>
  %3 = memref.expand_shape %2 [[0, 1, 2, 3]] output_shape [2, 2, 6, 1] : memref<24xf32> into memref<2x2x6x1xf32>
  %4 = memref.expand_shape %0 [[0, 1]] output_shape [3, 8] : memref<24xf32> into memref<3x8xf32>
  return %1, %3, %4 : memref<6x4xf32>, memref<2x2x6x1xf32>, memref<3x8xf32>
}

// The sizes may be split in another way than before.
// CHECK-LABEL: func.func @dynamic_split(
// CHECK-NEXT: %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<?x?xf32> into memref<?xf32>
// CHECK-NEXT: %expand_shape = memref.expand_shape %collapse_shape {{\[\[}}0, 1]] output_shape [%arg1, %arg2] : memref<?xf32> into memref<?x?xf32>
// CHECK-NEXT: return %expand_shape, %arg3 : memref<?x?xf32>, memref<?xf32>
func.func @dynamic_split(%m: memref<?x?xf32>, %n: index, %k: index, %v: memref<?xf32>) -> (memref<?x?xf32>, memref<?xf32>) {
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%n, %k] : memref<?xf32> into memref<?x?xf32>
  %2 = memref.expand_shape %v [[0, 1]] output_shape [%n, %k] : memref<?xf32> into memref<?x?xf32>
  %3 = memref.collapse_shape %2 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  return %1, %3 : memref<?x?xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func @copy_of_nothing(
// CHECK-NEXT: return
func.func @copy_of_nothing(%m: memref<0x8xf32>, %k: memref<0x8xf32>) {
  memref.copy %m, %k : memref<0x8xf32> to memref<0x8xf32>
  return
}
