// Copies that repeat weights for each batch go away: the product reads the weights.
// RUN: airlite-opt %s --air-fold-broadcasts --check-each | FileCheck %s

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>

// CHECK-LABEL: func.func @weights
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<2x4x8xi32>, memref<8x6xi32>)
// CHECK-NOT: memref.dealloc
func.func @weights(%x: memref<2x4x8xi32>, %w: memref<8x6xi32>, %y: memref<2x4x6xi32>) {
  %copies = memref.alloc() : memref<2x8x6xi32>
  linalg.broadcast ins(%w : memref<8x6xi32>) outs(%copies : memref<2x8x6xi32>) dimensions = [0]
  linalg.batch_matmul ins(%x, %copies : memref<2x4x8xi32>, memref<2x8x6xi32>) outs(%y : memref<2x4x6xi32>)
  memref.dealloc %copies : memref<2x8x6xi32>
  return
}

// Both factors may be the same copies.
// CHECK-LABEL: func.func @both
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg0 : memref<8x8xi32>, memref<8x8xi32>)
func.func @both(%w: memref<8x8xi32>, %y: memref<2x8x8xi32>) {
  %copies = memref.alloc() : memref<2x8x8xi32>
  linalg.broadcast ins(%w : memref<8x8xi32>) outs(%copies : memref<2x8x8xi32>) dimensions = [0]
  linalg.batch_matmul ins(%copies, %copies : memref<2x8x8xi32>, memref<2x8x8xi32>) outs(%y : memref<2x8x8xi32>)
  return
}

// What else reads the copies keeps them.
// CHECK-LABEL: func.func @read_again
// CHECK: linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 :
// CHECK: linalg.add
func.func @read_again(%x: memref<2x4x8xi32>, %w: memref<8x6xi32>, %y: memref<2x4x6xi32>, %z: memref<2x8x6xi32>) {
  %copies = memref.alloc() : memref<2x8x6xi32>
  linalg.broadcast ins(%w : memref<8x6xi32>) outs(%copies : memref<2x8x6xi32>) dimensions = [0]
  linalg.batch_matmul ins(%x, %copies : memref<2x4x8xi32>, memref<2x8x6xi32>) outs(%y : memref<2x4x6xi32>)
  linalg.add ins(%copies, %z : memref<2x8x6xi32>, memref<2x8x6xi32>) outs(%z : memref<2x8x6xi32>)
  return
}

// The weights are others when the product reads.
// CHECK-LABEL: func.func @written
// CHECK: linalg.batch_matmul
func.func @written(%x: memref<2x4x8xi32>, %w: memref<8x6xi32>, %y: memref<2x4x6xi32>) {
  %copies = memref.alloc() : memref<2x8x6xi32>
  linalg.broadcast ins(%w : memref<8x6xi32>) outs(%copies : memref<2x8x6xi32>) dimensions = [0]
  linalg.add ins(%w, %w : memref<8x6xi32>, memref<8x6xi32>) outs(%w : memref<8x6xi32>)
  linalg.batch_matmul ins(%x, %copies : memref<2x4x8xi32>, memref<2x8x6xi32>) outs(%y : memref<2x4x6xi32>)
  return
}

// Copies with a part that is written later are no copies; those that repeat nothing stay.
// CHECK-LABEL: func.func @changed
// CHECK: linalg.batch_matmul
// CHECK: linalg.matmul
func.func @changed(%x: memref<2x4x8xi32>, %w: memref<8x6xi32>, %y: memref<2x4x6xi32>, %a: memref<6x4xi32>, %c: memref<8x4xi32>) {
  %zero = arith.constant 0 : i32
  %copies = memref.alloc() : memref<2x8x6xi32>
  linalg.broadcast ins(%w : memref<8x6xi32>) outs(%copies : memref<2x8x6xi32>) dimensions = [0]
  %part = memref.subview %copies[1, 0, 0] [1, 8, 6] [1, 1, 1] : memref<2x8x6xi32> to memref<1x8x6xi32, strided<[48, 6, 1], offset: 48>>
  linalg.fill ins(%zero : i32) outs(%part : memref<1x8x6xi32, strided<[48, 6, 1], offset: 48>>)
  linalg.batch_matmul ins(%x, %copies : memref<2x4x8xi32>, memref<2x8x6xi32>) outs(%y : memref<2x4x6xi32>)
  %same = memref.alloc() : memref<8x6xi32>
  linalg.copy ins(%w : memref<8x6xi32>) outs(%same : memref<8x6xi32>)
  linalg.matmul ins(%same, %a : memref<8x6xi32>, memref<6x4xi32>) outs(%c : memref<8x4xi32>)
  return
}
