// Views of memory in the access lists of transfers.
// RUN: airlite-opt --canonicalize --split-input-file %s | FileCheck %s

air.channel @c []
air.channel @cascade [] {channel_type = "npu_cascade"}

// CHECK-LABEL: func.func @subviews
func.func @subviews(%m: memref<64x64xf32>, %d: memref<8x32xf32, 1>, %i: index, %j: index) {
  // CHECK-NEXT: %[[C4:.*]] = arith.constant 4
  // CHECK-NEXT: air.dma_memcpy_nd (%arg1[] [] [], %arg0[%arg2, 4] [8, 32] [64, 1]) : (memref<8x32xf32, 1>, memref<64x64xf32>)
  %a = memref.subview %m[%i, 4] [8, 32] [1, 1] : memref<64x64xf32> to memref<8x32xf32, strided<[64, 1], offset: ?>>
  air.dma_memcpy_nd (%d[] [] [], %a[] [] []) {id = 3 : i32} : (memref<8x32xf32, 1>, memref<8x32xf32, strided<[64, 1], offset: ?>>)
  // A view of a view: offsets add up.
  // CHECK-NEXT: %[[BOTH:.*]] = arith.addi %arg2, %arg3
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %arg3, %[[C4]]
  // CHECK-NEXT: air.channel.put @c[] (%arg0[%[[BOTH]], %[[SUM]]] [2, 2] [64, 1]) : (memref<64x64xf32>)
  %b = memref.subview %a[%j, %j] [2, 2] [1, 1] : memref<8x32xf32, strided<[64, 1], offset: ?>> to memref<2x2xf32, strided<[64, 1], offset: ?>>
  air.channel.put @c[] (%b[] [] []) : (memref<2x2xf32, strided<[64, 1], offset: ?>>)
  // Steps multiply strides; an offset that is not a multiple of the step keeps a dim of its own.
  // CHECK-NEXT: air.channel.put @c[] (%arg0[2, 0] [4, 64] [192, 1]) : (memref<64x64xf32>)
  %s = memref.subview %m[6, 0] [4, 64] [3, 1] : memref<64x64xf32> to memref<4x64xf32, strided<[192, 1], offset: 384>>
  air.channel.put @c[] (%s[] [] []) : (memref<4x64xf32, strided<[192, 1], offset: 384>>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[5, 0, 0] [1, 4, 64] [64, 192, 1]) : (memref<64x64xf32>)
  %t = memref.subview %m[5, 0] [4, 64] [3, 1] : memref<64x64xf32> to memref<4x64xf32, strided<[192, 1], offset: 320>>
  air.channel.put @c[] (%t[] [] []) : (memref<4x64xf32, strided<[192, 1], offset: 320>>)
  return
}

// A dim that the view leaves out still counts for the address.
// CHECK-LABEL: func.func @reduced
func.func @reduced(%m: memref<4x8x16xf32>, %i: index, %j: index) {
  // CHECK-NEXT: air.channel.put @c[] (%arg0[%arg2, %arg1, 0] [1, 2, 16] [16, 128, 1]) : (memref<4x8x16xf32>)
  %a = memref.subview %m[%i, %j, 0] [2, 1, 16] [1, 1, 1] : memref<4x8x16xf32> to memref<2x16xf32, strided<[128, 1], offset: ?>>
  air.channel.put @c[] (%a[] [] []) : (memref<2x16xf32, strided<[128, 1], offset: ?>>)
  // One element is not the whole memref.
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0] [1] [1]) : (memref<4x8x16xf32>)
  %b = memref.subview %m[0, 0, 0] [1, 1, 1] [1, 1, 1] : memref<4x8x16xf32> to memref<f32>
  air.channel.put @c[] (%b[] [] []) : (memref<f32>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[%arg1, 3] [1, 1] [128, 16]) : (memref<4x8x16xf32>)
  %c = memref.subview %m[%i, 3, 0] [1, 1, 1] [1, 1, 1] : memref<4x8x16xf32> to memref<f32, strided<[], offset: ?>>
  air.channel.put @c[] (%c[] [] []) : (memref<f32, strided<[], offset: ?>>)
  return
}

// Only offset 0 stays inside where the view is as large as the dim.
// CHECK-LABEL: func.func @full
// CHECK-NEXT: air.channel.put @c[] (%arg0[] [] []) : (memref<8x16xf32>)
func.func @full(%m: memref<8x16xf32>, %i: index) {
  %a = memref.subview %m[%i, 0] [8, 16] [1, 1] : memref<8x16xf32> to memref<8x16xf32, strided<[16, 1], offset: ?>>
  air.channel.put @c[] (%a[] [] []) : (memref<8x16xf32, strided<[16, 1], offset: ?>>)
  return
}

// CHECK-LABEL: func.func @shapes
func.func @shapes(%m: memref<8x16xf32>, %i: index) {
  // CHECK-NEXT: %[[C16:.*]] = arith.constant 16
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0] [4, 8, 4] [4, 16, 1]) : (memref<8x16xf32>)
  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [8, 4, 4] : memref<8x16xf32> into memref<8x4x4xf32>
  %t = memref.transpose %e (d0, d1, d2) -> (d1, d0, d2) : memref<8x4x4xf32> to memref<4x8x4xf32, strided<[4, 16, 1]>>
  air.channel.put @c[] (%t[] [] []) : (memref<4x8x4xf32, strided<[4, 16, 1]>>)
  // CHECK-NEXT: %[[ROWS:.*]] = arith.muli %arg1, %[[C16]]
  // CHECK-NEXT: air.channel.put @c[] (%arg0[%[[ROWS]]] [32] [1]) : (memref<8x16xf32>)
  %s = memref.subview %m[%i, 0] [2, 16] [1, 1] : memref<8x16xf32> to memref<2x16xf32, strided<[16, 1], offset: ?>>
  %f = memref.collapse_shape %s [[0, 1]] : memref<2x16xf32, strided<[16, 1], offset: ?>> into memref<32xf32, strided<[1], offset: ?>>
  air.channel.put @c[] (%f[] [] []) : (memref<32xf32, strided<[1], offset: ?>>)
  return
}

// An own list counts from where the view begins.
// CHECK-LABEL: func.func @lists
func.func @lists(%m: memref<64x64xf32>, %i: index) {
  %a = memref.subview %m[%i, 4] [8, 32] [1, 1] : memref<64x64xf32> to memref<8x32xf32, strided<[64, 1], offset: ?>>
  // CHECK: air.channel.put @c[] (%arg0[%arg1, 6] [8, 16] [64, 1]) : (memref<64x64xf32>)
  air.channel.put @c[] (%a[0, 2] [8, 16] [64, 1]) : (memref<8x32xf32, strided<[64, 1], offset: ?>>)
  // No entry of the list steps by rows: the innermost takes %i * 64 + 4.
  // CHECK-NEXT: %[[ROW:.*]] = arith.muli %arg1, %c64
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %c4
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0, %[[AT]]] [4, 4] [48, 1]) : (memref<64x64xf32>)
  air.channel.put @c[] (%a[0, 0] [4, 4] [48, 1]) : (memref<8x32xf32, strided<[64, 1], offset: ?>>)
  return
}

// CHECK-LABEL: func.func @reinterpret
func.func @reinterpret(%m: memref<*xf32>, %r: memref<64xf32>, %f: index, %s: index) {
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0, %arg2] [8, 16] [32, 1]) : (memref<*xf32>)
  %a = memref.reinterpret_cast %m to offset: [%f], sizes: [8, 16], strides: [32, 1] : memref<*xf32> to memref<8x16xf32, strided<[32, 1], offset: ?>>
  air.channel.put @c[] (%a[] [] []) : (memref<8x16xf32, strided<[32, 1], offset: ?>>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[%arg2, 0] [1, 8] [1, %arg3]) : (memref<*xf32>)
  %b = memref.reinterpret_cast %m to offset: [%f], sizes: [8], strides: [%s] : memref<*xf32> to memref<8xf32, strided<[?], offset: ?>>
  air.channel.put @c[] (%b[] [] []) : (memref<8xf32, strided<[?], offset: ?>>)
  // It counts from the start of the buffer, not of the view that it is given.
  // CHECK-NEXT: air.channel.put @c[] (%arg1[3] [8] [1]) : (memref<64xf32>)
  %v = memref.subview %r[16] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 16>>
  %c = memref.reinterpret_cast %v to offset: [3], sizes: [8], strides: [1] : memref<32xf32, strided<[1], offset: 16>> to memref<8xf32, strided<[1], offset: 3>>
  air.channel.put @c[] (%c[] [] []) : (memref<8xf32, strided<[1], offset: 3>>)
  return
}

// Zeros go with the dims of the list by their number.
// CHECK-LABEL: func.func @padded
func.func @padded(%m: memref<4x64x64xf32>, %i: index) {
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0, 0] [4, 64, 64] [4096, 64, 1]) {pad_after = array<i32: 0, 0, 2>, pad_before = array<i32: 0, 0, 1>}
  air.channel.put @c[] (%m[0, 0, 0] [4, 64, 64] [4096, 64, 1]) {pad_before = array<i32: 0, 0, 1>, pad_after = array<i32: 0, 0, 2>} : (memref<4x64x64xf32>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[2, 0, %arg1] [2, 64, 8] [4096, 64, 1]) {pad_after
  %a = memref.subview %m[2, 0, %i] [2, 64, 8] [1, 1, 1] : memref<4x64x64xf32> to memref<2x64x8xf32, strided<[4096, 64, 1], offset: ?>>
  air.channel.put @c[] (%a[] [] []) {pad_before = array<i32: 0, 0, 1>, pad_after = array<i32: 0, 0, 2>} : (memref<2x64x8xf32, strided<[4096, 64, 1], offset: ?>>)
  // CHECK-NEXT: %[[V:.*]] = memref.subview
  // CHECK-NEXT: air.channel.put @c[] (%[[V]][] [] []) {pad_after
  %b = memref.subview %m[%i, 0, 0] [1, 64, 64] [1, 1, 1] : memref<4x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
  air.channel.put @c[] (%b[] [] []) {pad_before = array<i32: 0, 1>, pad_after = array<i32: 0, 2>} : (memref<64x64xf32, strided<[64, 1], offset: ?>>)
  return
}

// What cannot be said exactly stays.
// CHECK-LABEL: func.func @kept
func.func @kept(%m: memref<?x?xf32, strided<[?, 1], offset: ?>>, %n: memref<64x64xf32>, %o: memref<64xf32, strided<[1], offset: ?>>, %i: index) {
  // The stride of the base is not known.
  // CHECK-NEXT: %[[A:.*]] = memref.subview
  // CHECK-NEXT: air.channel.put @c[] (%[[A]][] [] [])
  %a = memref.subview %m[%i, 0] [8, 8] [1, 1] : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<8x8xf32, strided<[?, 1], offset: ?>>
  air.channel.put @c[] (%a[] [] []) : (memref<8x8xf32, strided<[?, 1], offset: ?>>)
  // Offsets that are coordinates of the memref, not of the list.
  // CHECK-NEXT: %[[B:.*]] = memref.subview
  // CHECK-NEXT: air.channel.put @c[] (%[[B]][1, 2] [2, 2, 2] [64, 8, 1])
  %b = memref.subview %n[%i, 8] [8, 8] [1, 1] : memref<64x64xf32> to memref<8x8xf32, strided<[64, 1], offset: ?>>
  air.channel.put @c[] (%b[1, 2] [2, 2, 2] [64, 8, 1]) : (memref<8x8xf32, strided<[64, 1], offset: ?>>)
  // A base that does not begin where its buffer does.
  // CHECK-NEXT: %[[R:.*]] = memref.reinterpret_cast
  // CHECK-NEXT: air.channel.put @c[] (%[[R]][] [] [])
  %r = memref.reinterpret_cast %o to offset: [3], sizes: [8], strides: [1] : memref<64xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: 3>>
  air.channel.put @c[] (%r[] [] []) : (memref<8xf32, strided<[1], offset: 3>>)
  // A cascade moves a whole buffer, and an undeclared channel may be one.
  // CHECK-NEXT: air.channel.put @cascade[] (%[[B]][] [] [])
  air.channel.put @cascade[] (%b[] [] []) : (memref<8x8xf32, strided<[64, 1], offset: ?>>)
  // CHECK-NEXT: air.channel.put @cascade[] (%arg2[] [] []) : (memref<64xf32, strided<[1], offset: ?>>)
  %x = memref.cast %o : memref<64xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  air.channel.put @cascade[] (%x[] [] []) : (memref<?xf32, strided<[1], offset: ?>>)
  // CHECK-NEXT: air.channel.put @elsewhere[] (%[[B]][] [] [])
  air.channel.put @elsewhere[] (%b[] [] []) : (memref<8x8xf32, strided<[64, 1], offset: ?>>)
  return
}

// Lists that walk through all of a memref in order become empty; others stay.
// CHECK-LABEL: func.func @whole
func.func @whole(%m: memref<4x8xf32>, %p: memref<4x8xf32, strided<[16, 1]>>, %i: index) {
  // CHECK-NEXT: air.channel.put @c[] (%arg0[] [] [])
  air.channel.put @c[] (%m[0, 0] [4, 8] [8, 1]) : (memref<4x8xf32>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[] [] [])
  air.channel.put @c[] (%m[0] [32] [1]) : (memref<4x8xf32>)
  // An offset, a hole, and a layout with holes.
  // CHECK-NEXT: air.channel.put @c[] (%arg0[%arg2, 0] [4, 8] [8, 1])
  air.channel.put @c[] (%m[%i, 0] [4, 8] [8, 1]) : (memref<4x8xf32>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[1, 0] [4, 8] [8, 1])
  air.channel.put @c[] (%m[1, 0] [4, 8] [8, 1]) : (memref<4x8xf32>)
  // CHECK-NEXT: air.channel.put @c[] (%arg0[0, 0] [4, 8] [16, 1])
  air.channel.put @c[] (%m[0, 0] [4, 8] [16, 1]) : (memref<4x8xf32>)
  // CHECK-NEXT: air.channel.put @c[] (%arg1[0, 0] [4, 8] [8, 1])
  air.channel.put @c[] (%p[0, 0] [4, 8] [8, 1]) : (memref<4x8xf32, strided<[16, 1]>>)
  return
}

// -----

// CHECK-LABEL: func.func @self_copies
// CHECK-NEXT: air.dma_memcpy_nd (%arg0[] [] [], %arg0[0] [4] [1])
// CHECK-NEXT: air.dma_memcpy_nd (%arg0[1] [4] [1], %arg0[0] [4] [1])
// CHECK-NEXT: air.dma_memcpy_nd {{.*}}pad_after
// CHECK-NEXT: return
func.func @self_copies(%m: memref<8xf32>, %i: index) {
  air.dma_memcpy_nd (%m[] [] [], %m[] [] []) : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%m[%i] [4] [1], %m[%i] [4] [1]) : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%m[] [] [], %m[0] [4] [1]) : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%m[1] [4] [1], %m[0] [4] [1]) : (memref<8xf32>, memref<8xf32>)
  air.dma_memcpy_nd (%m[0] [4] [1], %m[0] [4] [1]) {pad_before = array<i32: 1>, pad_after = array<i32: 0>} : (memref<8xf32>, memref<8xf32>)
  return
}
