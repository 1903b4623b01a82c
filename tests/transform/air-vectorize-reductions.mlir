// RUN: airlite-opt %s --pipeline='air-vectorize-reductions{everywhere=true}' | FileCheck %s

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// 40 numbers: two rows of lanes, and eight numbers alone.
// CHECK-LABEL: func.func @squares
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK: %[[X:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<4x40xf32>, vector<16xf32>
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : vector<16xf32>
// CHECK: %[[NEXT:.*]] = arith.addf %[[SO_FAR]], %[[SQUARE]] : vector<16xf32>
// CHECK: scf.yield %[[NEXT]]
// CHECK: vector.shuffle %[[SUM]], %[[SUM]] [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7]
// CHECK: vector.extract {{.*}} {air.sum_lanes = 16 : i64}
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: memref.store
// CHECK-NOT: linalg.generic
func.func @squares(%a: memref<4x40xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x40xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %x : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @greatest
// CHECK-DAG: arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-DAG: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: arith.maximumf %{{.*}} : vector<16xf32>
func.func @greatest(%a: memref<4x32xbf16>, %b: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %c : memref<4x32xbf16>, memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: bf16, %y: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %y : f32
    %r = arith.maximumf %d, %o : f32
    linalg.yield %r : f32
  }
  return
}

// Rows that begin inside of 32 bytes, short rows, columns, and rows of integers stay.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: linalg.generic
func.func @others(%a: memref<4x33xf32>, %b: memref<4x8xf32>, %c: memref<4xf32>, %d: memref<4x32xi32>, %e: memref<4xi32>,
                  %f: memref<32x4xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x33xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : memref<4x8xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d : memref<4x32xi32>) outs(%e : memref<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.addi %x, %o : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%f : memref<32x4xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  return
}
