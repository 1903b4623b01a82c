// A product of a matrix and a vector becomes a reduction of rows where rows lie along the sums, else one row of a product.
// RUN: airlite-opt %s --air-vector-products --check-each | FileCheck %s

// CHECK-LABEL: func.func @vecmat
// CHECK-DAG: %[[X:.*]] = memref.expand_shape %arg0 {{\[}}[0, 1]] output_shape [1, 48] : memref<48xi8> into memref<1x48xi8>
// CHECK-DAG: %[[Y:.*]] = memref.expand_shape %arg2 {{\[}}[0, 1]] output_shape [1, 64] : memref<64xi32> into memref<1x64xi32>
// CHECK: linalg.fill {{.*}}outs(%[[Y]]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%[[X]], %arg1 : memref<1x48xi8>, memref<48x64xi8>) outs(%[[Y]] : memref<1x64xi32>)
func.func @vecmat(%x: memref<48xi8>, %a: memref<48x64xi8>, %y: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<64xi32>)
  linalg.vecmat ins(%x, %a : memref<48xi8>, memref<48x64xi8>) outs(%y : memref<64xi32>)
  return
}

// CHECK-LABEL: func.func @one_column
// CHECK-DAG: %[[X:.*]] = memref.collapse_shape %arg1 {{\[}}[0, 1]] : memref<48x1xbf16> into memref<48xbf16>
// CHECK-DAG: %[[Y:.*]] = memref.collapse_shape %arg2 {{\[}}[0, 1]] : memref<32x1xf32> into memref<32xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%arg0, %[[X]] : memref<32x48xbf16>, memref<48xbf16>) outs(%[[Y]] : memref<32xf32>)
func.func @one_column(%a: memref<32x48xbf16>, %x: memref<48x1xbf16>, %y: memref<32x1xf32>) {
  linalg.matmul ins(%a, %x : memref<32x48xbf16>, memref<48x1xbf16>) outs(%y : memref<32x1xf32>)
  return
}

// The matrix is the second factor, and rows of it lie along the sums: it becomes the first one.
// CHECK-LABEL: func.func @one_row_of_columns
// CHECK: %[[X:.*]] = memref.collapse_shape %arg0
// CHECK: linalg.generic {{.*}} ins(%arg1, %[[X]] : memref<40x16xi16>, memref<16xi16>)
// CHECK: ^bb0(%[[A:.*]]: i16, %[[B:.*]]: i16, %{{.*}}: i32):
// CHECK-NEXT: arith.extsi %[[B]]
// CHECK-NEXT: arith.extsi %[[A]]
func.func @one_row_of_columns(%x: memref<1x16xi16>, %a: memref<40x16xi16>, %y: memref<1x40xi32>) {
  linalg.matmul_transpose_b ins(%x, %a : memref<1x16xi16>, memref<40x16xi16>) outs(%y : memref<1x40xi32>)
  return
}

// A column by a turned matrix is a row by it.
// CHECK-LABEL: func.func @turned
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg0 : memref<1x24xf32>, memref<24x8xf32>) outs(%{{.*}} : memref<1x8xf32>)
func.func @turned(%a: memref<24x8xf32>, %x: memref<24x1xf32>, %y: memref<8x1xf32>) {
  linalg.matmul_transpose_a ins(%a, %x : memref<24x8xf32>, memref<24x1xf32>) outs(%y : memref<8x1xf32>)
  return
}

// These have the form already, or are no products with one vector.
// CHECK-LABEL: func.func @stay
// CHECK-NEXT: linalg.matvec
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: linalg.batch_matvec
// CHECK-NEXT: return
func.func @stay(%a: memref<8x16xi8>, %x: memref<16xi8>, %y: memref<8xi32>, %row: memref<1x16xi8>, %b: memref<16x8xi8>,
                %rows: memref<1x8xi32>, %many: memref<2x8x16xi8>, %xs: memref<2x16xi8>, %ys: memref<2x8xi32>) {
  linalg.matvec ins(%a, %x : memref<8x16xi8>, memref<16xi8>) outs(%y : memref<8xi32>)
  linalg.matmul ins(%row, %b : memref<1x16xi8>, memref<16x8xi8>) outs(%rows : memref<1x8xi32>)
  linalg.batch_matvec ins(%many, %xs : memref<2x8x16xi8>, memref<2x16xi8>) outs(%ys : memref<2x8xi32>)
  return
}
