// RUN: airlite-opt %s --air-linalg-name --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-linalg-name --check-each | FileCheck %s

// The count runs through the module; the op that has a name takes no number.
// CHECK-LABEL: func.func @first
// CHECK: linalg.fill {__internal_linalg_transform__ = "linalg.fill0"}
// CHECK: linalg.fill {__internal_linalg_transform__ = "mine"}
// CHECK: linalg.generic
// CHECK-SAME: __internal_linalg_transform__ = "linalg.generic1"
#id = affine_map<(i) -> (i)>
func.func @first(%v: f32, %a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  // expected-remark@+1 {{it has a name}}
  linalg.fill {__internal_linalg_transform__ = "mine"} ins(%v : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// On tensors, and inside of other ops.
// CHECK-LABEL: func.func @second
// CHECK: linalg.fill {__internal_linalg_transform__ = "linalg.fill2"}
// CHECK: linalg.copy {__internal_linalg_transform__ = "linalg.copy3"}
func.func @second(%p: i1, %v: f32, %t: tensor<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>) -> tensor<4xf32> {
  %f = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  scf.if %p {
    linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  }
  return %f : tensor<4xf32>
}
