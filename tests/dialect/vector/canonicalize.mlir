// Vectors that are constants, repeat an element, or are only taken apart and put together.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @extract_of_broadcast(
// CHECK-NEXT: %0 = vector.broadcast %arg0 : f32 to vector<8xf32>
// CHECK-NEXT: %1 = vector.extract %arg1[5] : f32 from vector<8xf32>
// CHECK-NEXT: return %arg0, %0, %arg1, %1 : f32, vector<8xf32>, vector<8xf32>, f32
// CHECK-NEXT: }
func.func @extract_of_broadcast(%f: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>, vector<8xf32>, f32) {
  %b = vector.broadcast %f : f32 to vector<4x8xf32>
  %e0 = vector.extract %b[1, 2] : f32 from vector<4x8xf32>
  %e1 = vector.extract %b[1] : vector<8xf32> from vector<4x8xf32>
  %w = vector.broadcast %v : vector<8xf32> to vector<4x8xf32>
  %e2 = vector.extract %w[3] : vector<8xf32> from vector<4x8xf32>
  %e3 = vector.extract %w[3, 5] : f32 from vector<4x8xf32>
  return %e0, %e1, %e2, %e3 : f32, vector<8xf32>, vector<8xf32>, f32
}

// CHECK-LABEL: func.func @extract_of_insert(
// CHECK-NEXT: %0 = vector.extract %arg1[2, 1] : f32 from vector<4x8xf32>
// CHECK-NEXT: %1 = vector.extract %arg0[3] : f32 from vector<8xf32>
// CHECK-NEXT: return %arg0, %0, %1 : vector<8xf32>, f32, f32
// CHECK-NEXT: }
func.func @extract_of_insert(%v: vector<8xf32>, %w: vector<4x8xf32>) -> (vector<8xf32>, f32, f32) {
  %i = vector.insert %v, %w[1] : vector<8xf32> into vector<4x8xf32>
  %e0 = vector.extract %i[1] : vector<8xf32> from vector<4x8xf32>
  %e1 = vector.extract %i[2, 1] : f32 from vector<4x8xf32>
  %e2 = vector.extract %i[1, 3] : f32 from vector<4x8xf32>
  return %e0, %e1, %e2 : vector<8xf32>, f32, f32
}

// CHECK-LABEL: func.func @extract_chain(
// CHECK-NEXT: %0 = vector.extract %arg0[2, 3] : f32 from vector<4x8xf32>
// CHECK-NEXT: %1 = vector.extract %arg0[2, 4] : f32 from vector<4x8xf32>
// CHECK-NEXT: return %0, %1 : f32, f32
// CHECK-NEXT: }
func.func @extract_chain(%w: vector<4x8xf32>) -> (f32, f32) {
  %e = vector.extract %w[2] : vector<8xf32> from vector<4x8xf32>
  %f = vector.extract %e[3] : f32 from vector<8xf32>
  %s = vector.extract_strided_slice %w {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %g = vector.extract %s[1, 4] : f32 from vector<2x8xf32>
  return %f, %g : f32, f32
}

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant dense<[3, 4]> : vector<2xi32>
// CHECK-NEXT: %c3_i32 = arith.constant 3 : i32
// CHECK-NEXT: %cst_1 = arith.constant dense<2.000000e+00> : vector<4x8xf32>
// CHECK-NEXT: %cst_2 = arith.constant dense<1.000000e+00> : vector<8x4xf32>
// CHECK-NEXT: %cst_3 = arith.constant dense<1.000000e+00> : vector<32xf32>
// CHECK-NEXT: return %cst, %cst_0, %c3_i32, %cst_1, %cst_2, %cst_3 : f32, vector<2xi32>, i32, vector<4x8xf32>, vector<8x4xf32>, vector<32xf32>
// CHECK-NEXT: }
func.func @constants() -> (f32, vector<2xi32>, i32, vector<4x8xf32>, vector<8x4xf32>, vector<32xf32>) {
  %c = arith.constant dense<1.0> : vector<4x8xf32>
  %d = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %s = arith.constant 2.0 : f32
  %e0 = vector.extract %c[1, 1] : f32 from vector<4x8xf32>
  %e1 = vector.extract %d[1] : vector<2xi32> from vector<2x2xi32>
  %e2 = vector.extract %d[1, 0] : i32 from vector<2x2xi32>
  %b = vector.broadcast %s : f32 to vector<4x8xf32>
  %t = vector.transpose %c, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %r = vector.shape_cast %c : vector<4x8xf32> to vector<32xf32>
  return %e0, %e1, %e2, %b, %t, %r : f32, vector<2xi32>, i32, vector<4x8xf32>, vector<8x4xf32>, vector<32xf32>
}

// CHECK-LABEL: func.func @insert_what_was_there(
// CHECK-NEXT: return %arg0 : vector<4x8xf32>
// CHECK-NEXT: }
func.func @insert_what_was_there(%w: vector<4x8xf32>) -> vector<4x8xf32> {
  %e = vector.extract %w[2] : vector<8xf32> from vector<4x8xf32>
  %i = vector.insert %e, %w[2] : vector<8xf32> into vector<4x8xf32>
  return %i : vector<4x8xf32>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK-NEXT: %0 = vector.broadcast %arg0 : f32 to vector<4x8xf32>
// CHECK-NEXT: return %0 : vector<4x8xf32>
// CHECK-NEXT: }
func.func @broadcasts(%f: f32) -> vector<4x8xf32> {
  %a = vector.broadcast %f : f32 to vector<8xf32>
  %b = vector.broadcast %a : vector<8xf32> to vector<4x8xf32>
  return %b : vector<4x8xf32>
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: %0 = vector.shape_cast %arg0 : vector<4x8xf32> to vector<8x4xf32>
// CHECK-NEXT: return %arg0, %0, %arg1 : vector<4x8xf32>, vector<8x4xf32>, vector<8xf32>
// CHECK-NEXT: }
func.func @casts(%w: vector<4x8xf32>, %v: vector<8xf32>) -> (vector<4x8xf32>, vector<8x4xf32>, vector<8xf32>) {
  %a = vector.shape_cast %w : vector<4x8xf32> to vector<32xf32>
  %b = vector.shape_cast %a : vector<32xf32> to vector<4x8xf32>
  %c = vector.shape_cast %a : vector<32xf32> to vector<8x4xf32>
  %d = vector.bitcast %v : vector<8xf32> to vector<16xi16>
  %e = vector.bitcast %d : vector<16xi16> to vector<8xf32>
  return %b, %c, %e : vector<4x8xf32>, vector<8x4xf32>, vector<8xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-NEXT: %0 = vector.transpose %arg0, [2, 0, 1] : vector<4x8x2xf32> to vector<2x4x8xf32>
// CHECK-NEXT: %1 = vector.broadcast %arg1 : f32 to vector<8x4xf32>
// CHECK-NEXT: return %0, %arg0, %1 : vector<2x4x8xf32>, vector<4x8x2xf32>, vector<8x4xf32>
// CHECK-NEXT: }
func.func @transposes(%w: vector<4x8x2xf32>, %f: f32) -> (vector<2x4x8xf32>, vector<4x8x2xf32>, vector<8x4xf32>) {
  %a = vector.transpose %w, [1, 2, 0] : vector<4x8x2xf32> to vector<8x2x4xf32>
  %b = vector.transpose %a, [1, 2, 0] : vector<8x2x4xf32> to vector<2x4x8xf32>
  %i = vector.transpose %w, [0, 1, 2] : vector<4x8x2xf32> to vector<4x8x2xf32>
  %s = vector.broadcast %f : f32 to vector<4x8xf32>
  %t = vector.transpose %s, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  return %b, %i, %t : vector<2x4x8xf32>, vector<4x8x2xf32>, vector<8x4xf32>
}

// CHECK-LABEL: func.func @slices(
// CHECK-NEXT: return %arg0, %arg1 : vector<4x8xf32>, vector<4x8xf32>
// CHECK-NEXT: }
func.func @slices(%w: vector<4x8xf32>, %v: vector<4x8xf32>) -> (vector<4x8xf32>, vector<4x8xf32>) {
  %a = vector.extract_strided_slice %w {offsets = [0], sizes = [4], strides = [1]} : vector<4x8xf32> to vector<4x8xf32>
  %b = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [1, 1]} : vector<4x8xf32> into vector<4x8xf32>
  return %a, %b : vector<4x8xf32>, vector<4x8xf32>
}

// CHECK-LABEL: func.func @shuffles(
// CHECK-NEXT: %0 = vector.shuffle %arg0, %arg1 [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT: return %arg0, %arg1, %0 : vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT: }
func.func @shuffles(%v: vector<4xf32>, %w: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %a = vector.shuffle %v, %w [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  %b = vector.shuffle %v, %w [4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %c = vector.shuffle %v, %w [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>
  return %a, %b, %c : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @one_element(
// CHECK-NEXT: %0 = vector.extract %arg0[0] : f32 from vector<1xf32>
// CHECK-NEXT: %1 = vector.extract %arg0[0] : f32 from vector<1xf32>
// CHECK-NEXT: %2 = arith.mulf %1, %arg1 : f32
// CHECK-NEXT: return %0, %2 : f32, f32
// CHECK-NEXT: }
func.func @one_element(%v: vector<1xf32>, %f: f32) -> (f32, f32) {
  %a = vector.reduction <add>, %v : vector<1xf32> into f32
  %b = vector.reduction <mul>, %v, %f : vector<1xf32> into f32
  return %a, %b : f32, f32
}

// CHECK-LABEL: func.func @mask(
// CHECK-NEXT: %0 = vector.constant_mask [8] : vector<8xi1>
// CHECK-NEXT: %1 = vector.constant_mask [0, 0] : vector<4x8xi1>
// CHECK-NEXT: return %0, %1 : vector<8xi1>, vector<4x8xi1>
// CHECK-NEXT: }
func.func @mask() -> (vector<8xi1>, vector<4x8xi1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %a = vector.create_mask %c9 : vector<8xi1>
  %b = vector.create_mask %c0, %c2 : vector<4x8xi1>
  return %a, %b : vector<8xi1>, vector<4x8xi1>
}

// CHECK-LABEL: func.func @in_bounds(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c12 = arith.constant 12 : index
// CHECK-NEXT: %0 = vector.transfer_read %arg0[%arg2, %c0], %arg1 {in_bounds = [true]} : memref<8x16xf32>, vector<8xf32>
// CHECK-NEXT: %1 = vector.transfer_read %arg0[%c0, %c12], %arg1 : memref<8x16xf32>, vector<8xf32>
// CHECK-NEXT: vector.transfer_write %0, %arg3[%arg2, %arg2] : vector<8xf32>, memref<8x16xf32>
// CHECK-NEXT: vector.transfer_write %1, %arg3[%arg2, %c0] {in_bounds = [true]} : vector<8xf32>, memref<8x16xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @in_bounds(%m: memref<8x16xf32>, %f: f32, %i: index, %o: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %a = vector.transfer_read %m[%i, %c0], %f : memref<8x16xf32>, vector<8xf32>
  %b = vector.transfer_read %m[%c0, %c12], %f : memref<8x16xf32>, vector<8xf32>
  vector.transfer_write %a, %o[%i, %i] : vector<8xf32>, memref<8x16xf32>
  vector.transfer_write %b, %o[%i, %c0] : vector<8xf32>, memref<8x16xf32>
  return
}

// CHECK-LABEL: func.func @memref_casts(
// CHECK-NEXT: %0 = vector.transfer_read %arg0[%arg2, %arg2], %arg1 : memref<8x16xf32>, vector<8xf32>
// CHECK-NEXT: %1 = vector.load %arg0[%arg2, %arg2] : memref<8x16xf32>, vector<8xf32>
// CHECK-NEXT: vector.transfer_write %1, %arg0[%arg2, %arg2] : vector<8xf32>, memref<8x16xf32>
// CHECK-NEXT: vector.store %0, %arg0[%arg2, %arg2] : memref<8x16xf32>, vector<8xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @memref_casts(%m: memref<8x16xf32>, %f: f32, %i: index) {
  %c = memref.cast %m : memref<8x16xf32> to memref<?x16xf32>
  %a = vector.transfer_read %c[%i, %i], %f : memref<?x16xf32>, vector<8xf32>
  %b = vector.load %c[%i, %i] : memref<?x16xf32>, vector<8xf32>
  vector.transfer_write %b, %c[%i, %i] : vector<8xf32>, memref<?x16xf32>
  vector.store %a, %c[%i, %i] : memref<?x16xf32>, vector<8xf32>
  return
}
