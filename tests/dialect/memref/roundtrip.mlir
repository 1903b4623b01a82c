// Every memref op, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: #map = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 + s1)>
#map = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 + s1)>
// CHECK: #map1 = affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 * 2 + s0)>
#map1 = affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 * 2 + s0)>

// CHECK: memref.global "private" constant @c0 : memref<2x2xf32> = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> {alignment = 64 : i64}
memref.global "private" constant @c0 : memref<2x2xf32> = dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global @u : memref<2xf32> = uninitialized
memref.global @u : memref<2xf32> = uninitialized
// CHECK-NEXT: memref.global "public" @ext : memref<2xf32, 1>
memref.global "public" @ext : memref<2xf32, 1>
// CHECK-NEXT: memref.global "private" @w : memref<4xi32> = dense<0> {foo = 1 : i32}
memref.global "private" @w : memref<4xi32> = dense<0> {foo = 1 : i32}

// CHECK-LABEL: func.func @allocations
func.func @allocations(%arg0: index, %arg1: index, %arg2: f32) {
  // CHECK-NEXT: %alloc = memref.alloc() : memref<4x8xf32>
  %alloc = memref.alloc() : memref<4x8xf32>
  // CHECK-NEXT: %alloc_0 = memref.alloc(%arg0, %arg1) {alignment = 16 : i64} : memref<?x?xf32, 1>
  %alloc_0 = memref.alloc(%arg0, %arg1) {alignment = 16 : i64} : memref<?x?xf32, 1>
  // CHECK-NEXT: %alloc_1 = memref.alloc(%arg0)[%arg1, %arg1] : memref<?x4xf32, #map>
  %alloc_1 = memref.alloc(%arg0)[%arg1, %arg1] : memref<?x4xf32, #map>
  // CHECK-NEXT: %alloca = memref.alloca() : memref<4x8xf32, #gpu.address_space<workgroup>>
  %alloca = memref.alloca() : memref<4x8xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: %alloca_2 = memref.alloca(%arg0) {alignment = 8 : i64} : memref<?xf32>
  %alloca_2 = memref.alloca(%arg0) {alignment = 8 : i64} : memref<?xf32>
  // CHECK-NEXT: %alloc_3 = memref.alloc(%arg0) : memref<?xf32>
  %alloc_3 = memref.alloc(%arg0) : memref<?xf32>
  // CHECK-NEXT: %0 = memref.realloc %alloc_3 : memref<?xf32> to memref<64xf32>
  %0 = memref.realloc %alloc_3 : memref<?xf32> to memref<64xf32>
  // CHECK-NEXT: %1 = memref.realloc %0(%arg0) {alignment = 8 : i64} : memref<64xf32> to memref<?xf32>
  %1 = memref.realloc %0(%arg0) {alignment = 8 : i64} : memref<64xf32> to memref<?xf32>
  // CHECK-NEXT: %2 = memref.alloca_scope  -> (f32) {
  %2 = memref.alloca_scope  -> (f32) {
    // CHECK-NEXT: memref.alloca_scope.return %arg2 : f32
    memref.alloca_scope.return %arg2 : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: memref.alloca_scope  {
  memref.alloca_scope  {
    // CHECK-NEXT: %alloca_4 = memref.alloca() : memref<4xf32>
    %alloca_4 = memref.alloca() : memref<4xf32>
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: memref.dealloc %alloc : memref<4x8xf32>
  memref.dealloc %alloc : memref<4x8xf32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @accesses
func.func @accesses(%arg0: memref<4x8xf32>, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<f32>) {
  // CHECK-NEXT: %0 = memref.load %arg0[%arg1, %arg1] : memref<4x8xf32>
  %0 = memref.load %arg0[%arg1, %arg1] : memref<4x8xf32>
  // CHECK-NEXT: %1 = memref.load %arg0[%arg1, %arg1] {nontemporal = true} : memref<4x8xf32>
  %1 = memref.load %arg0[%arg1, %arg1] {nontemporal = true} : memref<4x8xf32>
  // CHECK-NEXT: %2 = memref.load %arg3[] : memref<f32>
  %2 = memref.load %arg3[] : memref<f32>
  // CHECK-NEXT: memref.store %0, %arg0[%arg1, %arg1] : memref<4x8xf32>
  memref.store %0, %arg0[%arg1, %arg1] : memref<4x8xf32>
  // CHECK-NEXT: memref.store %0, %arg0[%arg1, %arg1] {nontemporal = true} : memref<4x8xf32>
  memref.store %0, %arg0[%arg1, %arg1] {nontemporal = true} : memref<4x8xf32>
  // CHECK-NEXT: memref.copy %arg0, %arg2 : memref<4x8xf32> to memref<?x?xf32>
  memref.copy %arg0, %arg2 : memref<4x8xf32> to memref<?x?xf32>
  // CHECK-NEXT: memref.prefetch %arg0[%arg1, %arg1], read, locality<3>, data : memref<4x8xf32>
  memref.prefetch %arg0[%arg1, %arg1], read, locality<3>, data : memref<4x8xf32>
  // CHECK-NEXT: memref.prefetch %arg0[%arg1, %arg1], write, locality<1>, instr : memref<4x8xf32>
  memref.prefetch %arg0[%arg1, %arg1], write, locality<1>, instr : memref<4x8xf32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @atomics
func.func @atomics(%arg0: memref<4x8xf32>, %arg1: index, %arg2: f32) {
  // CHECK-NEXT: %0 = memref.atomic_rmw addf %arg2, %arg0[%arg1, %arg1] : (f32, memref<4x8xf32>) -> f32
  %0 = memref.atomic_rmw addf %arg2, %arg0[%arg1, %arg1] : (f32, memref<4x8xf32>) -> f32
  // CHECK-NEXT: %1 = memref.atomic_rmw maximumf %arg2, %arg0[%arg1, %arg1] : (f32, memref<4x8xf32>) -> f32
  %1 = memref.atomic_rmw maximumf %arg2, %arg0[%arg1, %arg1] : (f32, memref<4x8xf32>) -> f32
  // CHECK-NEXT: %2 = memref.generic_atomic_rmw %arg0[%arg1, %arg1] : memref<4x8xf32> {
  %2 = memref.generic_atomic_rmw %arg0[%arg1, %arg1] : memref<4x8xf32> {
  // CHECK-NEXT: ^bb0(%arg3: f32):
  ^bb0(%arg3: f32):
    // CHECK-NEXT: %3 = arith.addf %arg3, %arg2 : f32
    %3 = arith.addf %arg3, %arg2 : f32
    // CHECK-NEXT: memref.atomic_yield %3 : f32
    memref.atomic_yield %3 : f32
  // CHECK-NEXT: }
  }
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @dma
func.func @dma(%arg0: memref<4x8xf32>, %arg1: memref<4x8xf32, 2>, %arg2: index, %arg3: memref<1xi32>) {
  // CHECK-NEXT: memref.dma_start %arg0[%arg2, %arg2], %arg1[%arg2, %arg2], %arg2, %arg3[%arg2] : memref<4x8xf32>, memref<4x8xf32, 2>, memref<1xi32>
  memref.dma_start %arg0[%arg2, %arg2], %arg1[%arg2, %arg2], %arg2, %arg3[%arg2] : memref<4x8xf32>, memref<4x8xf32, 2>, memref<1xi32>
  // CHECK-NEXT: memref.dma_start %arg0[%arg2, %arg2], %arg1[%arg2, %arg2], %arg2, %arg3[%arg2], %arg2, %arg2 : memref<4x8xf32>, memref<4x8xf32, 2>, memref<1xi32>
  memref.dma_start %arg0[%arg2, %arg2], %arg1[%arg2, %arg2], %arg2, %arg3[%arg2], %arg2, %arg2 : memref<4x8xf32>, memref<4x8xf32, 2>, memref<1xi32>
  // CHECK-NEXT: memref.dma_wait %arg3[%arg2], %arg2 : memref<1xi32>
  memref.dma_wait %arg3[%arg2], %arg2 : memref<1xi32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @casts
func.func @casts(%arg0: memref<4x8xf32>, %arg1: memref<?x?xf32>, %arg2: memref<*xf32>, %arg3: index, %arg4: memref<2xindex>) {
  // CHECK-NEXT: %cast = memref.cast %arg0 : memref<4x8xf32> to memref<?x?xf32>
  %cast = memref.cast %arg0 : memref<4x8xf32> to memref<?x?xf32>
  // CHECK-NEXT: %cast_0 = memref.cast %arg0 : memref<4x8xf32> to memref<*xf32>
  %cast_0 = memref.cast %arg0 : memref<4x8xf32> to memref<*xf32>
  // CHECK-NEXT: %memspacecast = memref.memory_space_cast %arg1 : memref<?x?xf32> to memref<?x?xf32, 3>
  %memspacecast = memref.memory_space_cast %arg1 : memref<?x?xf32> to memref<?x?xf32, 3>
  // CHECK-NEXT: %reinterpret_cast = memref.reinterpret_cast %arg2 to offset: [%arg3], sizes: [4, %arg3], strides: [%arg3, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  %reinterpret_cast = memref.reinterpret_cast %arg2 to offset: [%arg3], sizes: [4, %arg3], strides: [%arg3, 1] : memref<*xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: %reinterpret_cast_1 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [32], strides: [1] {q} : memref<4x8xf32> to memref<32xf32>
  %reinterpret_cast_1 = memref.reinterpret_cast %arg0 to offset: [0], sizes: [32], strides: [1] {q} : memref<4x8xf32> to memref<32xf32>
  // CHECK-NEXT: %reshape = memref.reshape %arg2(%arg4) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
  %reshape = memref.reshape %arg2(%arg4) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xf32>
  // CHECK-NEXT: memref.assume_alignment %arg0, 64 : memref<4x8xf32>
  memref.assume_alignment %arg0, 64 : memref<4x8xf32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @views
func.func @views(%arg0: memref<4x8xf32>, %arg1: memref<?x?xf32>, %arg2: index, %arg3: memref<128xi8>) {
  // CHECK-NEXT: %subview = memref.subview %arg0[0, %arg2] [2, %arg2] [1, 1] : memref<4x8xf32> to memref<2x?xf32, strided<[8, 1], offset: ?>>
  %subview = memref.subview %arg0[0, %arg2] [2, %arg2] [1, 1] : memref<4x8xf32> to memref<2x?xf32, strided<[8, 1], offset: ?>>
  // CHECK-NEXT: %subview_0 = memref.subview %arg0[%arg2, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %subview_0 = memref.subview %arg0[%arg2, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  // CHECK-NEXT: %subview_1 = memref.subview %arg0[%arg2, 0] [2, 4] [1, 2] : memref<4x8xf32> to memref<2x4xf32, #map1>
  %subview_1 = memref.subview %arg0[%arg2, 0] [2, 4] [1, 2] : memref<4x8xf32> to memref<2x4xf32, #map1>
  // CHECK-NEXT: %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  %expand_shape = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  // CHECK-NEXT: %expand_shape_2 = memref.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [%arg2, 4, %arg2] : memref<?x?xf32> into memref<?x4x?xf32>
  %expand_shape_2 = memref.expand_shape %arg1 [[0, 1], [2]] output_shape [%arg2, 4, %arg2] : memref<?x?xf32> into memref<?x4x?xf32>
  // CHECK-NEXT: %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] {foo} : memref<4x8xf32> into memref<32xf32>
  %collapse_shape = memref.collapse_shape %arg0 [[0, 1]] {foo} : memref<4x8xf32> into memref<32xf32>
  // CHECK-NEXT: %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  // CHECK-NEXT: %view = memref.view %arg3[%arg2][%arg2] : memref<128xi8> to memref<?x4xf32>
  %view = memref.view %arg3[%arg2][%arg2] : memref<128xi8> to memref<?x4xf32>
  // CHECK-NEXT: %view_3 = memref.view %arg3[%arg2][] : memref<128xi8> to memref<4x4xf32>
  %view_3 = memref.view %arg3[%arg2][] : memref<128xi8> to memref<4x4xf32>
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}

// CHECK-LABEL: func.func @queries
func.func @queries(%arg0: memref<?x?xf32>, %arg1: memref<*xf32>, %arg2: index) {
  // CHECK-NEXT: %dim = memref.dim %arg0, %arg2 : memref<?x?xf32>
  %dim = memref.dim %arg0, %arg2 : memref<?x?xf32>
  // CHECK-NEXT: %0 = memref.rank %arg1 : memref<*xf32>
  %0 = memref.rank %arg1 : memref<*xf32>
  // CHECK-NEXT: %1 = memref.get_global @c0 : memref<2x2xf32>
  %1 = memref.get_global @c0 : memref<2x2xf32>
  // CHECK-NEXT: %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  // CHECK-NEXT: %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<?x?xf32> -> index
  %intptr = memref.extract_aligned_pointer_as_index %arg0 : memref<?x?xf32> -> index
  // CHECK-NEXT: return
  return
// CHECK-NEXT: }
}
