// RUN: airlite-opt %s --air-launch-to-linalg --remarks -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAME < %t.mlir

#id = affine_map<(d0) -> (d0)>

// CHECK: the launch stays a grid: several points write one element
// SAME-LABEL: func.func @race
// SAME: air.launch
func.func @race(%a: memref<16xi32>, %c: memref<4xi32>) {
  %points = arith.constant 4 : index
  air.launch (%i) in (%x = %points) args(%la = %a, %lc = %c) : memref<16xi32>, memref<4xi32> {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %pa = memref.subview %la[%at] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%pa : memref<4xi32, strided<[1], offset: ?>>) outs(%lc : memref<4xi32>) {
    ^bb0(%p: i32, %o: i32):
      linalg.yield %p : i32
    }
  }
  return
}

// CHECK: the launch stays a grid: parts of several points overlap
// SAME-LABEL: func.func @overlap
// SAME: air.launch
func.func @overlap(%a: memref<16xi32>) {
  %points = arith.constant 4 : index
  air.launch (%i) in (%x = %points) args(%la = %a) : memref<16xi32> {
    %one = arith.constant 1 : i32
    %at = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    %pa = memref.subview %la[%at] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
    linalg.fill ins(%one : i32) outs(%pa : memref<4xi32, strided<[1], offset: ?>>)
  }
  return
}

// CHECK: the launch stays a grid: where it begins is no sum of multiples of ids
// SAME-LABEL: func.func @crooked
// SAME: air.launch
func.func @crooked(%a: memref<16xi32>) {
  %points = arith.constant 4 : index
  air.launch (%i) in (%x = %points) args(%la = %a) : memref<16xi32> {
    %one = arith.constant 1 : i32
    %at = arith.muli %i, %i : index
    %pa = memref.subview %la[%at] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
    linalg.fill ins(%one : i32) outs(%pa : memref<4xi32, strided<[1], offset: ?>>)
  }
  return
}

// CHECK: the launch stays a grid: its body uses the indices of its loops or of the point
// SAME-LABEL: func.func @indices
// SAME: air.launch
func.func @indices(%a: memref<16xi32>) {
  %points = arith.constant 4 : index
  air.launch (%i) in (%x = %points) args(%la = %a) : memref<16xi32> {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %pa = memref.subview %la[%at] [4] [1] : memref<16xi32> to memref<4xi32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%pa : memref<4xi32, strided<[1], offset: ?>>) {
    ^bb0(%o: i32):
      %here = linalg.index 0 : index
      %number = arith.index_cast %here : index to i32
      linalg.yield %number : i32
    }
  }
  return
}

// CHECK: the launch stays a grid: this op is none of those that can be done for all points
// SAME-LABEL: func.func @loop
// SAME: air.launch
func.func @loop(%a: memref<16xi32>) {
  %points = arith.constant 4 : index
  air.launch (%i) in (%x = %points) args(%la = %a) : memref<16xi32> {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : index
    %step = arith.constant 1 : index
    %end = arith.constant 4 : index
    scf.for %k = %zero to %end step %step {
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %k)
      memref.store %one, %la[%at] : memref<16xi32>
    }
  }
  return
}
