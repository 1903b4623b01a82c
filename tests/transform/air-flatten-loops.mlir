// Elementwise ops on contiguous memory become rows, one for each column that is worth its transfers.
// RUN: airlite-opt %s --air-flatten-loops --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-flatten-loops --split-input-file --remarks 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: airlite-opt %s --air-flatten-loops --air-tile-linalg --split-input-file | FileCheck %s --check-prefix=TILES

// Short: the host starts two transfers for one column, and would start eight for four.
// CHECK-LABEL: @one_column
// CHECK: %[[A:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<64x256xbf16> into memref<16384xbf16>
// CHECK: %[[ROWS:.*]] = memref.expand_shape %[[A]] {{\[\[}}0, 1]] output_shape [1, 16384]
// CHECK: linalg.exp {air.herd = array<i64: 1, 4>, air.l1_tile = array<i64: 1, 1024>}
// CHECK-SAME: memref<1x16384xbf16>
// SAYS: remark: [air-flatten-loops] flattened: 1 columns of 4 cores, tiles of 1024 elements
// TILES-LABEL: @one_column
// TILES-NOT: air.herd
// TILES: memref<1x1024xbf16, 2
func.func @one_column(%a: memref<64x256xbf16>, %b: memref<64x256xbf16>) {
  linalg.exp ins(%a : memref<64x256xbf16>) outs(%b : memref<64x256xbf16>)
  return
}

// -----

// Long: all columns, and all cores, which get their two inputs in turns: a memory tile has too few channels for each. An
// operand that comes twice stays one.
// CHECK-LABEL: @all_columns
// CHECK-COUNT-2: memref.collapse_shape
// CHECK-NOT: memref.collapse_shape
// CHECK: linalg.generic {indexing_maps = [#[[MAP:.*]], #[[MAP]], #[[MAP]], #[[SCALAR:.*]], #[[MAP]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: memref<4x262144xi8>
// CHECK: } {{.*}}
// SAYS: remark: [air-flatten-loops] flattened: 4 columns of 4 cores, tiles of 8192 elements
#all = affine_map<(i, j, k) -> (i, j, k)>
#scalar = affine_map<(i, j, k) -> ()>
func.func @all_columns(%a: memref<64x128x128xi8>, %b: memref<64x128x128xi8>, %s: i8) {
  linalg.generic {indexing_maps = [#all, #all, #all, #scalar, #all],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %a, %b, %s : memref<64x128x128xi8>, memref<64x128x128xi8>, memref<64x128x128xi8>, i8)
      outs(%b : memref<64x128x128xi8>) {
  ^bb0(%x: i8, %y: i8, %z: i8, %t: i8, %old: i8):
    %0 = arith.addi %x, %z : i8
    %1 = arith.addi %0, %t : i8
    linalg.yield %1 : i8
  }
  return
}

// -----

// What stays: broadcasts, strided memory, and whoever asks for indices.
// CHECK-LABEL: @stays
// CHECK-NOT: memref.expand_shape
// SAYS: remark: [air-flatten-loops] not flattened: an operand is not indexed by the loops as they are
// SAYS: remark: [air-flatten-loops] not flattened: an operand is not contiguous memory of the host
// SAYS: remark: [air-flatten-loops] not flattened: it uses the indices of its loops
// SAYS-NOT: remark: [air-flatten-loops]
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @stays(%a: memref<64x64xi8>, %row: memref<64xi8>, %b: memref<64x64xi8>,
                 %strided: memref<64x64xi8, strided<[128, 1]>>, %m: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a, %row : memref<64x64xi8>, memref<64xi8>) outs(%b : memref<64x64xi8>) {
  ^bb0(%p: i8, %q: i8, %old: i8):
    %r = arith.addi %p, %q : i8
    linalg.yield %r : i8
  }
  linalg.add ins(%a, %a : memref<64x64xi8>, memref<64x64xi8>)
             outs(%strided : memref<64x64xi8, strided<[128, 1]>>)
  linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]}
      outs(%m : memref<64x64xi32>) {
  ^bb0(%old: i32):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i32
    linalg.yield %r : i32
  }
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%m : memref<64x64xi32>)
  return
}

// -----

// 255 x 255 elements have no good divisor: the last ones are an op of their own, for one core.
// SAYS: remark: [air-flatten-loops] flattened: {{.*}}, and [[REST:[0-9]+]] elements
// CHECK-LABEL: @rest
// CHECK: memref.subview %{{.*}}[0] [[[HEAD:[0-9]+]]] [1] : memref<65025xi8>
// CHECK: linalg.add {air.herd
// CHECK: memref.subview %{{.*}}[[[HEAD]]] [[[REST:[0-9]+]]] [1] : memref<65025xi8>
// CHECK: linalg.add {air.herd = array<i64: 1, 1>, air.l1_tile = array<i64: 1, [[REST]]>}
func.func @rest(%x: memref<255x255xi8>, %y: memref<255x255xi8>) {
  linalg.add ins(%x, %x : memref<255x255xi8>, memref<255x255xi8>) outs(%y : memref<255x255xi8>)
  return
}
