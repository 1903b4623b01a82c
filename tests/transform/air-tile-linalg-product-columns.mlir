// Most columns of a large product get tiles that do not divide all of them, where that takes less time; the rest is a product of its
// own, and each part has its fill. Where tiles that divide all columns are as good, the product stays whole.
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 products=true l1-bytes=60416 l2-bytes=2097152' --remarks -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// REMARK-DAG: :[[#@LINE+16]]:3: remark: [air-tile-linalg] its loop 1 is split after 3840 rounds
// REMARK-DAG: :[[#@LINE+15]]:3: remark: [air-tile-linalg] tiled: launch 1x10, herd 4x4, tile of a core 64x96x64
// REMARK-DAG: :[[#@LINE+14]]:3: remark: [air-tile-linalg] tiled: launch 1x1, herd 4x4, tile of a core 64x64x128
// REMARK-DAG: :[[#@LINE+23]]:3: remark: [air-tile-linalg] tiled: launch 8x8, herd 4x4
// CHECK-LABEL: func.func @large(
// CHECK-SAME: %[[A:.*]]: memref<4096x4096xi8>, %[[B:.*]]: memref<4096x4096xi8>, %[[C:.*]]: memref<4096x4096xi32>)
// CHECK: memref.subview %[[B]][0, 0] [4096, 3840] [1, 1]
// CHECK: memref.subview %[[C]][0, 0] [4096, 3840] [1, 1]
// CHECK: scf.parallel
// CHECK: memref.subview %[[B]][0, 3840] [4096, 256] [1, 1]
// CHECK: memref.subview %[[C]][0, 3840] [4096, 256] [1, 1]
// CHECK: scf.parallel
// CHECK: return
func.func @large(%a: memref<4096x4096xi8>, %b: memref<4096x4096xi8>, %c: memref<4096x4096xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<4096x4096xi32>)
  linalg.matmul ins(%a, %b : memref<4096x4096xi8>, memref<4096x4096xi8>) outs(%c : memref<4096x4096xi32>)
  return
}

// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: memref<4096x3840
// CHECK: return
func.func @narrow(%a: memref<4096x4096xi8>, %b: memref<4096x4096xi8>, %c: memref<4096x4096xi8>) {
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%c : memref<4096x4096xi8>)
  linalg.matmul ins(%a, %b : memref<4096x4096xi8>, memref<4096x4096xi8>) outs(%c : memref<4096x4096xi8>)
  return
}
