// A tensor that a loop carries is not cast on its way in where every run keeps its shape.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @accumulate(
// CHECK-NEXT: %0 = scf.for %arg6 = %arg0 to %arg1 step %arg2 iter_args(%arg7 = %arg5) -> (tensor<8x8xf32>) {
// CHECK-NEXT: %1 = linalg.matmul ins(%arg3, %arg4 : tensor<8x4xf32>, tensor<4x8xf32>) outs(%arg7 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT: scf.yield %1 : tensor<8x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : tensor<8x8xf32>
func.func @accumulate(%lo: index, %hi: index, %s: index, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %x = tensor.cast %a : tensor<8x4xf32> to tensor<?x?xf32>
  %y = tensor.cast %b : tensor<4x8xf32> to tensor<?x?xf32>
  %init = tensor.cast %t : tensor<8x8xf32> to tensor<?x?xf32>
  %0 = scf.for %i = %lo to %hi step %s iter_args(%acc = %init) -> (tensor<?x?xf32>) {
    %1 = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%acc : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %1 : tensor<?x?xf32>
  }
  %2 = tensor.cast %0 : tensor<?x?xf32> to tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Through a loop inside; the tensor beside it, of unknown origin, stays as it is.
// CHECK-LABEL: func.func @nested(
// CHECK: scf.for %{{.*}} iter_args(%[[OUTER:.*]] = %arg3, %{{.*}} = %arg4) -> (tensor<16xf32>, tensor<?xf32>) {
// CHECK-NEXT: scf.for %{{.*}} iter_args(%[[INNER:.*]] = %[[OUTER]]) -> (tensor<16xf32>) {
// CHECK-NEXT: tensor.insert %arg5 into %[[INNER]][%{{.*}}] : tensor<16xf32>
func.func @nested(%lo: index, %hi: index, %s: index, %t: tensor<16xf32>, %u: tensor<?xf32>, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %init = tensor.cast %t : tensor<16xf32> to tensor<?xf32>
  %0:2 = scf.for %i = %lo to %hi step %s iter_args(%a = %init, %b = %u) -> (tensor<?xf32>, tensor<?xf32>) {
    %1 = scf.for %j = %lo to %hi step %s iter_args(%c = %a) -> (tensor<?xf32>) {
      %2 = tensor.insert %f into %c[%j] : tensor<?xf32>
      scf.yield %2 : tensor<?xf32>
    }
    %3 = tensor.insert %f into %b[%i] : tensor<?xf32>
    scf.yield %1, %3 : tensor<?xf32>, tensor<?xf32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// Each run yields a tensor of the known type.
// CHECK-LABEL: func.func @yields_known(
// CHECK: scf.for %{{.*}} iter_args(%[[ARG:.*]] = %arg3) -> (tensor<16xf32>) {
// CHECK-NEXT: %[[CAST:.*]] = tensor.cast %[[ARG]] : tensor<16xf32> to tensor<?xf32>
// CHECK-NEXT: %[[NEXT:.*]] = func.call @known(%[[CAST]])
// CHECK-NEXT: scf.yield %[[NEXT]] : tensor<16xf32>
func.func @yields_known(%lo: index, %hi: index, %s: index, %t: tensor<16xf32>) -> tensor<?xf32> {
  %init = tensor.cast %t : tensor<16xf32> to tensor<?xf32>
  %0 = scf.for %i = %lo to %hi step %s iter_args(%a = %init) -> (tensor<?xf32>) {
    %1 = func.call @known(%a) : (tensor<?xf32>) -> tensor<16xf32>
    %2 = tensor.cast %1 : tensor<16xf32> to tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
func.func private @known(tensor<?xf32>) -> tensor<16xf32>

// What the call gives may be of any size.
// CHECK-LABEL: func.func @may_grow(
// CHECK: %cast = tensor.cast %arg3 : tensor<16xf32> to tensor<?xf32>
// CHECK: iter_args(%{{.*}} = %cast) -> (tensor<?xf32>)
func.func @may_grow(%lo: index, %hi: index, %s: index, %t: tensor<16xf32>) -> tensor<?xf32> {
  %init = tensor.cast %t : tensor<16xf32> to tensor<?xf32>
  %0 = scf.for %i = %lo to %hi step %s iter_args(%a = %init) -> (tensor<?xf32>) {
    %1 = func.call @unknown(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
func.func private @unknown(tensor<?xf32>) -> tensor<?xf32>
