// Every bufferization op; older spellings are printed as the newer ones where the op is the same.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @f
func.func @f(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: memref<?x4xf32>, %arg3: i1) {
  // CHECK-NEXT: %0 = bufferization.to_tensor %arg2 restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  %0 = bufferization.to_tensor %arg2 restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  // CHECK-NEXT: %1 = bufferization.to_memref %arg0 read_only : memref<?x4xf32>
  %1 = bufferization.to_memref %arg0 read_only : memref<?x4xf32>
  // CHECK-NEXT: %2 = bufferization.alloc_tensor(%arg1) : tensor<?x4xf32>
  %2 = bufferization.alloc_tensor(%arg1) : tensor<?x4xf32>
  // CHECK-NEXT: %3 = bufferization.alloc_tensor() copy(%arg0) : tensor<?x4xf32>
  %3 = bufferization.alloc_tensor() copy(%arg0) : tensor<?x4xf32>
  // CHECK-NEXT: %4 = bufferization.alloc_tensor(%arg1) size_hint=%arg1 {memory_space = 1 : i64} : tensor<?x4xf32>
  %4 = bufferization.alloc_tensor(%arg1) size_hint=%arg1 {memory_space = 1 : i64} : tensor<?x4xf32>
  // CHECK-NEXT: %5 = bufferization.materialize_in_destination %arg0 in %2 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %5 = bufferization.materialize_in_destination %arg0 in %2 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: bufferization.materialize_in_destination %arg0 in restrict writable %arg2 : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  bufferization.materialize_in_destination %arg0 in restrict writable %arg2 : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  // CHECK-NEXT: bufferization.dealloc_tensor %2 : tensor<?x4xf32>
  bufferization.dealloc_tensor %2 : tensor<?x4xf32>
  // CHECK-NEXT: %6 = bufferization.clone %arg2 : memref<?x4xf32> to memref<?x4xf32>
  %6 = bufferization.clone %arg2 : memref<?x4xf32> to memref<?x4xf32>
  // CHECK-NEXT: %7 = bufferization.dealloc (%arg2 : memref<?x4xf32>) if (%arg3) retain (%6 : memref<?x4xf32>)
  %7 = bufferization.dealloc (%arg2 : memref<?x4xf32>) if (%arg3) retain (%6 : memref<?x4xf32>)
  // CHECK-NEXT: bufferization.dealloc (%arg2, %arg2 : memref<?x4xf32>, memref<?x4xf32>) if (%arg3, %arg3)
  bufferization.dealloc (%arg2, %arg2 : memref<?x4xf32>, memref<?x4xf32>) if (%arg3, %arg3)
  // CHECK-NEXT: bufferization.dealloc
  bufferization.dealloc
  return
}
// CHECK-LABEL: func.func @newer
func.func @newer(%arg0: tensor<?x4xf32>, %arg1: memref<?x4xf32>, %arg2: memref<*xf32>) {
  // CHECK-NEXT: %0 = bufferization.to_tensor %arg1 restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  %0 = bufferization.to_tensor %arg1 restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  // CHECK-NEXT: %1 = bufferization.to_tensor %arg1 : memref<?x4xf32> to tensor<?x4xf32>
  %1 = bufferization.to_tensor %arg1 : memref<?x4xf32> to tensor<?x4xf32>
  // CHECK-NEXT: %2 = bufferization.to_buffer %arg0 read_only : tensor<?x4xf32> to memref<?x4xf32>
  %2 = bufferization.to_buffer %arg0 read_only : tensor<?x4xf32> to memref<?x4xf32>
  // CHECK-NEXT: %3 = bufferization.to_buffer %arg0 : tensor<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>, 2>
  %3 = bufferization.to_buffer %arg0 : tensor<?x4xf32> to memref<?x4xf32, strided<[?, ?], offset: ?>, 2>
  // CHECK-NEXT: %4 = bufferization.to_tensor %arg2 : memref<*xf32> to tensor<*xf32>
  %4 = bufferization.to_tensor %arg2 : memref<*xf32> to tensor<*xf32>
  // CHECK-NEXT: %5 = bufferization.to_memref %arg0 : memref<?x4xf32>
  %5 = bufferization.to_memref %arg0 : memref<?x4xf32>
  // CHECK-NEXT: %6 = bufferization.clone %arg1 : memref<?x4xf32> to memref<4x4xf32>
  %6 = bufferization.clone %arg1 : memref<?x4xf32> to memref<4x4xf32>
  return
}
