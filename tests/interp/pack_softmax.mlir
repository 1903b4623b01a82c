// linalg.pack, unpack and softmax against loops; slices and shapes of tensors; reductions of
// affine.parallel.
// RUN: airlite-run %s --on=interp --init=random:3 --function=packed
// RUN: airlite-run %s --on=interp --function=pack
// RUN: airlite-run %s --on=interp --function=softmax
// RUN: airlite-run %s --on=interp --function=slices
// RUN: airlite-run %s --on=interp --function=reductions
// RUN: not airlite-run %s --on=interp --function=no_padding 2>&1 | FileCheck %s --check-prefix=PAD
// PAD: error: 'linalg.pack' from the shape [5] to the shape [2, 4]
// RUN: airlite-opt %s --check-each --lower-affine -o /dev/null

// There and back again.
func.func @packed(%in: memref<5x6xi32>, %out: memref<5x6xi32>) {
  %zero = arith.constant 0 : i32
  %p = memref.alloc() : memref<3x2x2x4xi32>
  linalg.pack %in padding_value(%zero : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
      inner_tiles = [2, 4] into %p : memref<5x6xi32> -> memref<3x2x2x4xi32>
  linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %out
      : memref<3x2x2x4xi32> -> memref<5x6xi32>
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 6 {
      %a = affine.load %in[%i, %j] : memref<5x6xi32>
      %b = affine.load %out[%i, %j] : memref<5x6xi32>
      %same = arith.cmpi eq, %a, %b : i32
      cf.assert %same, "unpack gives back what was packed"
    }
  }
  return
}

// Tile (1, 0) of a vector of 6 by 4 holds elements 4 and 5, then padding.
func.func @pack() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant -1 : i32
  %five = arith.constant 5 : i32
  %t = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %d = tensor.empty() : tensor<2x4xi32>
  %p = linalg.pack %t padding_value(%pad : i32) inner_dims_pos = [0] inner_tiles = [4] into %d
      : tensor<6xi32> -> tensor<2x4xi32>
  %a = tensor.extract %p[%c1, %c1] : tensor<2x4xi32>
  %b = tensor.extract %p[%c1, %c3] : tensor<2x4xi32>
  %isFive = arith.cmpi eq, %a, %five : i32
  %isPad = arith.cmpi eq, %b, %pad : i32
  cf.assert %isFive, "element 5 is the second one of the second tile"
  cf.assert %isPad, "the rest is padding"
  return
}

func.func @no_padding() {
  %m = memref.alloc() : memref<5xi32>
  %x = arith.constant 1 : i32
  linalg.fill ins(%x : i32) outs(%m : memref<5xi32>)
  %open = memref.cast %m : memref<5xi32> to memref<?xi32>
  %p = memref.alloc() : memref<2x4xi32>
  linalg.pack %open inner_dims_pos = [0] inner_tiles = [4] into %p : memref<?xi32> -> memref<2x4xi32>
  return
}

// Two equal numbers: a half each, whatever they are; along dimension 0.
func.func @softmax() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 0.5 : f32
  %t = arith.constant dense<[[1.0, 5.0, 100.0], [1.0, 5.0, 100.0]]> : tensor<2x3xf32>
  %d = tensor.empty() : tensor<2x3xf32>
  %s = linalg.softmax dimension(0) ins(%t : tensor<2x3xf32>) outs(%d : tensor<2x3xf32>)
      -> tensor<2x3xf32>
  %x = tensor.extract %s[%c1, %c2] : tensor<2x3xf32>
  %fine = arith.cmpf oeq, %x, %half : f32
  cf.assert %fine, "a half"
  return
}

// [[1, 2], [4, 5]] of [[0, 1, 2], [3, 4, 5]], put into zeros, made one dimension.
func.func @slices() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %t = arith.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %z = arith.constant dense<0> : tensor<2x4xi32>
  %s = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : tensor<2x3xi32> to tensor<2x2xi32>
  %row = tensor.extract_slice %t[1, 0] [1, 3] [1, 1] : tensor<2x3xi32> to tensor<3xi32>
  %w = tensor.insert_slice %s into %z[0, 0] [2, 2] [1, 2] : tensor<2x2xi32> into tensor<2x4xi32>
  %flat = tensor.collapse_shape %s [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %back = tensor.expand_shape %flat [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %a = tensor.extract %w[%c1, %c0] : tensor<2x4xi32>
  %b = tensor.extract %back[%c1, %c0] : tensor<2x2xi32>
  %c = tensor.extract %row[%c1] : tensor<3xi32>
  %d = tensor.extract %z[%c1, %c0] : tensor<2x4xi32>
  %isA = arith.cmpi eq, %a, %four : i32
  %isB = arith.cmpi eq, %b, %four : i32
  %isC = arith.cmpi eq, %c, %four : i32
  %isD = arith.cmpi eq, %d, %zero : i32
  cf.assert %isA, "inserted"
  cf.assert %isB, "collapsed and expanded"
  cf.assert %isC, "a row without its dimension"
  cf.assert %isD, "what it was inserted into stays"
  return
}

// 0 + 1 + .. + 5 and the greatest of them; the neutral elements of none.
func.func @reductions() -> (i32, i32) {
  %all:2 = affine.parallel (%i, %j) = (0, 0) to (2, 3) reduce ("addi", "maxs") -> (i32, i32) {
    %n = affine.apply affine_map<(i, j) -> (i * 3 + j)>(%i, %j)
    %x = arith.index_cast %n : index to i32
    affine.yield %x, %x : i32, i32
  }
  %none:2 = affine.parallel (%i) = (0) to (0) reduce ("muli", "minu") -> (i32, i32) {
    %x = arith.index_cast %i : index to i32
    affine.yield %x, %x : i32, i32
  }
  %c15 = arith.constant 15 : i32
  %c5 = arith.constant 5 : i32
  %c1 = arith.constant 1 : i32
  %ones = arith.constant -1 : i32
  %sum = arith.cmpi eq, %all#0, %c15 : i32
  %most = arith.cmpi eq, %all#1, %c5 : i32
  %one = arith.cmpi eq, %none#0, %c1 : i32
  %least = arith.cmpi eq, %none#1, %ones : i32
  cf.assert %sum, "the sum"
  cf.assert %most, "the greatest"
  cf.assert %one, "the neutral element of products"
  cf.assert %least, "the neutral element of minima"
  return %all#0, %all#1 : i32, i32
}
