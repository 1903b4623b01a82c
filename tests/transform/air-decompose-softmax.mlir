// RUN: airlite-opt %s --air-decompose-softmax --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-decompose-softmax --check-each --emit=none
// RUN: airlite-opt %s --pipeline=air-npu --check-each --emit=none

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @middle
// CHECK: %[[MAX:.*]] = memref.alloc() : memref<2x4xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[MAX]] : memref<2x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROWS]]], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : memref<2x8x4xf32>) outs(%[[MAX]] : memref<2x4xf32>)
// CHECK: arith.maxnumf
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[MAX]] : memref<2x8x4xf32>, memref<2x4xf32>) outs(%arg1 : memref<2x8x4xf32>)
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<2x4xf32>
// CHECK: linalg.generic {{.*}} ins(%arg1 : memref<2x8x4xf32>) outs(%[[SUM]] : memref<2x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : memref<2x4xf32>) outs(%arg1 : memref<2x8x4xf32>)
// CHECK: arith.divf
func.func @middle(%a: memref<2x8x4xf32>, %b: memref<2x8x4xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<2x8x4xf32>) outs(%b : memref<2x8x4xf32>)
  return
}

// CHECK-LABEL: func.func @open
// CHECK: %[[ROWS:.*]] = memref.dim %arg0, %{{.*}} : memref<?x4x?xf32>
// CHECK: memref.alloc(%[[ROWS]]) : memref<?x4xf32>
// CHECK-NOT: linalg.softmax
func.func @open(%a: memref<?x4x?xf32>, %b: memref<?x4x?xf32>) {
  linalg.softmax dimension(2) ins(%a : memref<?x4x?xf32>) outs(%b : memref<?x4x?xf32>)
  return
}

// CHECK-LABEL: func.func @tensors
// CHECK: linalg.softmax
func.func @tensors(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-remark@+1 {{stays: its operands are not buffers of the same elements}}
  %c = linalg.softmax dimension(1) ins(%a : tensor<2x4xf32>) outs(%b : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}
