// RUN: airlite-opt %s --check-each --air-linalg-codegen='l2-tile-size=8,0,4 l1-tile-size=4,8' | FileCheck %s
// RUN: airlite-opt %s --check-each --air-linalg-codegen='l1-size=1024' | FileCheck %s --check-prefix=AUTO
// RUN: airlite-opt %s --check-each --air-linalg-codegen='input-filter=later l1-promote-operands=1,2' | FileCheck %s --check-prefix=LATER
// RUN: airlite-opt %s --check-each --air-linalg-codegen='input-filter=conv l1-size=1024' | FileCheck %s --check-prefix=CONV
// RUN: airlite-opt %s --air-linalg-codegen --air-verify-program --emit=none

// A tile of L2, in it tiles of L1; sums go in the order that they had.
// CHECK-LABEL: func.func @product
// CHECK: scf.parallel (%[[I:.*]]) = (%c0) to (%c16) step (%c8) {
// CHECK:   scf.for %[[K:.*]] = %c0 to %c12 step %c4 {
// CHECK:     memref.subview %arg0[%[[I]], %[[K]]] [8, 4] [1, 1]
// CHECK-COUNT-3: memref.alloc() : memref<{{.*}}, 1 : i32>
// CHECK-COUNT-3: memref.copy
// CHECK:     scf.parallel ({{.*}}) = (%c0, %c0) to (%c8, %c16) step (%c4, %c8) {
// CHECK-NOT:   scf.for
// CHECK:       linalg.matmul ins(%[[A:.*]], %[[B:.*]] : memref<4x4xi32, 2 : i32>, memref<4x8xi32, 2 : i32>) outs(%[[C:.*]] : memref<4x8xi32, 2 : i32>)
// CHECK:       memref.copy %[[C]], %{{.*}} : memref<4x8xi32, 2 : i32> to memref<4x8xi32, {{.*}}, 1 : i32>
// CHECK:       memref.dealloc %[[A]]
// CHECK:     memref.copy %{{.*}}, %{{.*}} : memref<8x16xi32, 1 : i32> to memref<8x16xi32, {{.*}}>
// AUTO-LABEL: func.func @product
// AUTO: linalg.matmul ins(%{{.*}}, %{{.*}} : memref<8x12xi32, 2 : i32>, memref<12x8xi32, 2 : i32>) outs(%{{.*}} : memref<8x8xi32, 2 : i32>)
func.func @product(%a: memref<16x12xi32>, %b: memref<12x16xi32>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x12xi32>, memref<12x16xi32>) outs(%c : memref<16x16xi32>)
  return
}

// What is not read is not copied in. Ops with a label are those that input-filter names; one with fewer
// loops than sizes is left alone.
// CHECK-LABEL: func.func @labels
// CHECK-NOT: memref.copy
// CHECK: return
// AUTO-LABEL: func.func @labels
// AUTO: memref.copy
// AUTO-NOT: memref.copy
// AUTO: linalg.generic {{.*}} ins(%{{.*}} : memref<16x8xi32, 2 : i32>) outs(%[[OUT:.*]] : memref<16x8xi32, 2 : i32>)
// AUTO: memref.copy %[[OUT]], %{{.*}}
// AUTO: linalg.generic {{.*}} {__internal_linalg_transform__ = "later"}
// LATER-LABEL: func.func @labels
// LATER: linalg.generic {{.*}} ins(%arg0 : {{.*}}) outs(%arg1 :
// LATER: linalg.generic {{.*}} ins(%arg0, %[[B:.*]] : memref<16x16xi32>, memref<16x16xi32, 2 : i32>) outs(%{{.*}} : memref<16x16xi32, 2 : i32>) {
func.func @labels(%a: memref<16x16xi32>, %b: memref<16x16xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<16x16xi32>) outs(%b : memref<16x16xi32>) {
  ^bb0(%x: i32, %y: i32):
    %0 = arith.muli %x, %x : i32
    linalg.yield %0 : i32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<16x16xi32>, memref<16x16xi32>) outs(%b : memref<16x16xi32>) attrs = {__internal_linalg_transform__ = "later"} {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %0 = arith.addi %x, %y : i32
    linalg.yield %0 : i32
  }
  return
}

// Loops of a convolution that add up: the outer one is split only when those inside are whole.
// CONV-LABEL: func.func @convolution
// CONV: scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%c8, %c8) step (%c4, %c4)
// CONV: scf.for %{{.*}} = %c0 to %c6 step %c2
// CONV-NOT: scf.for
// CONV: linalg.conv_2d_nchw_fchw
func.func @convolution(%image: memref<1x6x10x10xf32>, %filter: memref<4x6x3x3xf32>, %out: memref<1x4x8x8xf32>) {
  linalg.conv_2d_nchw_fchw {__internal_linalg_transform__ = "conv", dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%image, %filter : memref<1x6x10x10xf32>, memref<4x6x3x3xf32>) outs(%out : memref<1x4x8x8xf32>)
  return
}
