// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --mlir-print-op-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @regions
func.func @regions(%x: !async.value<f32>, %d: !async.token, %n: index) {
  // CHECK-NEXT: %token, %bodyResults = async.execute [%arg1] (%arg0 as %arg3: !async.value<f32>) -> !async.value<f32> attributes {a.b} {
  %t, %r = async.execute [%d] (%x as %y: !async.value<f32>) -> !async.value<f32> attributes {a.b} {
    // CHECK-NEXT: async.yield %arg3 : f32
    async.yield %y : f32
  }
  // CHECK: %token_0, %bodyResults_1:2 = async.execute -> (!async.value<f32>, !async.value<i32>) {
  %s:3 = async.execute -> (!async.value<f32>, !async.value<i32>) {
    %i = arith.constant 1 : i32
    // CHECK: async.await %arg0 : !async.value<f32>
    %w = async.await %x : !async.value<f32>
    async.yield %w, %i : f32, i32
  }
  // CHECK: %token_2 = async.execute {
  // CHECK-NEXT: async.yield
  %u = async.execute {
    async.yield
  }
  // CHECK: async.await %token_2 : !async.token
  async.await %u : !async.token
  // CHECK-NEXT: %0 = async.create_group %arg2 : !async.group
  %g = async.create_group %n : !async.group
  // CHECK-NEXT: %1 = async.add_to_group %token, %0 : !async.token
  %i = async.add_to_group %t, %g : !async.token
  // CHECK-NEXT: async.await_all %0
  async.await_all %g
  return
}
