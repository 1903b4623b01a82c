// RUN: airlite-opt %s --check-each --air-resolve-tensor-opoperand-conflicts | FileCheck %s

// CHECK-LABEL: func.func @overwritten
// CHECK: %[[N:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: linalg.add ins(%arg0, %arg1 : {{.*}}) outs(%[[N]] : tensor<8xf32>)
func.func @overwritten(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @added_to
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%arg0) : tensor<8x8xf32>
// CHECK: linalg.matmul ins(%arg0, %arg1 : {{.*}}) outs(%[[C]] : tensor<8x8xf32>)
func.func @added_to(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @others
// CHECK-NOT: alloc_tensor
func.func @others(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
