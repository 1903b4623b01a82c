// Sums of 8 and 16 bits become those of the unit as they are loaded, and narrow as they are stored: no buffer of wide sums.
// RUN: airlite-opt %s --air-aie-matrix-unit | FileCheck %s
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
// CHECK-LABEL: aie.device(npu1) @first
// CHECK-NOT: memref<{{.*}}xi32
// CHECK: vector.load %{{.*}} : memref<256xi8, 2 : i32>, vector<32xi8>
// CHECK-NEXT: arith.extsi %{{.*}} : vector<32xi8> to vector<32xi32>
// CHECK-NEXT: vector.shape_cast %{{.*}} : vector<32xi32> to vector<4x8xi32>
// CHECK: vector.contract
// CHECK: arith.trunci %{{.*}} : vector<32xi32> to vector<32xi8>
// CHECK-NEXT: vector.store %{{.*}} : memref<256xi8, 2 : i32>, vector<32xi8>
// CHECK: arith.extsi %{{.*}} : vector<16xi16> to vector<16xi64>
// CHECK: arith.trunci %{{.*}} : vector<16xi64> to vector<16xi16>
aie.device(npu1) @first {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<4x2x4x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<4x4x8x8xi8, 2 : i32>
  %c = aie.buffer(%tile) {sym_name = "c"} : memref<4x2x4x8xi8, 2 : i32>
  %ha = aie.buffer(%tile) {sym_name = "ha"} : memref<4x2x4x4xi16, 2 : i32>
  %hb = aie.buffer(%tile) {sym_name = "hb"} : memref<4x4x4x4xi16, 2 : i32>
  %hc = aie.buffer(%tile) {sym_name = "hc"} : memref<4x2x4x4xi16, 2 : i32>
  %core = aie.core(%tile) {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<4x2x4x8xi8, 2 : i32>, memref<4x4x8x8xi8, 2 : i32>) outs(%c : memref<4x2x4x8xi8, 2 : i32>) {
    ^bb0(%x: i8, %y: i8, %o: i8):
      %2 = arith.muli %x, %y : i8
      %3 = arith.addi %o, %2 : i8
      linalg.yield %3 : i8
    }
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%ha, %hb : memref<4x2x4x4xi16, 2 : i32>, memref<4x4x4x4xi16, 2 : i32>) outs(%hc : memref<4x2x4x4xi16, 2 : i32>) {
    ^bb0(%x: i16, %y: i16, %o: i16):
      %2 = arith.muli %x, %y : i16
      %3 = arith.addi %o, %2 : i16
      linalg.yield %3 : i16
    }
    aie.end
  }
}
// CHECK-LABEL: aie.device(npu2) @second
// CHECK-NOT: memref<{{.*}}xi32
// CHECK: arith.extsi %{{.*}} : vector<64xi16> to vector<64xi32>
// CHECK: vector.contract {{.*}} : vector<8x8xi8>, vector<8x8xi8> into vector<8x8xi32>
// CHECK: arith.trunci %{{.*}} : vector<64xi32> to vector<64xi16>
aie.device(npu2) @second {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<4x2x8x8xi8, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<4x4x8x8xi8, 2 : i32>
  %c = aie.buffer(%tile) {sym_name = "c"} : memref<4x2x8x8xi16, 2 : i32>
  %core = aie.core(%tile) {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<4x2x8x8xi8, 2 : i32>, memref<4x4x8x8xi8, 2 : i32>) outs(%c : memref<4x2x8x8xi16, 2 : i32>) {
    ^bb0(%x: i8, %y: i8, %o: i16):
      %0 = arith.extsi %x : i8 to i16
      %1 = arith.extsi %y : i8 to i16
      %2 = arith.muli %0, %1 : i16
      %3 = arith.addi %o, %2 : i16
      linalg.yield %3 : i16
    }
    aie.end
  }
}
