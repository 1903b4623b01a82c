// RUN: airlite-opt %s --air-aie-matrix-unit --check-each | FileCheck %s

// Tiles that lie the other way around than the matrix unit takes them are turned by shuffles: one of 8x8 bytes, two of 4x8
// bytes in a vector, where the last of an odd number is turned with the one before it. 4x8 floats are two vectors.

// CHECK: %[[B8:.*]] = aie.buffer({{.*}}) {sym_name = "b8"}
// CHECK: %[[TURNED:.*]] = aie.buffer({{.*}}) {{.*}} : memref<2x2x8x8xi8>
// CHECK: %[[ROW:.*]] = memref.{{.*}} %[[B8]]
// CHECK: %[[TO:.*]] = memref.{{.*}} %[[TURNED]]
// CHECK: scf.for
// CHECK-NEXT: %[[TILE:.*]] = vector.load %[[ROW]]
// CHECK-NEXT: %[[T:.*]] = vector.shuffle %[[TILE]], %[[TILE]] [0, 8, 16, 24, 32, 40, 48, 56, 1, 9,
// CHECK-NEXT: vector.store %[[T]], %[[TO]]
// CHECK: vector.contract {{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK: scf.for
// CHECK: vector.shuffle %{{.*}} [0, 4, 8, 12, 16, 20, 24, 28, 1, 5,
// CHECK: vector.shuffle %{{.*}} [0, 4, 8, 12, 16, 20, 24, 28, 1, 5,
// CHECK: vector.contract
// CHECK-NOT: memref.load
#a = affine_map<(m, n, k, i, j, l) -> (k, m, i, l)>
#turned_a = affine_map<(m, n, k, i, j, l) -> (k, m, l, i)>
#b = affine_map<(m, n, k, i, j, l) -> (n, k, l, j)>
#turned_b = affine_map<(m, n, k, i, j, l) -> (n, k, j, l)>
#c = affine_map<(m, n, k, i, j, l) -> (n, m, i, j)>
aie.device(npu1) {
  %tile = aie.tile(0, 2)
  %a8 = aie.buffer(%tile) {sym_name = "a8"} : memref<2x2x4x8xi8>
  %b8 = aie.buffer(%tile) {sym_name = "b8"} : memref<2x2x8x8xi8>
  %c8 = aie.buffer(%tile) {sym_name = "c8"} : memref<2x2x4x8xi32>
  %odd = aie.buffer(%tile) {sym_name = "odd"} : memref<1x3x8x4xi8>
  %one = aie.buffer(%tile) {sym_name = "one"} : memref<2x1x8x8xi8>
  %sums = aie.buffer(%tile) {sym_name = "sums"} : memref<2x3x4x8xi32>
  aie.core(%tile) {
    linalg.generic {indexing_maps = [#a, #turned_b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
        ins(%a8, %b8 : memref<2x2x4x8xi8>, memref<2x2x8x8xi8>) outs(%c8 : memref<2x2x4x8xi32>) {
    ^bb0(%x: i8, %y: i8, %o: i32):
      %0 = arith.extsi %x : i8 to i32
      %1 = arith.extsi %y : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %o, %2 : i32
      linalg.yield %3 : i32
    }
    linalg.generic {indexing_maps = [#turned_a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
        ins(%odd, %one : memref<1x3x8x4xi8>, memref<2x1x8x8xi8>) outs(%sums : memref<2x3x4x8xi32>) {
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
