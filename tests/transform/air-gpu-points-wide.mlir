// A work-item computes results next to each other as vectors, of what it accesses at once, where all operands lie along them, the device
// still has a wave for each compute unit and the width divides a row.
// REQUIRES: gpu
// RUN: airlite-opt %s --air-gpu-rows=device=gfx1201 --air-gpu-points=device=gfx1201 | FileCheck %s
// RUN: for f in depthwise columns product strided odd few tiles; do airlite-run %s --on=interp --function=$f --init=random:1 --output 2=%t.npy || exit 1; \
// RUN:   for d in gfx1201,--order=forward gfx1100,--order=reverse gfx942,--order=random:3; do \
// RUN:     airlite-run %s --target=$(echo $d | tr , ' ') --exact --function=$f --init=random:1 --expect 2=%t.npy || exit 1; done; \
// RUN: done
#in = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
#filter = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// 8 channels of 16 bits; an input that depends on the loop of sums as well lies along the channels, too.
// CHECK-LABEL: func.func @depthwise
// CHECK: vector.load {{.*}} : memref<258x128xf16>, vector<8xf16>
// CHECK: vector.load {{.*}} : memref<3x128xf16>, vector<8xf16>
// CHECK: arith.mulf {{.*}} : vector<8xf16>
// CHECK: vector.store {{.*}} : memref<256x128xf16>, vector<8xf16>
func.func @depthwise(%a: memref<258x128xf16>, %w: memref<3x128xf16>, %c: memref<256x128xf16>) {
  linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : memref<258x128xf16>, memref<3x128xf16>) outs(%c : memref<256x128xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %m = arith.mulf %x, %y : f16
    %s = arith.addf %o, %m : f16
    linalg.yield %s : f16
  }
  return
}

// What does not depend on the column is one number. Sums start with what fills them.
// CHECK-LABEL: func.func @columns
// CHECK: %[[START:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK: vector.load {{.*}} vector<4xf32>
// CHECK: memref.load {{.*}} : memref<5xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
func.func @columns(%a: memref<5x8192xf32>, %b: memref<5xf32>, %c: memref<8192xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<8192xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%a, %b : memref<5x8192xf32>, memref<5xf32>) outs(%c : memref<8192xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @product
// CHECK: memref.load {{.*}} : memref<96x7xi32>
// CHECK: vector.load {{.*}} : memref<7x128xi32>, vector<4xi32>
func.func @product(%a: memref<96x7xi32>, %b: memref<7x128xi32>, %c: memref<96x128xi32>) {
  linalg.matmul ins(%a, %b : memref<96x7xi32>, memref<7x128xi32>) outs(%c : memref<96x128xi32>)
  return
}

// CHECK-LABEL: func.func @strided
// CHECK-NOT: vector.load
// CHECK-LABEL: func.func @odd
func.func @strided(%a: memref<64x256xf32>, %b: memref<128xf32>, %c: memref<64x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1 * 2)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<64x256xf32>, memref<128xf32>) outs(%c : memref<64x128xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// Rows of twice an odd number: two.
// CHECK: vector.store {{.*}} vector<2xf32>
func.func @odd(%a: memref<64xf32>, %b: memref<130xf32>, %c: memref<64x130xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<64xf32>, memref<130xf32>) outs(%c : memref<64x130xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// Fewer results than the device has lanes stay one for each.
// CHECK-LABEL: func.func @few
// CHECK-NOT: vector.load
// CHECK: memref.store
func.func @few(%a: memref<8x64xi32>, %b: memref<8xi32>, %c: memref<64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%a, %b : memref<8x64xi32>, memref<8xi32>) outs(%c : memref<64xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %m = arith.muli %x, %y : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  }
  return
}

// Short rows from tiles of a matrix: a wave for each would leave most of its lanes without work.
// CHECK-LABEL: func.func @tiles
// CHECK: vector.load {{.*}} vector<8xf16>
// CHECK: vector.store {{.*}} vector<8xf16>
func.func @tiles(%a: memref<256x16x16x16xf16>, %b: memref<1xf16>, %c: memref<256x16x16x16xf16>) {
  linalg.transpose ins(%a : memref<256x16x16x16xf16>) outs(%c : memref<256x16x16x16xf16>) permutation = [0, 2, 1, 3]
  return
}
