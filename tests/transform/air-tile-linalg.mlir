// RUN: airlite-opt %s --split-input-file --air-tile-linalg='herd=2,2 l1-tile=8,8,8 l2-tile=0,0,16 blocks=4,4,4' | FileCheck %s
// RUN: airlite-opt %s --split-input-file --air-tile-linalg='herd=2,2 l1-tile=8,8,8 l2-tile=0,0,16 blocks=4,4,4' --check-each --emit=none
// RUN: airlite-opt %s --split-input-file --air-tile-linalg='herd=2,2 l1-tile=8,8,8 l2=false pack=false' --check-each | FileCheck %s --check-prefix=DIRECT
// RUN: airlite-opt %s --split-input-file --air-tile-linalg --check-each --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: airlite-opt %s --split-input-file --air-tile-linalg=matrix-sums=true --check-each | FileCheck %s --check-prefix=SUMS

// A product: two levels of tiles, the fill in the cores, blocks in L1.

// CHECK-LABEL: func.func @product
// CHECK-NOT: linalg.fill
// CHECK: scf.parallel ({{.*}}) to (%c32{{.*}}, %c32{{.*}}) step (%c16{{.*}}, %c16{{.*}})
// CHECK: memref.alloc() : memref<16x32xi32, 1 : i32>
// CHECK: memref.alloc() : memref<32x16xi32, 1 : i32>
// CHECK: memref.alloc() : memref<16x16xi32, 1 : i32>
// CHECK: scf.for {{.*}} step %c16
// CHECK: memref.copy {{.*}}memref<16x16xi32, strided<[32, 1], offset: ?>> to memref<16x16xi32, strided<[32, 1], offset: ?>, 1 : i32>
// CHECK: memref.copy
// CHECK: scf.parallel ({{.*}}) to (%c16{{.*}}, %c16{{.*}}) step (%c8{{.*}}, %c8{{.*}})
// CHECK: %[[C:.*]] = memref.alloc() : memref<2x2x4x4xi32, 2 : i32>
// CHECK: linalg.fill ins({{.*}}) outs(%[[C]]
// CHECK: scf.for {{.*}} step %c8
// CHECK: linalg.pack {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [4, 4]
// CHECK: linalg.pack
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]
// CHECK: linalg.unpack %[[C]]
// CHECK: memref.copy {{.*}} to memref<16x16xi32, strided<[32, 1], offset: ?>>
// CHECK: memref.dealloc

// DIRECT-LABEL: func.func @product
// DIRECT-NOT: 1 : i32>
// DIRECT: linalg.matmul ins({{.*}} : memref<8x8xi32, 2 : i32>, memref<8x8xi32, 2 : i32>)

// AUTO: remark: [air-tile-linalg] tiled: launch 1x1, herd 4x4, tile of a core 8x8x32, blocks 4x4x4
func.func @product(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<32x32xi32>)
  linalg.matmul ins(%a, %b : memref<32x32xi32>, memref<32x32xi32>) outs(%c : memref<32x32xi32>)
  return
}

// -----

// The result is added to the old elements, which are copied in first.

// CHECK-LABEL: func.func @accumulate
// CHECK: memref.copy %arg2, %{{.*}} : memref<16x16xf32> to memref<16x16xf32, 1 : i32>
// AUTO: launch 1x1, herd 4x4, tile of a core 4x4x8, blocks 4x4x8
func.func @accumulate(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// A window: tiles of the image overlap, and stay as they are. Those of the results are whole vectors.

// CHECK-LABEL: func.func @window
// CHECK: memref.alloc() : memref<18xi32, 1 : i32>
// CHECK: memref.alloc() : memref<10xi32, 2 : i32>
// AUTO: launch 1, herd 2, tile of a core 8x3
#image = affine_map<(d0, d1) -> (d0 + d1)>
#window = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>
func.func @window(%image: memref<18xi32>, %filter: memref<3xi32>, %out: memref<16xi32>) {
  linalg.generic {indexing_maps = [#image, #window, #out], iterator_types = ["parallel", "reduction"]}
      ins(%image, %filter : memref<18xi32>, memref<3xi32>) outs(%out : memref<16xi32>) {
  ^bb0(%x: i32, %w: i32, %sum: i32):
    %0 = arith.muli %x, %w : i32
    %1 = arith.addi %sum, %0 : i32
    linalg.yield %1 : i32
  }
  return
}

// -----

// linalg.index counts from the beginning of the whole, not of the tile; within blocks, too.

// CHECK-LABEL: func.func @places
// CHECK: linalg.index 0
// CHECK: affine.apply
// AUTO: tile of a core 16x2
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @places(%out: memref<16x8xi64>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%out : memref<16x8xi64>) {
  ^bb0(%old: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %sum = arith.addi %i, %j : index
    %value = arith.index_cast %sum : index to i64
    linalg.yield %value : i64
  }
  return
}

// -----

// In place, with a scalar as a second operand.

// CHECK-LABEL: func.func @in_place
// CHECK: memref.copy
// AUTO: herd 1x1, tile of a core 16x16
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @in_place(%factor: f32, %m: memref<16x16xf32>) {
  linalg.generic {indexing_maps = [#id2, #none, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%m, %factor : memref<16x16xf32>, f32) outs(%m : memref<16x16xf32>) {
  ^bb0(%x: f32, %f: f32, %old: f32):
    %0 = arith.mulf %x, %f : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A sum of everything: no parallel loop, one core.

// CHECK-LABEL: func.func @total
// CHECK: scf.parallel ({{.*}}) = (%c0{{.*}}) to (%c1{{.*}}) step (%c1{{.*}})
// AUTO: launch 1, herd 1, tile of a core 32
func.func @total(%x: memref<32xi32>, %sum: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
                  iterator_types = ["reduction"]}
      ins(%x : memref<32xi32>) outs(%sum : memref<i32>) {
  ^bb0(%in: i32, %so_far: i32):
    %0 = arith.addi %in, %so_far : i32
    linalg.yield %0 : i32
  }
  return
}

// -----

// Small elements: tiles have whole words along the innermost dimension of each operand, here pairs of i16 in
// the loop that is outermost in the result, and fours of i8 in each core.

// CHECK-LABEL: func.func @turned
// AUTO: launch 1x1x1, herd 2x4, tile of a core 16x6x6
#turned = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#plain = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @turned(%x: memref<12x24x16xi16>, %y: memref<16x12x24xi16>) {
  linalg.generic {indexing_maps = [#turned, #plain], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<12x24x16xi16>) outs(%y : memref<16x12x24xi16>) {
  ^bb0(%in: i16, %old: i16):
    linalg.yield %in : i16
  }
  return
}

// CHECK-LABEL: func.func @bytes
// AUTO: launch 1, herd 3, tile of a core 8
func.func @bytes(%x: memref<24xi8>, %y: memref<24xi8>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<24xi8>) outs(%y : memref<24xi8>) {
  ^bb0(%in: i8, %old: i8):
    linalg.yield %in : i8
  }
  return
}

// -----

// Steps from tile to tile are whole words in memory: four rows of 9 bytes, two of 5 x 2; what has no such step
// runs in one tile, and the herd is along other loops.

// CHECK-LABEL: func.func @rows
// AUTO: launch 1x1, herd 4, tile of a core 4x9
func.func @rows(%x: memref<16x9xi8>, %y: memref<16x9xi8>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<16x9xi8>) outs(%y : memref<16x9xi8>) {
  ^bb0(%in: i8, %old: i8):
    linalg.yield %in : i8
  }
  return
}

// CHECK-LABEL: func.func @pairs
// AUTO: launch 1x1, herd 3, tile of a core 2x5
func.func @pairs(%x: memref<6x5xbf16>, %y: memref<6x5xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<6x5xbf16>) outs(%y : memref<6x5xbf16>) {
  ^bb0(%in: bf16, %old: bf16):
    linalg.yield %in : bf16
  }
  return
}

// Four columns would be whole words, with those that the window adds they are not.
// CHECK-LABEL: func.func @window
// AUTO: launch 1x1, herd 2, tile of a core 4x8x2
func.func @window(%x: memref<8x9xi8>, %w: memref<2xi32>, %y: memref<8x8xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 + d2)>, affine_map<(d0, d1, d2) -> (d2)>,
                                   affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<8x9xi8>, memref<2xi32>) outs(%y : memref<8x8xi32>) {
  ^bb0(%in: i8, %by: i32, %old: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.muli %0, %by : i32
    linalg.yield %1 : i32
  }
  return
}

// Sums in the order of the matrix unit are asked for by an option, and said by the op on blocks.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: air.sum_depth
// SUMS-LABEL: func.func @sums
// SUMS: linalg.generic {{.*}}air.sum_depth = 8 : i64
// SUMS-LABEL: func.func @sums_of_odd_depth
// SUMS: linalg.matmul {air.sum_depth = 8 : i64}
// SUMS-LABEL: func.func @sums_in_pieces
// SUMS: linalg.generic {{.*}}air.bf16_pieces = array<i64: 3, 3>, air.sum_depth = 8 : i64
func.func @sums(%a: memref<16x32xbf16>, %b: memref<32x16xbf16>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xbf16>, memref<32x16xbf16>) outs(%c : memref<16x16xf32>)
  return
}
func.func @sums_of_odd_depth(%a: memref<16x12xbf16>, %b: memref<12x16xbf16>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x12xbf16>, memref<12x16xbf16>) outs(%c : memref<16x16xf32>)
  return
}
func.func @sums_in_pieces(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x32xf32>, memref<32x16xf32>) outs(%c : memref<16x16xf32>)
  return
}

// -----

// A rotary encoding: angles are of a token alone, and rows of 24 have no whole vectors. Each core gets whole rows of one head,
// which lie one after the other with their angles.

// AUTO: tiled: launch 1x6x1, herd 4, tile of a core 16x1x24
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#angle = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @rotary(%x: memref<64x6x24xf32>, %cos: memref<64x24xf32>, %out: memref<64x6x24xbf16>) {
  linalg.generic {indexing_maps = [#all, #angle, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %cos : memref<64x6x24xf32>, memref<64x24xf32>) outs(%out : memref<64x6x24xbf16>) {
  ^bb0(%a: f32, %c: f32, %old: bf16):
    %0 = arith.mulf %a, %c : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  }
  return
}
