// AIE2P: bf16 lane by lane, a column of A next to a row of B; and in blocks, for which rows of tiles of B are turned first.
// RUN: airlite-opt %s --air-aie-matrix-unit | FileCheck %s
// CHECK-LABEL: aie.device(npu2) @lanes
// CHECK-COUNT-4: vector.load %{{.*}} : memref<256xf32, 2 : i32>, vector<64xf32>
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [0, 0], sizes = [2, 1], strides = [1, 1]} : vector<2x16xbf16> to vector<2x1xbf16>
// CHECK-COUNT-64: vector.contract {{.*}} {air.sum_depth = 1 : i64} : vector<2x1xbf16>, vector<1x32xbf16> into vector<2x32xf32>
// CHECK-NOT: vector.contract
// CHECK-COUNT-4: vector.store %{{.*}} : memref<256xf32, 2 : i32>, vector<64xf32>
// CHECK-LABEL: aie.device(npu2) @blocks
// CHECK: aie.buffer{{.*}} : memref<1x1x8x8xbf16, 2 : i32>
// CHECK: aie.core
// CHECK: vector.shuffle {{.*}} [0, 8, 16, 24, 32, 40, 48, 56, 1,
// CHECK: vector.shuffle {{.*}} [4, 12, 20, 28,
// CHECK: vector.contract {indexing_maps = [#map, #[[COLUMNS:.*]], #{{.*}}], {{.*}} {air.block_floats, air.sum_depth = 8 : i64} : vector<8x8xbf16>, vector<8x8xbf16> into vector<8x8xf32>
#a = affine_map<(m, n, k, r, t, s) -> (k, m, r, s)>
#b = affine_map<(m, n, k, r, t, s) -> (n, k, s, t)>
#c = affine_map<(m, n, k, r, t, s) -> (n, m, r, t)>
aie.device(npu2) @lanes {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<1x2x2x16xbf16, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<2x1x16x32xbf16, 2 : i32>
  %c = aie.buffer(%tile) {sym_name = "c"} : memref<2x2x2x32xf32, 2 : i32>
  %core = aie.core(%tile) {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<1x2x2x16xbf16, 2 : i32>, memref<2x1x16x32xbf16, 2 : i32>) outs(%c : memref<2x2x2x32xf32, 2 : i32>) {
    ^bb0(%x: bf16, %y: bf16, %o: f32):
      %0 = arith.extf %x : bf16 to f32
      %1 = arith.extf %y : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %o, %2 : f32
      linalg.yield %3 : f32
    }
    aie.end
  }
}
aie.device(npu2) @blocks {
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<1x1x8x8xbf16, 2 : i32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<1x1x8x8xbf16, 2 : i32>
  %c = aie.buffer(%tile) {sym_name = "c"} : memref<1x1x8x8xf32, 2 : i32>
  %core = aie.core(%tile) {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64, air.block_floats} ins(%a, %b : memref<1x1x8x8xbf16, 2 : i32>, memref<1x1x8x8xbf16, 2 : i32>) outs(%c : memref<1x1x8x8xf32, 2 : i32>) {
    ^bb0(%x: bf16, %y: bf16, %o: f32):
      %0 = arith.extf %x : bf16 to f32
      %1 = arith.extf %y : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %o, %2 : f32
      linalg.yield %3 : f32
    }
    aie.end
  }
}
