// REQUIRES: !sanitize
// RUN: airlite-opt %s --air-tile-linalg='products=true l2-bytes=2097152 l1-bytes=22016 product-plan=2,2,32,64,64' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-tile-linalg='products=true l2-bytes=2097152 l1-bytes=24000 product-plan=2,2,32,64,64' --check-each | FileCheck %s --check-prefix=RESIDUAL

// A core has no room for the sums of its tile beside what goes out of them: that goes in pieces, of which there
// are two buffers.
#m = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @narrow
// CHECK: linalg.generic {{.*}} "reduction"
// CHECK: scf.for %[[N:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[AT:.*]] = affine.apply {{.*}}()[%[[N]]]
// CHECK: %[[SUMS:.*]] = memref.subview %{{.*}}[%[[AT]], 0, 0, 0] [2, 8, 4, 8] [1, 1, 1, 1]
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<2x8x4x8xi8, 2 : i32>
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] {{.*}} outs(%[[OUT]]
// CHECK: linalg.unpack %[[OUT]]
// CHECK: memref.dealloc %[[OUT]]
func.func @narrow(%a: memref<64x64xi8>, %b: memref<64x128xi8>, %o: memref<64x128xi8>) {
  %z = arith.constant 0 : i32
  %c = memref.alloc() : memref<64x128xi32>
  linalg.fill ins(%z : i32) outs(%c : memref<64x128xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x128xi8>) outs(%c : memref<64x128xi32>)
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%c : memref<64x128xi32>) outs(%o : memref<64x128xi8>) {
  ^bb0(%s: i32, %old: i8):
    %seven = arith.constant 7 : i32
    %x = arith.shrsi %s, %seven : i32
    %n = arith.trunci %x : i32 to i8
    linalg.yield %n : i8
  }
  return
}

// A matrix that is added comes in pieces as well; a row comes whole, and a piece takes its part of it.
#row = affine_map<(d0, d1) -> (d1)>
// RESIDUAL-LABEL: func.func @residual
// RESIDUAL: linalg.generic {{.*}} "reduction"
// RESIDUAL: linalg.pack %{{.*}} into %[[ROW:[a-z0-9_]+]] : memref<64xi32
// RESIDUAL: scf.for
// RESIDUAL: linalg.pack {{.*}} -> memref<2x8x4x8xi8, 2 : i32>
// RESIDUAL: memref.subview %[[ROW]]
// RESIDUAL: memref.alloc() : memref<2x8x4x8xi8, 2 : i32>
// RESIDUAL: linalg.unpack {{.*}} : memref<2x8x4x8xi8, 2 : i32>
func.func @residual(%a: memref<64x64xi8>, %b: memref<64x128xi8>, %r: memref<64x128xi8>, %bias: memref<128xi32>, %o: memref<64x128xi8>) {
  %z = arith.constant 0 : i32
  %c = memref.alloc() : memref<64x128xi32>
  linalg.fill ins(%z : i32) outs(%c : memref<64x128xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x128xi8>) outs(%c : memref<64x128xi32>)
  linalg.generic {indexing_maps = [#m, #m, #row, #m], iterator_types = ["parallel", "parallel"]} ins(%c, %r, %bias : memref<64x128xi32>, memref<64x128xi8>, memref<128xi32>) outs(%o : memref<64x128xi8>) {
  ^bb0(%s: i32, %more: i8, %of: i32, %old: i8):
    %wide = arith.extsi %more : i8 to i32
    %x = arith.addi %s, %wide : i32
    %y = arith.addi %x, %of : i32
    %n = arith.trunci %y : i32 to i8
    linalg.yield %n : i8
  }
  return
}
