// RUN: airlite-opt %s --check-each --air-herd-vectorize | FileCheck %s
// RUN: airlite-opt %s --air-herd-vectorize --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A row is read for each line, numbers become vectors of it.
// CHECK-LABEL: func.func @add
// CHECK: %[[A:.*]] = vector.transfer_read %{{.*}}[%c0{{.*}}, %c0{{.*}}], %{{.*}} {in_bounds = [true, true]} : memref<4x8xf32, 2>, vector<4x8xf32>
// CHECK: %[[B:.*]] = vector.transfer_read {{.*}}permutation_map = #{{.*}}} : memref<8xf32, 2>, vector<4x8xf32>
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]] : vector<4x8xf32>
// CHECK: %[[C:.*]] = vector.broadcast %cst{{.*}} : f32 to vector<4x8xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[S]], %[[C]] : vector<4x8xf32>
// CHECK: vector.transfer_write %[[P]]
// CHECK-NOT: linalg.generic
func.func @add(%a: memref<4x8xf32, 2>, %b: memref<8xf32, 2>, %o: memref<4x8xf32, 2>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%ha = %a, %hb = %b, %ho = %o) : memref<4x8xf32, 2>, memref<8xf32, 2>, memref<4x8xf32, 2> {
    %two = arith.constant 2.0 : f32
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ha, %hb : memref<4x8xf32, 2>, memref<8xf32, 2>) outs(%ho : memref<4x8xf32, 2>) {
    ^bb0(%e: f32, %f: f32, %g: f32):
      %s = arith.addf %e, %f : f32
      %p = arith.mulf %s, %two : f32
      linalg.yield %p : f32
    }
  }
  return
}

// REMARK: remark: {{.*}}stays: it reduces
// REMARK: remark: {{.*}}stays: an op of its body has no form on vectors
// CHECK-LABEL: func.func @others
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: linalg.fill
func.func @others(%a: memref<8x8xi32, 2>, %b: memref<8x8xi32, 2>, %o: memref<8x8xi32, 2>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%ha = %a, %hb = %b, %ho = %o) : memref<8x8xi32, 2>, memref<8x8xi32, 2>, memref<8x8xi32, 2> {
    linalg.matmul ins(%ha, %hb : memref<8x8xi32, 2>, memref<8x8xi32, 2>) outs(%ho : memref<8x8xi32, 2>)
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%ha : memref<8x8xi32, 2>) {
    ^bb0(%e: i32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      linalg.yield %n : i32
    }
  }
  linalg.fill ins(%zero : i32) outs(%b : memref<8x8xi32, 2>)
  return
}

// REMARK: remark: {{.*}}stays: its core cannot access an operand
func.func @elsewhere(%a: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%ha = %a) : memref<8xi32> {
    %c = arith.constant 3 : i32
    linalg.fill ins(%c : i32) outs(%ha : memref<8xi32>)
  }
  return
}
