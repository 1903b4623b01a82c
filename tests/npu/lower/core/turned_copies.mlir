// A transpose of bytes: words of all rows are collected, and shuffles make vectors of their columns.
// RUN: airlite-opt %s --air-aie-turned-copies | FileCheck %s
//
// CHECK: %[[TILE:.*]] = aie.tile
// CHECK: aie.buffer(%[[TILE]]) {{.*}} memref<256xi8, 2 : i32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: memref.load %{{.*}} memref<512xi32
// CHECK: memref.store %{{.*}} memref<64xi32
// CHECK-COUNT-4: vector.load %{{.*}} vector<64xi8>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: vector.store %{{.*}} memref<2048xi8{{.*}} vector<64xi8>
//
// Two rows in turns: a vector of each, of which all elements take turns; the last 64 of 96 columns begin at number 32.
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} step %c64
// CHECK: vector.load %{{.*}} : memref<192xi8, 2 : i32>, vector<64xi8>
// CHECK: vector.load %{{.*}} : memref<192xi8, 2 : i32>, vector<64xi8>
// CHECK-COUNT-12: vector.shuffle
// CHECK-COUNT-4: vector.store %{{.*}} vector<32xi8>
// CHECK: vector.load %{{.*}}[%{{.*}}] : memref<192xi8, 2 : i32>, vector<64xi8>
//
// Rows of numbers of 32 bits, and copies that turn nothing, stay.
// CHECK: linalg.transpose ins(%{{.*}} : memref<8x8xi32
// CHECK: linalg.generic
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %in = aie.buffer(%tile) {sym_name = "in"} : memref<64x32xi8, 2 : i32>
  %out = aie.buffer(%tile) {sym_name = "out"} : memref<32x64xi8, 2 : i32>
  %pairs = aie.buffer(%tile) {sym_name = "pairs"} : memref<2x96xi8, 2 : i32>
  %turns = aie.buffer(%tile) {sym_name = "turns"} : memref<96x2xi8, 2 : i32>
  %wide = aie.buffer(%tile) {sym_name = "wide"} : memref<8x8xi32, 2 : i32>
  %turned = aie.buffer(%tile) {sym_name = "turned"} : memref<8x8xi32, 2 : i32>
  %same = aie.buffer(%tile) {sym_name = "same"} : memref<64x32xi8, 2 : i32>
  %core = aie.core(%tile) {
    linalg.transpose ins(%in : memref<64x32xi8, 2 : i32>) outs(%out : memref<32x64xi8, 2 : i32>) permutation = [1, 0]
    linalg.transpose ins(%pairs : memref<2x96xi8, 2 : i32>) outs(%turns : memref<96x2xi8, 2 : i32>) permutation = [1, 0]
    linalg.transpose ins(%wide : memref<8x8xi32, 2 : i32>) outs(%turned : memref<8x8xi32, 2 : i32>) permutation = [1, 0]
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<64x32xi8, 2 : i32>) outs(%same : memref<64x32xi8, 2 : i32>) {
    ^bb0(%a: i8, %b: i8):
      linalg.yield %a : i8
    }
    aie.end
  }
}
