// Sums of products of packed tiles as blocks of the matrix unit: two loops over blocks are one.
// RUN: airlite-opt %s --air-aie-matrix-unit=functions=true | FileCheck %s
// RUN: airlite-opt %s --air-aie-matrix-unit=functions=true --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @f
// Blocks of four by two tiles in quarters: a row of the block takes four steps of the depth, then the next row.
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-2: vector.load %{{.*}} : memref<1024xi32, 2 : i32>, vector<32xi32>
// CHECK-COUNT-7: vector.contract {{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK-COUNT-2: vector.load %{{.*}} : memref<1024xi32, 2 : i32>, vector<32xi32>
// CHECK-COUNT-7: vector.contract {{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK-COUNT-2: vector.load %{{.*}} : memref<1024xi32, 2 : i32>, vector<32xi32>
// CHECK-COUNT-7: vector.contract {{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK-COUNT-2: vector.load %{{.*}} : memref<1024xi32, 2 : i32>, vector<32xi32>
// CHECK-COUNT-14: vector.contract {{.*}} : vector<4x8xi8>, vector<8x8xi8> into vector<4x8xi32>
// CHECK-COUNT-8: vector.store %{{.*}} : memref<1024xi32, 2 : i32>, vector<32xi32>
// CHECK-NOT: linalg.generic
// CHECK-LABEL: func.func @other_tiles
// CHECK: linalg.generic
// CHECK-LABEL: func.func @floats
// CHECK-COUNT-8: vector.load %{{.*}} : memref<256xf32, 2 : i32>, vector<16xf32>
// CHECK-COUNT-16: vector.contract {{.*}}air.sum_depth = 8 : i64{{.*}} : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
// CHECK-LABEL: func.func @one_by_one
// CHECK: linalg.generic
// REMARK: no product of the matrix unit: its last dimensions are not tiles of the matrix unit
// REMARK: no product of the matrix unit: its sums of floats are not made as the unit makes them
#a = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, d3, d5)>
#b = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d5, d4)>
#c = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d0, d3, d4)>
func.func @f(%A: memref<8x8x4x8xi8, 2 : i32>, %B: memref<4x8x8x8xi8, 2 : i32>, %C: memref<4x8x4x8xi32, 2 : i32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%A, %B : memref<8x8x4x8xi8, 2 : i32>, memref<4x8x8x8xi8, 2 : i32>) outs(%C : memref<4x8x4x8xi32, 2 : i32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
func.func @other_tiles(%A: memref<8x4x4x4xi8, 2 : i32>, %B: memref<2x8x4x8xi8, 2 : i32>, %C: memref<2x4x4x8xi32, 2 : i32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%A, %B : memref<8x4x4x4xi8, 2 : i32>, memref<2x8x4x8xi8, 2 : i32>) outs(%C : memref<2x4x4x8xi32, 2 : i32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
func.func @floats(%A: memref<2x4x4x8xbf16, 2 : i32>, %B: memref<4x2x8x4xbf16, 2 : i32>, %C: memref<4x4x4x4xf32, 2 : i32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64} ins(%A, %B : memref<2x4x4x8xbf16, 2 : i32>, memref<4x2x8x4xbf16, 2 : i32>) outs(%C : memref<4x4x4x4xf32, 2 : i32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
func.func @one_by_one(%A: memref<2x4x4x8xbf16, 2 : i32>, %B: memref<4x2x8x4xbf16, 2 : i32>, %C: memref<4x4x4x4xf32, 2 : i32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%A, %B : memref<2x4x4x8xbf16, 2 : i32>, memref<4x2x8x4xbf16, 2 : i32>) outs(%C : memref<4x4x4x4xf32, 2 : i32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
