// Ops on rows become one nest, which keeps what only they use in the cores.
// RUN: airlite-opt %s --air-fuse-rows --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-fuse-rows --split-input-file --remarks 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: airlite-opt %s --air-fuse-rows --split-input-file --check-each --emit=none

// The sums exist in L1 only. A scale that all rows have in common comes in whole.
// CHECK-LABEL: @norm
// CHECK-NOT: memref<64xf32>
// CHECK: memref.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 32, 256]
// CHECK: scf.parallel (%[[LAUNCH:.*]]) =
// CHECK: memref.alloc() : memref<2x32x256xf32, 1
// CHECK: memref.alloc() : memref<256xf32, 1
// CHECK: scf.parallel (%[[COLUMN:.*]], %[[ROW:.*]]) =
// CHECK-DAG: memref.alloc() : memref<8x256xf32, 2
// CHECK-DAG: memref.alloc() : memref<8xf32, 2
// CHECK: memref.subview %{{.*}}[%[[COLUMN]], %[[ROW]], 0] [1, 8, 256] [1, 1, 1]
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: memref<8xf32, 2
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// SAYS: remark: [air-fuse-rows] fused 3 ops: 2 columns of 4 cores, 8 rows at a time
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @norm(%x: memref<64x256xf32>, %scale: memref<256xf32>, %y: memref<64x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x256xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%in: f32, %so_far: f32):
    %0 = arith.addf %in, %so_far : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %scale : memref<64x256xf32>, memref<64xf32>, memref<256xf32>) outs(%y : memref<64x256xf32>) {
  ^bb0(%in: f32, %total: f32, %s: f32, %old: f32):
    %0 = arith.divf %in, %total : f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  }
  memref.dealloc %sum : memref<64xf32>
  return
}

// -----

// What a later op reads goes out as well; a fill that nothing of the chain uses stays.
// CHECK-LABEL: @read_later
// CHECK: linalg.fill
// CHECK-SAME: memref<32x8xi32>
// CHECK: scf.parallel
// CHECK: linalg.add
// CHECK: linalg.mul
// CHECK: memref.copy %{{.*}} : memref<8x64xi32, 2 : i32>
// CHECK: memref.copy %{{.*}} : memref<8x64xi32, 2 : i32>
// CHECK-NOT: linalg.mul
// CHECK: memref.load
// SAYS: remark: [air-fuse-rows] fused 2 ops
func.func @read_later(%x: memref<32x64xi32>, %y: memref<32x64xi32>, %f: memref<32x8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%f : memref<32x8xi32>)
  %t = memref.alloc() : memref<32x64xi32>
  linalg.add ins(%x, %x : memref<32x64xi32>, memref<32x64xi32>) outs(%t : memref<32x64xi32>)
  linalg.mul ins(%t, %x : memref<32x64xi32>, memref<32x64xi32>) outs(%y : memref<32x64xi32>)
  %v = memref.load %t[%c0, %c0] : memref<32x64xi32>
  return %v : i32
}

// -----

// Stays: an op alone, few rows, rows that all cores would need, products, and memory under two names.
// CHECK-LABEL: @stays
// CHECK-NOT: scf.parallel
// SAYS: remark: [air-fuse-rows] not fused with the ops before it: it has few rows
// SAYS-NOT: remark: [air-fuse-rows]
#m = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
func.func @stays(%a: memref<8x64xi32>, %b: memref<8x64xi32>, %x: memref<32x32xi32>, %y: memref<32x32xi32>,
                 %z: memref<32x32xi32>) {
  linalg.add ins(%a, %a : memref<8x64xi32>, memref<8x64xi32>) outs(%b : memref<8x64xi32>)
  linalg.mul ins(%b, %a : memref<8x64xi32>, memref<8x64xi32>) outs(%b : memref<8x64xi32>)
  linalg.add ins(%x, %x : memref<32x32xi32>, memref<32x32xi32>) outs(%y : memref<32x32xi32>)
  linalg.matmul ins(%x, %x : memref<32x32xi32>, memref<32x32xi32>) outs(%y : memref<32x32xi32>)
  linalg.add ins(%x, %x : memref<32x32xi32>, memref<32x32xi32>) outs(%y : memref<32x32xi32>)
  linalg.generic {indexing_maps = [#t, #m], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<32x32xi32>) outs(%z : memref<32x32xi32>) {
  ^bb0(%p: i32, %old: i32):
    linalg.yield %p : i32
  }
  return
}

// -----

// Ops that know the numbers of their rows and columns: the core adds where its rows begin.
// CHECK-LABEL: @numbered
// CHECK: scf.parallel (%[[LAUNCH:.*]]) =
// CHECK: scf.parallel (%[[COLUMN:.*]], %[[ROW:.*]]) =
// CHECK: %[[AT:.*]] = arith.addi %[[LAUNCH]], %[[ROW]] : index
// CHECK: arith.muli %[[COLUMN]], %{{.*}} : index
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK-NEXT: arith.addi %[[I]], %{{.*}} : index
// SAYS: remark: [air-fuse-rows] fused 2 ops
#n = affine_map<(i, j) -> (i, j)>
func.func @numbered(%x: memref<2048x64xi32>, %y: memref<2048x64xi32>) {
  linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<2048x64xi32>) outs(%y : memref<2048x64xi32>) {
  ^bb0(%a: i32, %old: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %w = arith.index_cast %s : index to i32
    %r = arith.addi %w, %a : i32
    linalg.yield %r : i32
  }
  linalg.add ins(%y, %x : memref<2048x64xi32>, memref<2048x64xi32>) outs(%y : memref<2048x64xi32>)
  return
}

// -----

// An op that reads what another one writes by another name begins a nest of its own, though both read %x.
// CHECK-LABEL: @renamed
// SAYS: remark: [air-fuse-rows] fused 1 ops
// SAYS: remark: [air-fuse-rows] fused 1 ops
// CHECK-COUNT-4: scf.parallel
func.func @renamed(%x: memref<64x96xf32>, %w: memref<96xf32>, %y: memref<64x96xf32>, %z: memref<64x96xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %w : memref<64x96xf32>, memref<96xf32>) outs(%y : memref<64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  }
  %e = memref.expand_shape %y [[0], [1, 2]] output_shape [64, 2, 48] : memref<64x96xf32> into memref<64x2x48xf32>
  %f = memref.collapse_shape %e [[0], [1, 2]] : memref<64x2x48xf32> into memref<64x96xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%f, %x, %w : memref<64x96xf32>, memref<64x96xf32>, memref<96xf32>) outs(%z : memref<64x96xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  }
  return
}

// -----

// One op whose rows need not be whole, and are so long that few cores have room for one: cores have parts of them.
// CHECK-LABEL: @long_rows
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %arg2 : memref<50x1200xi32>, memref<1200xi32>, memref<1200xi32>)
// SAYS: not fused with the ops before it: its rows are long: cores have parts of them
#both = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @long_rows(%x: memref<50x1200xi32>, %scale: memref<1200xi32>, %bias: memref<1200xi32>, %y: memref<50x1200xi32>) {
  linalg.generic {indexing_maps = [#both, #column, #column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale, %bias : memref<50x1200xi32>, memref<1200xi32>, memref<1200xi32>) outs(%y : memref<50x1200xi32>) {
  ^bb0(%a: i32, %s: i32, %b: i32, %o: i32):
    %p = arith.muli %a, %s : i32
    %q = arith.addi %p, %b : i32
    linalg.yield %q : i32
  }
  return
}

// -----

// Halves of rows are in L2 as whole rows, which move at once, and in cores apart. The two ops have both halves of what
// they read in common, and what they write is whole rows.
// CHECK-LABEL: @halves
// CHECK: memref.alloc() : memref<{{.*}}x4x32xf32, 1
// CHECK-NOT: memref.alloc() : memref<{{.*}}x4x{{16|32}}xf32, 1
// CHECK: scf.parallel
// CHECK-DAG: memref.subview %{{.*}}[%{{.*}}, 0, 0] [{{.*}}, 4, 16]
// CHECK-DAG: memref.subview %{{.*}}[%{{.*}}, 0, 16] [{{.*}}, 4, 16]
// CHECK: linalg.generic
// CHECK: linalg.generic
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0, 0] [{{.*}}, 4, 16]
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0, 16] [{{.*}}, 4, 16]
// CHECK-NOT: linalg.generic
// SAYS: remark: [air-fuse-rows] fused 2 ops
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#angle = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @halves(%x: memref<128x4x32xf32>, %c: memref<128x16xf32>, %y: memref<128x4x32xbf16>) {
  %low = memref.subview %x[0, 0, 0] [128, 4, 16] [1, 1, 1] : memref<128x4x32xf32> to memref<128x4x16xf32, strided<[128, 32, 1]>>
  %high = memref.subview %x[0, 0, 16] [128, 4, 16] [1, 1, 1] : memref<128x4x32xf32> to memref<128x4x16xf32, strided<[128, 32, 1], offset: 16>>
  %to_low = memref.subview %y[0, 0, 0] [128, 4, 16] [1, 1, 1] : memref<128x4x32xbf16> to memref<128x4x16xbf16, strided<[128, 32, 1]>>
  %to_high = memref.subview %y[0, 0, 16] [128, 4, 16] [1, 1, 1] : memref<128x4x32xbf16> to memref<128x4x16xbf16, strided<[128, 32, 1], offset: 16>>
  linalg.generic {indexing_maps = [#all, #all, #angle, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%low, %high, %c : memref<128x4x16xf32, strided<[128, 32, 1]>>, memref<128x4x16xf32, strided<[128, 32, 1], offset: 16>>, memref<128x16xf32>)
      outs(%to_low : memref<128x4x16xbf16, strided<[128, 32, 1]>>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %old: bf16):
    %p = arith.mulf %a, %g : f32
    %d = arith.subf %p, %b : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  }
  linalg.generic {indexing_maps = [#all, #all, #angle, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%high, %low, %c : memref<128x4x16xf32, strided<[128, 32, 1], offset: 16>>, memref<128x4x16xf32, strided<[128, 32, 1]>>, memref<128x16xf32>)
      outs(%to_high : memref<128x4x16xbf16, strided<[128, 32, 1], offset: 16>>) {
  ^bb0(%a: f32, %b: f32, %g: f32, %old: bf16):
    %p = arith.mulf %a, %g : f32
    %d = arith.addf %p, %b : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}

// -----

// Of rows of which nobody reads the other half, the half comes as before.
// CHECK-LABEL: @one_half
// CHECK-NOT: scf.parallel
func.func @one_half(%x: memref<128x32xf32>, %y: memref<128x16xf32>, %z: memref<128x16xf32>) {
  %low = memref.subview %x[0, 0] [128, 16] [1, 1] : memref<128x32xf32> to memref<128x16xf32, strided<[32, 1]>>
  linalg.exp ins(%low : memref<128x16xf32, strided<[32, 1]>>) outs(%y : memref<128x16xf32>)
  return
}

// -----

// Parts that overlap are other memory: each op stays.
// CHECK-LABEL: @overlapping
// CHECK-NOT: scf.parallel
#two = affine_map<(d0, d1) -> (d0, d1)>
func.func @overlapping(%x: memref<128x32xf32>, %y: memref<128x24xf32>) {
  %low = memref.subview %x[0, 0] [128, 24] [1, 1] : memref<128x32xf32> to memref<128x24xf32, strided<[32, 1]>>
  %high = memref.subview %x[0, 8] [128, 24] [1, 1] : memref<128x32xf32> to memref<128x24xf32, strided<[32, 1], offset: 8>>
  %t = memref.alloc() : memref<128x24xf32>
  linalg.add ins(%low, %high : memref<128x24xf32, strided<[32, 1]>>, memref<128x24xf32, strided<[32, 1], offset: 8>>) outs(%t : memref<128x24xf32>)
  linalg.mul ins(%t, %high : memref<128x24xf32>, memref<128x24xf32, strided<[32, 1], offset: 8>>) outs(%y : memref<128x24xf32>)
  return
}
