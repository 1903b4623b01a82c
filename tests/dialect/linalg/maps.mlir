// Ops that say their maps, or the function of their elements.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --convert-linalg-to-loops --check-each --emit=none

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2) -> (d2)>
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @products
func.func @products(%a: memref<8x4xf32>, %b: memref<6x8xf32>, %c: memref<4x6xf32>, %v: memref<8xf32>, %p: memref<2x4x8xi8>, %q: memref<6x8xi8>, %r: memref<2x4x6xi32>) {
  // CHECK: linalg.contract indexing_maps = [#[[A]], #[[B]], #[[C]]] ins(%{{.*}}, %{{.*}} : memref<8x4xf32>, memref<6x8xf32>) outs(%{{.*}} : memref<4x6xf32>)
  linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : memref<8x4xf32>, memref<6x8xf32>) outs(%c : memref<4x6xf32>)
  // CHECK: linalg.matmul indexing_maps = [#[[A]], #[[K]], #[[C]]] ins
  linalg.matmul indexing_maps = [#a, affine_map<(m, n, k) -> (k)>, #c] ins(%a, %v : memref<8x4xf32>, memref<8xf32>) outs(%c : memref<4x6xf32>)
  // CHECK: linalg.batch_matmul indexing_maps = [{{.*}}] {cast = #linalg.type_fn<cast_unsigned>} ins
  linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] {cast = #linalg.type_fn<cast_unsigned>}
      ins(%p, %q : memref<2x4x8xi8>, memref<6x8xi8>) outs(%r : memref<2x4x6xi32>)
  return
}

// CHECK-LABEL: func.func @elements
func.func @elements(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %i: tensor<4x6xi1>) -> tensor<4x6xf32> {
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%{{.*}} : tensor<4x6xf32>) outs
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<4x6xf32>) outs(%a : tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
      ins(%0, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%a : tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<select> ins
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%i, %1, %0 : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%a : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}
