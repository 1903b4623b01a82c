// RUN: airlite-opt %s --canonicalize | FileCheck %s

// The clean-up of dependencies and the order of transfers through one place of a channel: only
// tokens order different puts (gets), and each waits for its own run before.
air.channel @c [2] {depth = 3 : i64}
air.channel @d []
air.channel @e [] {depth = 2 : i64}

// The put has nothing to do with the memory of the first get, but it is what orders the two gets.
// CHECK-LABEL: func.func @between
func.func @between(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[G:.*]] = air.channel.get async @c
  %g = air.channel.get async @c[%c0] (%a[] [] []) : (memref<4xf32>)
  // CHECK: %[[P:.*]] = air.channel.put async [%[[G]]] @d
  %p = air.channel.put async [%g] @d[] (%b[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.get async [%[[P]]] @c
  %h = air.channel.get async [%p] @c[%c0] (%b[] [] []) : (memref<4xf32>)
  return
}

// At different places nothing needs the order.
// CHECK-LABEL: func.func @other_place
func.func @other_place(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = air.channel.get async @c[%c0] (%a[] [] []) : (memref<4xf32>)
  // CHECK: %[[P:.*]] = air.channel.put async @d
  %p = air.channel.put async [%g] @d[] (%b[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.get async [%[[P]]] @c
  %h = air.channel.get async [%p] @c[%c1] (%b[] [] []) : (memref<4xf32>)
  return
}

// From run to run a get comes after itself: the put needs not wait for the first one.
// CHECK-LABEL: func.func @own_run
func.func @own_run(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = air.wait_all async
  // CHECK: iter_args(%[[T:.*]] =
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!air.async.token) {
    // CHECK: %[[G:.*]] = air.channel.get async [%[[T]]] @c
    // CHECK: %[[H:.*]] = air.channel.get async [%[[T]]] @c
    %g = air.channel.get async [%t] @c[%c0] (%a[] [] []) : (memref<4xf32>)
    %h = air.channel.get async [%t] @c[%c1] (%b[] [] []) : (memref<4xf32>)
    // CHECK: air.channel.put async [%[[H]]] @d
    %p = air.channel.put async [%g, %h] @d[] (%b[] [] []) : (memref<4xf32>)
    scf.yield %p : !air.async.token
  }
  return
}

// A place that changes from run to run is another matter: the same place may come again.
// CHECK-LABEL: func.func @changing_place
func.func @changing_place(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = air.wait_all async
  // CHECK: iter_args(%[[T:.*]] =
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %k = arith.remui %i, %c2 : index
    // CHECK: %[[G:.*]] = air.channel.get async [%[[T]]] @c
    %g = air.channel.get async [%t] @c[%k] (%a[] [] []) : (memref<4xf32>)
    // CHECK: air.channel.put async [%[[G]]] @d
    %p = air.channel.put async [%g] @d[] (%b[] [] []) : (memref<4xf32>)
    scf.yield %p : !air.async.token
  }
  return
}

// Two puts of one place: the second is to come before the first of the next run, and only the
// get between says so.
// CHECK-LABEL: func.func @two_puts
func.func @two_puts(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = air.wait_all async
  // CHECK: iter_args(%[[T:.*]] =
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!air.async.token) {
    // CHECK: %[[P:.*]] = air.channel.put async [%[[T]]] @e
    // CHECK: %[[Q:.*]] = air.channel.put async [%[[P]]] @e
    %p = air.channel.put async [%t] @e[] (%a[] [] []) : (memref<4xf32>)
    %q = air.channel.put async [%p] @e[] (%a[] [] []) : (memref<4xf32>)
    // CHECK: air.channel.get async [%[[Q]]] @d
    %g = air.channel.get async [%q] @d[] (%b[] [] []) : (memref<4xf32>)
    scf.yield %g : !air.async.token
  }
  return
}
