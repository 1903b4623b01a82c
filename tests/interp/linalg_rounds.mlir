// Rounds of linalg ops are computed many at a time (src/interp/LinalgRounds.hpp): the same as loops that take one
// after the other, and what they leave to the loops is reported as it was.
// RUN: airlite-opt %s --convert-linalg-to-loops --check-each -o %t 2>&1 | FileCheck %s
// CHECK-COUNT-3: is not compared
// CHECK-NOT: is not compared
// RUN: not airlite-run --on=interp --function=unwritten --init=zero %s 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not airlite-run --on=interp --function=divides --init=zero %s 2>&1 | FileCheck %s --check-prefix=DIVIDES
// RUN: not airlite-run --on=interp --function=outside --init=zero %s 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not airlite-run --on=interp --function=freed --init=zero %s 2>&1 | FileCheck %s --check-prefix=FREED
#id = affine_map<(i, j) -> (i, j)>
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// Sums of i8 that wrap, of signed and unsigned factors; 5 x 700 rounds are more than one instruction does.
func.func @products(%x: memref<5x700xi8>, %y: memref<700x3xi8>, %z: memref<5x3xi8>, %w: memref<5x3xi16>, %q: memref<5x3xi32>) {
  linalg.matmul ins(%x, %y : memref<5x700xi8>, memref<700x3xi8>) outs(%z : memref<5x3xi8>)
  linalg.matmul ins(%x, %y : memref<5x700xi8>, memref<700x3xi8>) outs(%q : memref<5x3xi32>)
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<5x700xi8>, memref<700x3xi8>) outs(%w : memref<5x3xi16>) {
  ^bb0(%a: i8, %b: i8, %s: i16):
    %p = arith.extui %a : i8 to i16
    %r = arith.extsi %b : i8 to i16
    %m = arith.muli %r, %p : i16
    %t = arith.addi %m, %s : i16
    linalg.yield %t : i16
  }
  return
}
func.func @wide(%x: memref<7x9xi64>, %y: memref<9x4xi64>, %z: memref<7x4xi64>) {
  linalg.matmul ins(%x, %y : memref<7x9xi64>, memref<9x4xi64>) outs(%z : memref<7x4xi64>)
  return
}
func.func @halves(%x: memref<6x33xbf16>, %y: memref<33x5xbf16>, %z: memref<6x5xbf16>, %w: memref<6x5xf32>) {
  linalg.matmul ins(%x, %y : memref<6x33xbf16>, memref<33x5xbf16>) outs(%z : memref<6x5xbf16>)
  linalg.matmul {air.sum_depth = 8 : i64} ins(%x, %y : memref<6x33xbf16>, memref<33x5xbf16>) outs(%w : memref<6x5xf32>)
  return
}
// Strides and dilations are factors of an index.
func.func @window(%x: memref<1x11x12x3xi8>, %f: memref<3x3x3x5xi8>, %z: memref<1x4x4x5xi32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}
    ins(%x, %f : memref<1x11x12x3xi8>, memref<3x3x3x5xi8>) outs(%z : memref<1x4x4x5xi32>)
  return
}
// The result is a factor of later rounds.
func.func @same_memory(%x: memref<6x6xi8>) {
  linalg.matmul ins(%x, %x : memref<6x6xi8>, memref<6x6xi8>) outs(%x : memref<6x6xi8>)
  return
}
// Each round reads what the one before has written.
func.func @overlap(%x: memref<40xi32>) {
  %from = memref.subview %x[0] [39] [1] : memref<40xi32> to memref<39xi32, strided<[1]>>
  %to = memref.subview %x[1] [39] [1] : memref<40xi32> to memref<39xi32, strided<[1], offset: 1>>
  linalg.add ins(%from, %to : memref<39xi32, strided<[1]>>, memref<39xi32, strided<[1], offset: 1>>) outs(%to : memref<39xi32, strided<[1], offset: 1>>)
  return
}
func.func @chosen(%x: memref<8x9xf32>, %z: memref<8x9xf32>, %limit: f32) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x9xf32>) outs(%z : memref<8x9xf32>) {
  ^bb0(%a: f32, %old: f32):
    %j = linalg.index 1 : index
    %c4 = arith.constant 4 : index
    %left = arith.cmpi ult, %j, %c4 : index
    %less = arith.minimumf %a, %limit : f32
    %r = arith.select %left, %less, %old : f32
    linalg.yield %r : f32
  }
  return
}
func.func @two(%x: memref<8x9xi32>, %z: memref<8x9xi32>, %w: memref<9x8xi32>) {
  linalg.generic {indexing_maps = [#id, #id, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x9xi32>) outs(%z, %w : memref<8x9xi32>, memref<9x8xi32>) {
  ^bb0(%a: i32, %o: i32, %p: i32):
    %low, %high = arith.mulsi_extended %a, %a : i32
    linalg.yield %low, %high : i32, i32
  }
  return
}
func.func @nothing(%x: memref<0x9xi32>, %z: memref<9xi32>) {
  linalg.reduce ins(%x : memref<0x9xi32>) outs(%z : memref<9xi32>) dimensions = [0]
    (%a: i32, %s: i32) {
      %t = arith.addi %a, %s : i32
      linalg.yield %t : i32
    }
  return
}
func.func @dynamic(%x: memref<4x6xi16>, %z: memref<4x6xi16>) {
  %open = memref.cast %x : memref<4x6xi16> to memref<?x?xi16>
  %out = memref.cast %z : memref<4x6xi16> to memref<?x?xi16>
  linalg.mul ins(%open, %out : memref<?x?xi16>, memref<?x?xi16>) outs(%out : memref<?x?xi16>)
  return
}
func.func @scalar(%z: memref<4x6xbf16>, %v: bf16) {
  linalg.fill ins(%v : bf16) outs(%z : memref<4x6xbf16>)
  return
}
// No loops.
func.func @corner(%x: memref<i32>, %z: memref<i32>) {
  linalg.add ins(%x, %z : memref<i32>, memref<i32>) outs(%z : memref<i32>)
  return
}

// Elements that nobody has written stay so, one by one; others have their sums.
// UNWRITTEN: argument 0 at [1] has no defined value at the end
func.func @unwritten(%z: memref<4xi32>) {
  %x = memref.alloc() : memref<4xi32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 7 : i32
  memref.store %v, %x[%c0] : memref<4xi32>
  memref.store %v, %x[%c2] : memref<4xi32>
  linalg.add ins(%x, %z : memref<4xi32>, memref<4xi32>) outs(%z : memref<4xi32>)
  return
}
// DIVIDES: linalg_rounds.mlir:[[#@LINE+4]]:{{.*}}: error: 'arith.divsi' is undefined on these operands: division by zero
func.func @divides(%x: memref<4xi32>, %z: memref<4xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : memref<4xi32>) outs(%z : memref<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %q = arith.divsi %a, %b : i32
    linalg.yield %q : i32
  }
  return
}
// OUTSIDE: linalg_rounds.mlir:[[#@LINE+4]]:{{.*}}: error: index [4] of 'linalg.generic' is outside of the shape [4]
func.func @outside(%x: memref<6xi32>, %z: memref<4xi32>) {
  %open = memref.cast %x : memref<6xi32> to memref<?xi32>
  %short = memref.cast %z : memref<4xi32> to memref<?xi32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%open : memref<?xi32>) outs(%short : memref<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  }
  return
}
// FREED: error: 'linalg.fill' uses memory after it is freed
func.func @freed(%v: i32) {
  %x = memref.alloc() : memref<4xi32>
  memref.dealloc %x : memref<4xi32>
  linalg.fill ins(%v : i32) outs(%x : memref<4xi32>)
  return
}
