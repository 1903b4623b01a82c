// RUN: airlite-opt %s --verify-diagnostics --split-input-file

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result type to be 'memref<2x2xf32, strided<[4, 1], offset: 4>>' or a rank-reduced version. (mismatch of result layout)}}
  %0 = memref.subview %m[1, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: ?>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2 + d1)>>, %n: index) {
  // expected-error@+1 {{base type 'memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2 + d1)>>' is not strided}}
  %0 = memref.subview %m[%n, 0][1, 1][1, 1] : memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2 + d1)>> to memref<1xf32, strided<[4], offset: ?>>
  return
}
