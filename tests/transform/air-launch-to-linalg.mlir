// RUN: airlite-opt %s --air-bufferize-linalg --air-launch-to-linalg --canonicalize --check-each | FileCheck %s

// A grid of products of tiles is one product: rows and columns of the grid become rows and columns of the matrices.
// CHECK-LABEL: func.func @product
// CHECK-NOT: air.launch
// CHECK: linalg.fill ins({{.*}}) outs(%arg2 : memref<24x16xi32>)
// CHECK-NEXT: linalg.matmul ins(%arg0, %arg1 : memref<24x8xi32>, memref<8x16xi32>) outs(%arg2 : memref<24x16xi32>)
// CHECK-NEXT: return
func.func @product(%a: memref<24x8xi32>, %b: memref<8x16xi32>, %c: memref<24x16xi32>) {
  %rows = arith.constant 6 : index
  %columns = arith.constant 2 : index
  air.launch (%i, %j) in (%x = %rows, %y = %columns) args(%la = %a, %lb = %b, %lc = %c) : memref<24x8xi32>, memref<8x16xi32>, memref<24x16xi32> {
    air.segment @point args(%si = %i, %sj = %j, %sa = %la, %sb = %lb, %sc = %lc) : index, index, memref<24x8xi32>, memref<8x16xi32>, memref<24x16xi32> {
      %zero = arith.constant 0 : i32
      %four = arith.constant 4 : index
      %eight = arith.constant 8 : index
      %row = arith.muli %si, %four : index
      %column = arith.muli %sj, %eight : index
      %pa = memref.subview %sa[%row, 0] [4, 8] [1, 1] : memref<24x8xi32> to memref<4x8xi32, strided<[8, 1], offset: ?>>
      %ta = memref.alloc() : memref<4x8xi32, 1 : i32>
      memref.copy %pa, %ta : memref<4x8xi32, strided<[8, 1], offset: ?>> to memref<4x8xi32, 1 : i32>
      %tb = memref.alloc() : memref<8x8xi32, 1 : i32>
      air.dma_memcpy_nd (%tb[] [] [], %sb[0, %column] [8, 8] [16, 1]) : (memref<8x8xi32, 1 : i32>, memref<8x16xi32>)
      %va = bufferization.to_tensor %ta restrict writable : memref<4x8xi32, 1 : i32> to tensor<4x8xi32>
      %vb = bufferization.to_tensor %tb restrict writable : memref<8x8xi32, 1 : i32> to tensor<8x8xi32>
      %none = tensor.empty() : tensor<4x8xi32>
      %zeros = linalg.fill ins(%zero : i32) outs(%none : tensor<4x8xi32>) -> tensor<4x8xi32>
      %vc = linalg.matmul ins(%va, %vb : tensor<4x8xi32>, tensor<8x8xi32>) outs(%zeros : tensor<4x8xi32>) -> tensor<4x8xi32>
      %pc = memref.subview %sc[%row, %column] [4, 8] [1, 1] : memref<24x16xi32> to memref<4x8xi32, strided<[16, 1], offset: ?>>
      bufferization.materialize_in_destination %vc in writable %pc : (tensor<4x8xi32>, memref<4x8xi32, strided<[16, 1], offset: ?>>) -> ()
    }
  }
  return
}

// Two ids one after the other in one dimension, and a sum in place: the tile that is read is not the one that is written.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: air.launch
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : memref<48xi32>, memref<48xi32>) outs(%arg2 : memref<48xi32>)
// CHECK: return
#id = affine_map<(d0) -> (d0)>
func.func @nested(%a: memref<48xi32>, %b: memref<48xi32>, %c: memref<48xi32>) {
  %outer = arith.constant 3 : index
  %inner = arith.constant 4 : index
  air.launch (%i, %j) in (%x = %outer, %y = %inner) args(%la = %a, %lb = %b, %lc = %c) : memref<48xi32>, memref<48xi32>, memref<48xi32> {
    %at = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 4)>(%i, %j)
    %pa = memref.reinterpret_cast %la to offset: [%at], sizes: [4], strides: [1] : memref<48xi32> to memref<4xi32, strided<[1], offset: ?>>
    %pb = memref.reinterpret_cast %lb to offset: [%at], sizes: [4], strides: [1] : memref<48xi32> to memref<4xi32, strided<[1], offset: ?>>
    %pc = memref.reinterpret_cast %lc to offset: [%at], sizes: [4], strides: [1] : memref<48xi32> to memref<4xi32, strided<[1], offset: ?>>
    %ta = memref.alloc() : memref<4xi32>
    memref.copy %pa, %ta : memref<4xi32, strided<[1], offset: ?>> to memref<4xi32>
    linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%ta, %pb : memref<4xi32>, memref<4xi32, strided<[1], offset: ?>>) outs(%ta : memref<4xi32>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %s = arith.addi %p, %q : i32
      linalg.yield %s : i32
    }
    memref.copy %ta, %pc : memref<4xi32> to memref<4xi32, strided<[1], offset: ?>>
    memref.dealloc %ta : memref<4xi32>
  }
  return
}

// The points differ in what they sum up: the id is one more loop, and the rows of a point stay rows.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: air.launch
// CHECK: %[[PARTS:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [3, 4, 5], strides: [4, 12, 1]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[PARTS]] : {{.*}}) outs(%{{.*}} : memref<3x5xi32>)
func.func @sums(%a: memref<4x12xi32>, %c: memref<3x5xi32>) {
  %points = arith.constant 3 : index
  air.launch (%i) in (%x = %points) args(%la = %a, %lc = %c) : memref<4x12xi32>, memref<3x5xi32> {
    %zero = arith.constant 0 : i32
    %four = arith.constant 4 : index
    %column = arith.muli %i, %four : index
    // Columns of neighbours overlap, which is no race where they are read.
    %pa = memref.reinterpret_cast %la to offset: [%column], sizes: [4, 5], strides: [12, 1] : memref<4x12xi32> to memref<4x5xi32, strided<[12, 1], offset: ?>>
    %sum = memref.alloc() : memref<5xi32>
    linalg.fill ins(%zero : i32) outs(%sum : memref<5xi32>)
    linalg.reduce ins(%pa : memref<4x5xi32, strided<[12, 1], offset: ?>>) outs(%sum : memref<5xi32>) dimensions = [0]
      (%in: i32, %init: i32) {
        %s = arith.addi %in, %init : i32
        linalg.yield %s : i32
      }
    %pc = memref.subview %lc[%i, 0] [1, 5] [1, 1] : memref<3x5xi32> to memref<5xi32, strided<[1], offset: ?>>
    memref.copy %sum, %pc : memref<5xi32> to memref<5xi32, strided<[1], offset: ?>>
  }
  return
}

// All points write the same, and one vector is added to all rows.
// CHECK-LABEL: func.func @shared
// CHECK-NOT: air.launch
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : memref<6x8xi32>, memref<8xi32>) outs(%arg2 : memref<6x8xi32>)
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @shared(%a: memref<6x8xi32>, %bias: memref<8xi32>, %c: memref<6x8xi32>) {
  %points = arith.constant 3 : index
  air.launch (%i) in (%x = %points) args(%la = %a, %lb = %bias, %lc = %c) : memref<6x8xi32>, memref<8xi32>, memref<6x8xi32> {
    %row = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %pa = memref.subview %la[%row, 0] [2, 8] [1, 1] : memref<6x8xi32> to memref<2x8xi32, strided<[8, 1], offset: ?>>
    %pc = memref.subview %lc[%row, 0] [2, 8] [1, 1] : memref<6x8xi32> to memref<2x8xi32, strided<[8, 1], offset: ?>>
    linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]} ins(%pa, %lb : memref<2x8xi32, strided<[8, 1], offset: ?>>, memref<8xi32>) outs(%pc : memref<2x8xi32, strided<[8, 1], offset: ?>>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %s = arith.addi %p, %q : i32
      linalg.yield %s : i32
    }
  }
  return
}

// Views of a tile with other dimensions of size 1.
// CHECK-LABEL: func.func @reshaped
// CHECK-NOT: air.launch
// CHECK: memref.expand_shape %{{.*}} output_shape [8, 1] : memref<8xi32> into memref<8x1xi32>
func.func @reshaped(%a: memref<8x8xi32>, %c: memref<8x8xi32>) {
  %points = arith.constant 2 : index
  air.launch (%i) in (%x = %points) args(%la = %a, %lc = %c) : memref<8x8xi32>, memref<8x8xi32> {
    %zero = arith.constant 0 : i32
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %pa = memref.subview %la[%row, 0] [4, 8] [1, 1] : memref<8x8xi32> to memref<4x8xi32, strided<[8, 1], offset: ?>>
    %pc = memref.subview %lc[%row, 0] [4, 8] [1, 1] : memref<8x8xi32> to memref<4x8xi32, strided<[8, 1], offset: ?>>
    %sum = memref.alloc() : memref<4xi32>
    linalg.fill ins(%zero : i32) outs(%sum : memref<4xi32>)
    linalg.reduce ins(%pa : memref<4x8xi32, strided<[8, 1], offset: ?>>) outs(%sum : memref<4xi32>) dimensions = [1]
      (%in: i32, %init: i32) {
        %s = arith.addi %in, %init : i32
        linalg.yield %s : i32
      }
    %column = memref.expand_shape %sum [[0, 1]] output_shape [4, 1] : memref<4xi32> into memref<4x1xi32>
    linalg.generic {indexing_maps = [#rows, affine_map<(d0, d1) -> (d0, 0)>, #rows], iterator_types = ["parallel", "parallel"]} ins(%pa, %column : memref<4x8xi32, strided<[8, 1], offset: ?>>, memref<4x1xi32>) outs(%pc : memref<4x8xi32, strided<[8, 1], offset: ?>>) {
    ^bb0(%p: i32, %q: i32, %o: i32):
      %s = arith.subi %p, %q : i32
      linalg.yield %s : i32
    }
  }
  return
}
