// RUN: airlite-opt %s --air-launch-to-linalg | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>

// Tiles of 4 rows for 10 of them: what lies behind them is not there.
// CHECK-LABEL: func.func @padded
// CHECK-NOT: air.launch
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<10x8xi32>) outs(%arg1 : memref<10x8xi32>)
func.func @padded(%a: memref<10x8xi32>, %c: memref<10x8xi32>) {
  %points = arith.constant 3 : index
  %one = arith.constant 1 : index
  air.launch (%i, %j) in (%x = %points, %y = %one) args(%la = %a, %lc = %c) : memref<10x8xi32>, memref<10x8xi32> attributes {air.actual_sizes = array<i64: 10, 1>} {
    %at = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %pa = memref.reinterpret_cast %la to offset: [%at], sizes: [4, 8], strides: [8, 1] : memref<10x8xi32> to memref<4x8xi32, strided<[8, 1], offset: ?>>
    %pc = memref.reinterpret_cast %lc to offset: [%at], sizes: [4, 8], strides: [8, 1] : memref<10x8xi32> to memref<4x8xi32, strided<[8, 1], offset: ?>>
    linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%pa : memref<4x8xi32, strided<[8, 1], offset: ?>>) outs(%pc : memref<4x8xi32, strided<[8, 1], offset: ?>>) {
    ^bb0(%p: i32, %o: i32):
      %s = arith.addi %p, %p : i32
      linalg.yield %s : i32
    }
  }
  return
}

// An id that makes no dimension longer says nothing of what is there.
// CHECK-LABEL: func.func @unknown
// CHECK: air.launch
func.func @unknown(%a: memref<10x8xi32>) {
  %points = arith.constant 3 : index
  air.launch (%i) in (%x = %points) args(%la = %a) : memref<10x8xi32> attributes {air.actual_sizes = array<i64: 10>} {
    %one = arith.constant 1 : i32
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %pa = memref.reinterpret_cast %la to offset: [%at], sizes: [10, 2], strides: [8, 1] : memref<10x8xi32> to memref<10x2xi32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%one : i32) outs(%pa : memref<10x2xi32, strided<[8, 1], offset: ?>>)
  }
  return
}
