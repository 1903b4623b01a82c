// From buffers to tensors and back.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// A buffer that somebody may have written to in between is not the tensor any more.
// CHECK-LABEL: func.func @round_trips(
// CHECK-NEXT: %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
// CHECK-NEXT: %0 = bufferization.to_memref %arg1 : memref<4xf32>
// CHECK-NEXT: memref.store %arg3, %0[%arg2] : memref<4xf32>
// CHECK-NEXT: %1 = bufferization.to_tensor %0 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: return %arg0, %cast, %arg1, %1 : memref<4xf32>, memref<?xf32>, tensor<4xf32>, tensor<4xf32>
func.func @round_trips(%m: memref<4xf32>, %t: tensor<4xf32>, %i: index, %f: f32) -> (memref<4xf32>, memref<?xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  %c = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  %2 = bufferization.to_buffer %c : tensor<?xf32> to memref<?xf32>
  %3 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %4 = bufferization.to_tensor %3 : memref<4xf32> to tensor<4xf32>
  %5 = bufferization.to_memref %t : memref<4xf32>
  memref.store %f, %5[%i] : memref<4xf32>
  %6 = bufferization.to_tensor %5 : memref<4xf32> to tensor<4xf32>
  return %1, %2, %4, %6 : memref<4xf32>, memref<?xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @sizes(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = bufferization.alloc_tensor() : tensor<4x4xf32>
// CHECK-NEXT: %cast = tensor.cast %0 : tensor<4x4xf32> to tensor<?x4xf32>
// CHECK-NEXT: %dim = memref.dim %arg1, %c0 : memref<?xf32>
// CHECK-NEXT: return %cast, %arg0, %dim : tensor<?x4xf32>, index, index
func.func @sizes(%n: index, %m: memref<?xf32>) -> (tensor<?x4xf32>, index, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%c4) : tensor<?x4xf32>
  %1 = bufferization.alloc_tensor(%n) : tensor<?x4xf32>
  %2 = tensor.dim %1, %c0 : tensor<?x4xf32>
  %3 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %4 = tensor.dim %3, %c0 : tensor<?xf32>
  bufferization.dealloc
  return %0, %2, %4 : tensor<?x4xf32>, index, index
}

// CHECK-LABEL: func.func @clone_of_source_that_stays(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = memref.load %arg0[%c0] : memref<4xf32>
// CHECK-NEXT: return %0 : f32
func.func @clone_of_source_that_stays(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %unused = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %1 = memref.load %0[%c0] : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return %1 : f32
}

// CHECK-LABEL: func.func @clone_of_source_that_goes(
// CHECK-NEXT: %cast = memref.cast %arg0 : memref<4xf32> to memref<?xf32>
// CHECK-NEXT: return %cast : memref<?xf32>
func.func @clone_of_source_that_goes(%m: memref<4xf32>) -> memref<?xf32> {
  %0 = bufferization.clone %m : memref<4xf32> to memref<?xf32>
  memref.dealloc %m : memref<4xf32>
  return %0 : memref<?xf32>
}

// What is freed in between may be the same memory, by another name or in a call. Another layout
// needs the copy.
// CHECK-LABEL: func.func @clones_that_stay(
// CHECK: bufferization.clone %arg0
// CHECK: memref.dealloc %arg1
// CHECK: bufferization.clone %arg0
// CHECK: call @anything()
// CHECK: bufferization.clone %arg2
// CHECK: memref.dealloc
func.func @clones_that_stay(%m: memref<4xf32>, %n: memref<4xf32>, %s: memref<4xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %n : memref<4xf32>
  %1 = memref.load %0[%c0] : memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  %2 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  func.call @anything() : () -> ()
  memref.dealloc %2 : memref<4xf32>
  %3 = bufferization.clone %s : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  memref.store %1, %3[%c0] : memref<4xf32>
  memref.dealloc %3 : memref<4xf32>
  return
}
func.func private @anything()
