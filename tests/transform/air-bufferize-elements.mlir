// Tensors whose elements are said one by one, and reshapes that a tensor says.
// RUN: airlite-opt %s --split-input-file --air-bufferize-linalg | FileCheck %s
// RUN: airlite-opt %s --split-input-file --air-bufferize-linalg --check-each --emit=none
// RUN: not airlite-opt %s --split-input-file --air-bufferize-linalg=required 2>&1 >%t | FileCheck %s --check-prefix=REQUIRED

// CHECK-LABEL: func.func @splat(%arg0: memref<6x5xf32>, %arg1: f32)
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<6x5xf32>
// CHECK: linalg.fill ins(%arg1 : f32) outs(%[[ALL]] :
// CHECK: memref.alloc() : memref<f32>
// CHECK: linalg.fill ins(%arg1 : f32) outs(%{{.*}} : memref<f32>)
func.func @splat(%x: tensor<6x5xf32>, %k: f32) -> (tensor<6x5xf32>, tensor<f32>) {
  %s = tensor.splat %k : tensor<6x5xf32>
  %y = arith.addf %s, %x : tensor<6x5xf32>
  %one = tensor.from_elements %k : tensor<f32>
  return %y, %one : tensor<6x5xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @generated(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<?x5xf32>)
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
func.func @generated(%x: tensor<6x5xf32>, %n: index, %k: f32) -> tensor<?x5xf32> {
  %g = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %j] : tensor<6x5xf32>
    %w = arith.mulf %v, %k : f32
    tensor.yield %w : f32
  } : tensor<?x5xf32>
  return %g : tensor<?x5xf32>
}

// -----

// CHECK-LABEL: func.func @chosen(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<2x2xi32>)
// CHECK-COUNT-3: arith.select
// CHECK-NOT: arith.select
func.func @chosen(%a: i32, %b: i32, %c: i32, %d: i32) -> tensor<2x2xi32> {
  %t = tensor.from_elements %a, %b, %c, %d : tensor<2x2xi32>
  return %t : tensor<2x2xi32>
}

// -----

// CHECK-LABEL: func.func @reshaped(
// CHECK: memref.collapse_shape %arg0 {{\[\[}}0, 1]] : memref<6x20xf32> into memref<120xf32>
// CHECK: memref.expand_shape %{{.*}} output_shape [8, 15]
// CHECK: linalg.exp
func.func @reshaped(%x: tensor<6x20xf32>) -> tensor<8x15xf32> {
  %s = arith.constant dense<[8, 15]> : tensor<2xi64>
  %r = tensor.reshape %x(%s) : (tensor<6x20xf32>, tensor<2xi64>) -> tensor<8x15xf32>
  %e = tensor.empty() : tensor<8x15xf32>
  %y = linalg.exp ins(%r : tensor<8x15xf32>) outs(%e : tensor<8x15xf32>) -> tensor<8x15xf32>
  return %y : tensor<8x15xf32>
}

// -----

// CHECK-LABEL: func.func @stays(%arg0: tensor<6x20xf32>
// REQUIRED: error: 'scf.yield' op stays on tensors: it takes tensors out of a loop or a branch
func.func @stays(%x: tensor<6x20xf32>, %c: i1) -> tensor<6x20xf32> {
  %r = scf.if %c -> tensor<6x20xf32> {
    %y = math.exp %x : tensor<6x20xf32>
    scf.yield %y : tensor<6x20xf32>
  } else {
    scf.yield %x : tensor<6x20xf32>
  }
  return %r : tensor<6x20xf32>
}
