// The extreme of a row is found first, its place then. Of equal numbers the last one counts where the comparison says so.
// RUN: airlite-opt %s --air-split-arg-extremes | FileCheck %s
// RUN: airlite-opt %s --air-split-arg-extremes --check-each --emit=none

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK: #[[KEPT:.*]] = affine_map<(d0) -> (d0, 0)>
// CHECK-LABEL: @first
// CHECK: linalg.fill ins(%{{.*}} : i8)
// CHECK: linalg.fill ins(%{{.*}} : i32)
// CHECK: arith.maxsi
// CHECK: arith.cmpi eq
// CHECK: arith.minsi
// CHECK: arith.cmpi sgt
// CHECK-COUNT-2: arith.select
func.func @first(%x: memref<16x24xi8>, %v: memref<16xi8>, %k: memref<16xi32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x24xi8>) outs(%v, %k : memref<16xi8>, memref<16xi32>) {
  ^bb0(%a: i8, %best: i8, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpi sgt, %a, %best : i8
    %next = arith.select %is, %a, %best : i8
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : i8, i32
  }
  return
}

// CHECK-LABEL: @last
// CHECK: arith.minnumf
// CHECK: arith.cmpf oeq
// CHECK: arith.maxsi
// CHECK: %[[BETTER:.*]] = arith.cmpf oge, %{{.*}}, %{{.*}} : f32
// A row of nothing but NaN has no place.
// CHECK: %[[FOUND:.*]] = arith.cmpi ne
// CHECK: arith.andi %[[BETTER]], %[[FOUND]] : i1
func.func @last(%x: memref<16x24xf32>, %v: memref<16xf32>, %k: memref<16xi32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x24xf32>) outs(%v, %k : memref<16xf32>, memref<16xi32>) {
  ^bb0(%a: f32, %best: f32, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpf oge, %best, %a : f32
    %next = arith.select %is, %a, %best : f32
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : f32, i32
  }
  return
}

// The dimension of the columns is kept.
// CHECK-LABEL: @kept
// CHECK: arith.maxsi
// CHECK: linalg.generic {indexing_maps = [{{.*}}, #[[KEPT]], #[[KEPT]]]
func.func @kept(%x: memref<16x24xi8>, %v: memref<16x1xi8>, %k: memref<16x1xi32>) {
  linalg.generic {indexing_maps = [#both, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x24xi8>) outs(%v, %k : memref<16x1xi8>, memref<16x1xi32>) {
  ^bb0(%a: i8, %best: i8, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpi sgt, %a, %best : i8
    %next = arith.select %is, %a, %best : i8
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : i8, i32
  }
  return
}

// Unsigned numbers, and the place of the row, stay.
// CHECK-LABEL: @stays
// CHECK-NOT: linalg.fill
func.func @stays(%x: memref<16x24xi8>, %v: memref<16xi8>, %k: memref<16xi32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x24xi8>) outs(%v, %k : memref<16xi8>, memref<16xi32>) {
  ^bb0(%a: i8, %best: i8, %at: i32):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i32
    %is = arith.cmpi ugt, %a, %best : i8
    %next = arith.select %is, %a, %best : i8
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : i8, i32
  }
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x24xi8>) outs(%v, %k : memref<16xi8>, memref<16xi32>) {
  ^bb0(%a: i8, %best: i8, %at: i32):
    %i = linalg.index 0 : index
    %place = arith.index_cast %i : index to i32
    %is = arith.cmpi sgt, %a, %best : i8
    %next = arith.select %is, %a, %best : i8
    %where = arith.select %is, %place, %at : i32
    linalg.yield %next, %where : i8, i32
  }
  return
}
