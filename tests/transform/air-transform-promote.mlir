// Operands that several ops share are copied once, as long as nobody writes to them in between.
// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-promote.mlir' | FileCheck %s

#same = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @shared
// CHECK-SAME: (%[[X:.*]]: memref<8xi32>, %[[Y:.*]]: memref<8xi32>, %[[Z:.*]]: memref<8xi32>)
// CHECK: %[[X2:.*]] = memref.alloc() : memref<8xi32, 1 : i32>
// CHECK-NEXT: memref.copy %[[X]], %[[X2]]
// CHECK-NEXT: %[[Y2:.*]] = memref.alloc() : memref<8xi32, 1 : i32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X2]] : {{.*}}) outs(%[[Y2]] :
// CHECK: memref.copy %[[Y2]], %[[Y]]
// CHECK-NEXT: %[[Z2:.*]] = memref.alloc() : memref<8xi32, 1 : i32>
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X2]], %[[Y2]] : {{.*}}) outs(%[[Z2]] :
// CHECK: memref.copy %[[Z2]], %[[Z]]
func.func @shared(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : memref<8xi32>) outs(%y : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %in : i32
    linalg.yield %0 : i32
  }
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]} ins(%x, %y : memref<8xi32>, memref<8xi32>) outs(%z : memref<8xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.muli %a, %b : i32
    linalg.yield %0 : i32
  }
  return
}

// The store stands between: the second op gets what it wrote.
// CHECK-LABEL: func.func @written
// CHECK: memref.store
// CHECK: memref.copy %{{.*}}, %[[AGAIN:.*]] : memref<8xi32> to memref<8xi32, 1 : i32>
// CHECK: linalg.generic {{.*}} ins(%[[AGAIN]] :
func.func @written(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>, %number: i32) {
  %c0 = arith.constant 0 : index
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : memref<8xi32>) outs(%y : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %in : i32
    linalg.yield %0 : i32
  }
  memref.store %number, %x[%c0] : memref<8xi32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : memref<8xi32>) outs(%z : memref<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}

// Only one column is written: the others are copied in and out.
// CHECK-LABEL: func.func @column
// CHECK-SAME: (%[[X:.*]]: memref<8xi32>, %[[M:.*]]: memref<8x4xi32>)
// CHECK: %[[M2:.*]] = memref.alloc() : memref<8x4xi32, 1 : i32>
// CHECK: memref.copy %[[M]], %[[M2]]
// CHECK: linalg.generic {{.*}} outs(%[[M2]] :
// CHECK: memref.copy %[[M2]], %[[M]]
func.func @column(%x: memref<8xi32>, %m: memref<8x4xi32>) {
  linalg.generic {indexing_maps = [#same, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]} ins(%x : memref<8xi32>) outs(%m : memref<8x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  return
}
