// Batches of rows that share their right factor are one product of matrices; what fills the sums and the ops after it, along
// rows too, get the same dimensions.
// RUN: airlite-opt %s --air-collapse-rows=products --check-each | FileCheck %s

#x = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (k, n)>
#y = affine_map<(b, m, n, k) -> (b, m, n)>
#all = affine_map<(b, m, n) -> (b, m, n)>
#column = affine_map<(b, m, n) -> (n)>
#row = affine_map<(b, m, n) -> (b, m)>

// CHECK-LABEL: func.func @linear
// CHECK-DAG: %[[X:.*]] = memref.collapse_shape %arg0 {{\[}}[0, 1], [2]] : memref<2x4x8xi8> into memref<8x8xi8>
// CHECK-DAG: %[[Y:.*]] = memref.collapse_shape %arg3 {{\[}}[0, 1], [2]] : memref<2x4x6xi32> into memref<8x6xi32>
// CHECK-DAG: %[[M:.*]] = memref.collapse_shape %arg4 {{\[}}[0, 1]] : memref<2x4xi32> into memref<8xi32>
// CHECK: %[[S:.*]] = memref.alloc() : memref<8x6xi32>
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[S]] : memref<8x6xi32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%[[X]], %arg1 : memref<8x8xi8>, memref<8x6xi8>) outs(%[[S]] : memref<8x6xi32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%[[S]], %arg2 : memref<8x6xi32>, memref<6xi32>) outs(%[[Y]] : memref<8x6xi32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%[[Y]] : memref<8x6xi32>) outs(%[[M]] : memref<8xi32>)
func.func @linear(%x: memref<2x4x8xi8>, %w: memref<8x6xi8>, %bias: memref<6xi32>, %y: memref<2x4x6xi32>, %most: memref<2x4xi32>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<2x4x6xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<2x4x6xi32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<2x4x8xi8>, memref<8x6xi8>) outs(%sums : memref<2x4x6xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %p = arith.extsi %a : i8 to i32
    %q = arith.extsi %b : i8 to i32
    %r = arith.muli %p, %q : i32
    %next = arith.addi %sum, %r : i32
    linalg.yield %next : i32
  }
  linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums, %bias : memref<2x4x6xi32>, memref<6xi32>) outs(%y : memref<2x4x6xi32>) {
  ^bb0(%a: i32, %b: i32, %old: i32):
    %next = arith.addi %a, %b : i32
    linalg.yield %next : i32
  }
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y : memref<2x4x6xi32>) outs(%most : memref<2x4xi32>) {
  ^bb0(%a: i32, %old: i32):
    %next = arith.maxsi %a, %old : i32
    linalg.yield %next : i32
  }
  return
}

// Batches with factors of their own stay, and so does what is computed with them, also where another product needs its
// rows as one dimension.
// CHECK-LABEL: func.func @own_factors
// CHECK: %[[ROWS:.*]] = memref.collapse_shape %[[S:.*]] {{\[}}[0, 1], [2]] : memref<2x4x8xi32> into memref<8x8xi32>
// CHECK: linalg.batch_matmul ins(%arg0, %arg1 : memref<2x4x8xi32>, memref<2x8x8xi32>) outs(%[[S]] : memref<2x4x8xi32>)
// CHECK: linalg.add ins(%[[S]], %arg0 : memref<2x4x8xi32>, memref<2x4x8xi32>) outs(%[[S]] : memref<2x4x8xi32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%[[ROWS]], %arg2 : memref<8x8xi32>, memref<8x6xi32>)
func.func @own_factors(%x: memref<2x4x8xi32>, %v: memref<2x8x8xi32>, %w: memref<8x6xi32>, %y: memref<2x4x6xi32>) {
  %zero = arith.constant 0 : i32
  %s = memref.alloc() : memref<2x4x8xi32>
  linalg.fill ins(%zero : i32) outs(%s : memref<2x4x8xi32>)
  linalg.batch_matmul ins(%x, %v : memref<2x4x8xi32>, memref<2x8x8xi32>) outs(%s : memref<2x4x8xi32>)
  linalg.add ins(%s, %x : memref<2x4x8xi32>, memref<2x4x8xi32>) outs(%s : memref<2x4x8xi32>)
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s, %w : memref<2x4x8xi32>, memref<8x6xi32>) outs(%y : memref<2x4x6xi32>) {
  ^bb0(%a: i32, %b: i32, %sum: i32):
    %r = arith.muli %a, %b : i32
    %next = arith.addi %sum, %r : i32
    linalg.yield %next : i32
  }
  return
}
