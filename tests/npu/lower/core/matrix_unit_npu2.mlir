// AIE2P: a row of tiles, two sums at a time; the tiles of A are loaded for the first two and stay.
// RUN: airlite-opt %s --air-aie-matrix-unit | FileCheck %s
// CHECK: aie.core
// CHECK: scf.for
// CHECK-COUNT-2: vector.load %{{.*}} : memref<1024xi32, 2 : i32>, vector<64xi32>
// CHECK-COUNT-8: vector.contract {{.*}} : vector<8x8xi8>, vector<8x8xi8> into vector<8x8xi32>
// CHECK-COUNT-2: vector.store %{{.*}} : memref<1024xi32, 2 : i32>, vector<64xi32>
// CHECK-COUNT-2: vector.load %{{.*}} : memref<1024xi32, 2 : i32>, vector<64xi32>
// CHECK-NOT: vector.load {{.*}}: memref<512xi8
// CHECK-COUNT-8: vector.contract
// CHECK-COUNT-2: vector.store
// CHECK-NOT: vector.contract
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
aie.device(npu2) {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<4x2x8x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<8x4x8x8xi8, 2 : i32>
  %c = aie.buffer(%tile) {sym_name = "c"} : memref<8x2x8x8xi32, 2 : i32>
  %core = aie.core(%tile) {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<4x2x8x8xi8, 2 : i32>, memref<8x4x8x8xi8, 2 : i32>) outs(%c : memref<8x2x8x8xi32, 2 : i32>) {
    ^bb0(%x: i8, %y: i8, %o: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %o, %2 : i32
      linalg.yield %3 : i32
    }
    aie.end
  }
}
