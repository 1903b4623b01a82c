// Constants that move into types, casts and views that say nothing.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @alloc_sizes(
// CHECK-NEXT: %alloc = memref.alloc(%arg0) {alignment = 8 : i64} : memref<2x?xf32>
// CHECK-NEXT: %cast = memref.cast %alloc : memref<2x?xf32> to memref<?x?xf32>
// CHECK-NEXT: return %cast : memref<?x?xf32>
// CHECK-NEXT: }
func.func @alloc_sizes(%n: index) -> memref<?x?xf32> {
  %c2 = arith.constant 2 : index
  %a = memref.alloc(%c2, %n) {alignment = 8 : i64} : memref<?x?xf32>
  return %a : memref<?x?xf32>
}

// Written and freed, never read.
// CHECK-LABEL: func.func @dead_alloc(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @dead_alloc(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @read_alloc(
// CHECK-NEXT: %alloc = memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.store %arg0, %alloc[%arg1] : memref<4xf32>
// CHECK-NEXT: %0 = memref.load %alloc[%arg1] : memref<4xf32>
// CHECK-NEXT: memref.dealloc %alloc : memref<4xf32>
// CHECK-NEXT: return %0 : f32
// CHECK-NEXT: }
func.func @read_alloc(%v: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %l = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %l : f32
}

// CHECK-LABEL: func.func @dims(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: return %arg0, %c4, %arg0 : index, index, index
// CHECK-NEXT: }
func.func @dims(%n: index, %d: memref<?x4xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?x4xf32>
  %d0 = memref.dim %a, %c0 : memref<?x4xf32>
  %d1 = memref.dim %d, %c1 : memref<?x4xf32>
  %s = memref.subview %d[0, 0] [%n, 1] [1, 1] : memref<?x4xf32> to memref<?xf32, strided<[4]>>
  %d2 = memref.dim %s, %c0 : memref<?xf32, strided<[4]>>
  memref.dealloc %a : memref<?x4xf32>
  return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: func.func @dim_of_reshape(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = memref.load %arg1[%c1] : memref<2xi32>
// CHECK-NEXT: %1 = arith.index_cast %0 : i32 to index
// CHECK-NEXT: return %1 : index
// CHECK-NEXT: }
func.func @dim_of_reshape(%m: memref<*xf32>, %shape: memref<2xi32>) -> index {
  %c1 = arith.constant 1 : index
  %r = memref.reshape %m(%shape) : (memref<*xf32>, memref<2xi32>) -> memref<?x?xf32>
  %d = memref.dim %r, %c1 : memref<?x?xf32>
  return %d : index
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = memref.load %arg0[%arg1] : memref<4xf32>
// CHECK-NEXT: memref.store %0, %arg0[%arg1] : memref<4xf32>
// CHECK-NEXT: memref.copy %arg0, %arg2 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: return %0, %c1 : f32, index
// CHECK-NEXT: }
func.func @casts(%m: memref<4xf32>, %i: index, %o: memref<4xf32>) -> (f32, index) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %l = memref.load %c[%i] : memref<?xf32>
  memref.store %l, %c[%i] : memref<?xf32>
  memref.copy %c, %o : memref<?xf32> to memref<4xf32>
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  %r = memref.rank %m : memref<4xf32>
  return %l, %r : f32, index
}

// CHECK-LABEL: func.func @cast_of_cast(
// CHECK-NEXT: %cast = memref.cast %arg0 : memref<4xf32> to memref<*xf32>
// CHECK-NEXT: return %arg0, %cast : memref<4xf32>, memref<*xf32>
// CHECK-NEXT: }
func.func @cast_of_cast(%m: memref<4xf32>) -> (memref<4xf32>, memref<*xf32>) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  %b = memref.cast %c : memref<?xf32> to memref<4xf32>
  %u = memref.cast %c : memref<?xf32> to memref<*xf32>
  return %b, %u : memref<4xf32>, memref<*xf32>
}

// CHECK-LABEL: func.func @self_copy(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @self_copy(%m: memref<4xf32>) {
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @subview_constants(
// CHECK-NEXT: %subview = memref.subview %arg0[0, 1] [%arg1, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: 1>>
// CHECK-NEXT: %cast = memref.cast %subview : memref<?x4xf32, strided<[?, 1], offset: 1>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT: return %cast : memref<?x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT: }
func.func @subview_constants(%d: memref<?x?xf32>, %n: index) -> memref<?x4xf32, strided<[?, 1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %s = memref.subview %d[%c0, %c1] [%n, %c4] [%c1, %c1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %r = memref.cast %s : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %r : memref<?x4xf32, strided<[?, 1], offset: ?>>
}

// CHECK-LABEL: func.func @subview_of_cast(
// CHECK-NEXT: %subview = memref.subview %arg0[%arg1, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT: %0 = memref.load %subview[%arg1, %arg1] : memref<2x2xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT: return %0 : f32
// CHECK-NEXT: }
func.func @subview_of_cast(%m: memref<4x4xf32>, %i: index) -> f32 {
  %c = memref.cast %m : memref<4x4xf32> to memref<?x?xf32>
  %s = memref.subview %c[%i, 0] [2, 2] [1, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  %l = memref.load %s[%i, %i] : memref<2x2xf32, strided<[?, 1], offset: ?>>
  return %l : f32
}

// CHECK-LABEL: func.func @whole_subview(
// CHECK-NEXT: %0 = memref.load %arg0[%arg1, %arg1] : memref<4x4xf32>
// CHECK-NEXT: return %0 : f32
// CHECK-NEXT: }
func.func @whole_subview(%m: memref<4x4xf32>, %i: index) -> f32 {
  %s = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  %l = memref.load %s[%i, %i] : memref<4x4xf32, strided<[4, 1]>>
  return %l : f32
}

// A part of the same type elsewhere is not the whole.
// CHECK-LABEL: func.func @shifted_subview(
// CHECK-NEXT: %subview = memref.subview %arg0[1, 0] [4, 4] [1, 1] : memref<4x4xf32, strided<[4, 1], offset: ?>> to memref<4x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT: return %subview : memref<4x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT: }
func.func @shifted_subview(%m: memref<4x4xf32, strided<[4, 1], offset: ?>>) -> memref<4x4xf32, strided<[4, 1], offset: ?>> {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[1, 0] [4, 4] [1, 1] : memref<4x4xf32, strided<[4, 1], offset: ?>> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  return %s : memref<4x4xf32, strided<[4, 1], offset: ?>>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-NEXT: %transpose = memref.transpose %arg0 (d0, d1) -> (d0, d1) : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
// CHECK-NEXT: return %transpose : memref<4x8xf32, strided<[8, 1]>>
// CHECK-NEXT: }
func.func @transposes(%m: memref<4x8xf32>) -> memref<4x8xf32, strided<[8, 1]>> {
  %t = memref.transpose %m (a, b) -> (b, a) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %r = memref.transpose %t (a, b) -> (b, a) : memref<8x4xf32, strided<[1, 8]>> to memref<4x8xf32, strided<[8, 1]>>
  return %r : memref<4x8xf32, strided<[8, 1]>>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT: %expand_shape = memref.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
// CHECK-NEXT: %expand_shape_0 = memref.expand_shape %arg0 {{\[\[}}0, 1], [2, 3]] output_shape [2, 2, 2, 2] : memref<4x4xf32> into memref<2x2x2x2xf32>
// CHECK-NEXT: %collapse_shape = memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<4x4xf32> into memref<16xf32>
// CHECK-NEXT: return %arg0, %expand_shape, %expand_shape_0, %collapse_shape : memref<4x4xf32>, memref<2x2x4xf32>, memref<2x2x2x2xf32>, memref<16xf32>
// CHECK-NEXT: }
func.func @reshapes(%m: memref<4x4xf32>) -> (memref<4x4xf32>, memref<2x2x4xf32>, memref<2x2x2x2xf32>, memref<16xf32>) {
  %e = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 2, 2, 2] : memref<4x4xf32> into memref<2x2x2x2xf32>
  %back = memref.collapse_shape %e [[0, 1], [2, 3]] : memref<2x2x2x2xf32> into memref<4x4xf32>
  %part = memref.collapse_shape %e [[0], [1], [2, 3]] : memref<2x2x2x2xf32> into memref<2x2x4xf32>
  %e1 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
  %e2 = memref.expand_shape %e1 [[0], [1], [2, 3]] output_shape [2, 2, 2, 2] : memref<2x2x4xf32> into memref<2x2x2x2xf32>
  %flat = memref.collapse_shape %e [[0, 1, 2, 3]] : memref<2x2x2x2xf32> into memref<16xf32>
  return %back, %part, %e2, %flat : memref<4x4xf32>, memref<2x2x4xf32>, memref<2x2x2x2xf32>, memref<16xf32>
}

// CHECK-LABEL: func.func @metadata(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
// CHECK-NEXT: %cast = memref.cast %arg0 : memref<4x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT: return %cast, %c0, %c4, %sizes#1 : memref<?x?xf32, strided<[?, ?], offset: ?>>, index, index, index
// CHECK-NEXT: }
func.func @metadata(%m: memref<4x?xf32>) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>, index, index, index) {
  %b, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %rc = memref.reinterpret_cast %b to offset: [%off], sizes: [%sz#0, %sz#1], strides: [%st#0, %st#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %rc, %off, %sz#0, %sz#1 : memref<?x?xf32, strided<[?, ?], offset: ?>>, index, index, index
}

// CHECK-LABEL: func.func @view_sizes(
// CHECK-NEXT: %view = memref.view %arg0[%arg1][] : memref<128xi8> to memref<4x4xf32>
// CHECK-NEXT: %cast = memref.cast %view : memref<4x4xf32> to memref<?x4xf32>
// CHECK-NEXT: return %cast : memref<?x4xf32>
// CHECK-NEXT: }
func.func @view_sizes(%raw: memref<128xi8>, %i: index) -> memref<?x4xf32> {
  %c4 = arith.constant 4 : index
  %v = memref.view %raw[%i][%c4] : memref<128xi8> to memref<?x4xf32>
  return %v : memref<?x4xf32>
}

// CHECK-LABEL: func.func @scope(
// CHECK-NEXT: memref.store %arg2, %arg0[%arg1] : memref<4xf32>
// CHECK-NEXT: return %arg2 : f32
// CHECK-NEXT: }
func.func @scope(%m: memref<4xf32>, %i: index, %v: f32) -> f32 {
  %r = memref.alloca_scope -> (f32) {
    memref.store %v, %m[%i] : memref<4xf32>
    memref.alloca_scope.return %v : f32
  }
  return %r : f32
}

// Constants of a reinterpret_cast become static; a negative one stays what it is.
// CHECK-LABEL: func.func @reinterpret_constants
// CHECK-DAG: %[[M1:.*]] = arith.constant -1 : index
// CHECK: memref.reinterpret_cast %arg0 to offset: [4], sizes: [8], strides: [%[[M1]]] : memref<*xf32> to memref<8xf32, strided<[?], offset: 4>>
func.func @reinterpret_constants(%m: memref<*xf32>, %i: index, %f: f32) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %m1 = arith.constant -1 : index
  %r = memref.reinterpret_cast %m to offset: [%c4], sizes: [%c8], strides: [%m1] : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.store %f, %r[%i] : memref<?xf32, strided<[?], offset: ?>>
  return
}
