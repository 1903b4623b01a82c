// RUN: airlite-opt %s --air-copy-to-dma | FileCheck %s

// Destination first; lists from subviews, empty ones without; numbered through the module.
// CHECK-LABEL: func.func @subviews
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[%arg2, 4] [8, 16] [64, 1]) {id = 1 : i32} : (memref<8x16xf32, 2>, memref<32x64xf32>)
// CHECK: air.dma_memcpy_nd (%arg0[0, %arg2] [8, 16] [64, 1], %arg1[] [] []) {id = 2 : i32}
// CHECK-NOT: memref.copy
// CHECK-NOT: linalg.copy
func.func @subviews(%l3: memref<32x64xf32>, %l1: memref<8x16xf32, 2>, %i: index) {
  %from = memref.subview %l3[%i, 4] [8, 16] [1, 1] : memref<32x64xf32> to memref<8x16xf32, strided<[64, 1], offset: ?>>
  memref.copy %from, %l1 : memref<8x16xf32, strided<[64, 1], offset: ?>> to memref<8x16xf32, 2>
  %to = memref.subview %l3[0, %i] [8, 16] [1, 1] : memref<32x64xf32> to memref<8x16xf32, strided<[64, 1], offset: ?>>
  linalg.copy ins(%l1 : memref<8x16xf32, 2>) outs(%to : memref<8x16xf32, strided<[64, 1], offset: ?>>)
  return
}

// A subview that drops dimensions keeps those of its source.
// CHECK-LABEL: func.func @rank_reduced
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[%arg2, 0, 0] [1, 4, 8] [64, 8, 1]) {id = 3 : i32}
func.func @rank_reduced(%l3: memref<16x8x8xf32>, %l1: memref<4x8xf32, 2>, %i: index) {
  %from = memref.subview %l3[%i, 0, 0] [1, 4, 8] [1, 1, 1] : memref<16x8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %from, %l1 : memref<4x8xf32, strided<[8, 1], offset: ?>> to memref<4x8xf32, 2>
  return
}

// The offset of a cast goes to the dimension of stride 1, on top of a subview's own.
// CHECK-LABEL: func.func @casts
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[%arg2, 0] [8, 16] [1, 100])
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[0, 7] [8, 16] [%arg2, 1])
// CHECK: %[[SUM:.*]] = arith.addi %arg2, %arg2 : index
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[4, %[[SUM]]] [8, 16] [100, 1])
func.func @casts(%l3: memref<*xf32>, %l1: memref<8x16xf32, 2>, %i: index) {
  %a = memref.reinterpret_cast %l3 to offset: [%i], sizes: [8, 16], strides: [1, 100] : memref<*xf32> to memref<8x16xf32, strided<[1, 100], offset: ?>>
  memref.copy %a, %l1 : memref<8x16xf32, strided<[1, 100], offset: ?>> to memref<8x16xf32, 2>
  %b = memref.reinterpret_cast %l3 to offset: [7], sizes: [8, 16], strides: [%i, 1] : memref<*xf32> to memref<8x16xf32, strided<[?, 1], offset: 7>>
  memref.copy %b, %l1 : memref<8x16xf32, strided<[?, 1], offset: 7>> to memref<8x16xf32, 2>
  %c = memref.reinterpret_cast %l3 to offset: [%i], sizes: [64, 100], strides: [100, 1] : memref<*xf32> to memref<64x100xf32, strided<[100, 1], offset: ?>>
  %d = memref.subview %c[4, %i] [8, 16] [1, 1] : memref<64x100xf32, strided<[100, 1], offset: ?>> to memref<8x16xf32, strided<[100, 1], offset: ?>>
  memref.copy %d, %l1 : memref<8x16xf32, strided<[100, 1], offset: ?>> to memref<8x16xf32, 2>
  return
}

// A transpose permutes the lists, and makes them of a whole memref.
// CHECK-LABEL: func.func @transposes
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[%arg2, 0] [16, 8] [1, 64])
// CHECK: air.dma_memcpy_nd (%arg1[0, 0] [8, 16] [1, 8], %arg3[] [] [])
func.func @transposes(%l3: memref<32x64xf32>, %l1: memref<16x8xf32, 2>, %i: index, %other: memref<8x16xf32, 1>) {
  %s = memref.subview %l3[0, %i] [8, 16] [1, 1] : memref<32x64xf32> to memref<8x16xf32, strided<[64, 1], offset: ?>>
  %t = memref.transpose %s (d0, d1) -> (d1, d0) : memref<8x16xf32, strided<[64, 1], offset: ?>> to memref<16x8xf32, strided<[1, 64], offset: ?>>
  memref.copy %t, %l1 : memref<16x8xf32, strided<[1, 64], offset: ?>> to memref<16x8xf32, 2>
  %u = memref.transpose %l1 (d0, d1) -> (d1, d0) : memref<16x8xf32, 2> to memref<8x16xf32, strided<[1, 8]>, 2>
  memref.copy %other, %u : memref<8x16xf32, 1> to memref<8x16xf32, strided<[1, 8]>, 2>
  return
}

// What no list can say is kept as a view.
// CHECK-LABEL: func.func @kept_views
// CHECK: %[[STEP:.*]] = memref.subview
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %[[STEP]][] [] [])
// CHECK: %[[DYN:.*]] = memref.subview
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %[[DYN]][] [] [])
// CHECK: %[[SHIFTED:.*]] = memref.reinterpret_cast
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %[[SHIFTED]][] [] [])
// CHECK: %[[NOWHERE:.*]] = memref.reinterpret_cast
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %[[NOWHERE]][] [] [])
func.func @kept_views(%l3: memref<32x64xf32>, %l1: memref<8x16xf32, 2>, %dyn: memref<32x64xf32, strided<[?, 1]>>, %off: memref<600xf32, strided<[1], offset: 5>>, %i: index) {
  %a = memref.subview %l3[%i, 0] [8, 16] [2, 1] : memref<32x64xf32> to memref<8x16xf32, strided<[128, 1], offset: ?>>
  memref.copy %a, %l1 : memref<8x16xf32, strided<[128, 1], offset: ?>> to memref<8x16xf32, 2>
  %b = memref.subview %dyn[%i, 0] [8, 16] [1, 1] : memref<32x64xf32, strided<[?, 1]>> to memref<8x16xf32, strided<[?, 1], offset: ?>>
  memref.copy %b, %l1 : memref<8x16xf32, strided<[?, 1], offset: ?>> to memref<8x16xf32, 2>
  %c = memref.reinterpret_cast %off to offset: [9], sizes: [8, 16], strides: [16, 1] : memref<600xf32, strided<[1], offset: 5>> to memref<8x16xf32, strided<[16, 1], offset: 9>>
  memref.copy %c, %l1 : memref<8x16xf32, strided<[16, 1], offset: 9>> to memref<8x16xf32, 2>
  %d = memref.reinterpret_cast %l3 to offset: [%i], sizes: [8, 16], strides: [64, 2] : memref<32x64xf32> to memref<8x16xf32, strided<[64, 2], offset: ?>>
  memref.copy %d, %l1 : memref<8x16xf32, strided<[64, 2], offset: ?>> to memref<8x16xf32, 2>
  return
}

// Element (i0, i1, j0, j1) of the packed side is element (i0 * 4 + j0, i1 * 8 + j1) of the other.
// CHECK-LABEL: func.func @packs
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[0, 0, 0, 0] [8, 4, 4, 8] [128, 8, 32, 1])
// CHECK: air.dma_memcpy_nd (%arg2[] [] [], %arg0[0, 0, 0, 0] [4, 8, 8, 4] [8, 128, 1, 32])
// CHECK: air.dma_memcpy_nd (%arg0[0, 0, 0, 0] [8, 4, 4, 8] [128, 8, 32, 1], %arg1[] [] [])
func.func @packs(%m: memref<32x32xf32>, %p: memref<8x4x4x8xf32, 1>, %q: memref<4x8x8x4xf32, 1>) {
  linalg.pack %m inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %p : memref<32x32xf32> -> memref<8x4x4x8xf32, 1>
  linalg.pack %m outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %q : memref<32x32xf32> -> memref<4x8x8x4xf32, 1>
  linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %m : memref<8x4x4x8xf32, 1> -> memref<32x32xf32>
  return
}

// Offsets of a subview stay with the stride that they count in.
// CHECK-LABEL: func.func @pack_of_subview
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[0, 0, %arg2, 8] [4, 2, 4, 8] [128, 8, 32, 1])
func.func @pack_of_subview(%m: memref<32x32xf32>, %p: memref<4x2x4x8xf32, 1>, %i: index) {
  %s = memref.subview %m[%i, 8] [16, 16] [1, 1] : memref<32x32xf32> to memref<16x16xf32, strided<[32, 1], offset: ?>>
  linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %p : memref<16x16xf32, strided<[32, 1], offset: ?>> -> memref<4x2x4x8xf32, 1>
  return
}

// A dimension that the subview leaves out stays one of the list.
// CHECK-LABEL: func.func @pack_of_one
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[%arg2, 0, 0, %arg3, 0] [1, 2, 2, 8, 8] [1024, 8, 256, 32, 1])
func.func @pack_of_one(%m: memref<4x32x32xf32>, %p: memref<2x2x8x8xf32, 1>, %i: index, %j: index) {
  %s = memref.subview %m[%i, %j, 0] [1, 16, 16] [1, 1, 1] : memref<4x32x32xf32> to memref<16x16xf32, strided<[32, 1], offset: ?>>
  linalg.pack %s outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %p : memref<16x16xf32, strided<[32, 1], offset: ?>> -> memref<2x2x8x8xf32, 1>
  return
}
