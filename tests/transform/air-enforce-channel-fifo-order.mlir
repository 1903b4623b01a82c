// RUN: airlite-opt %s --air-enforce-channel-fifo-order --split-input-file | FileCheck %s

// Each put waits for the one before of its place; gets are a row of their own; what is there
// already is not repeated; nothing has to wait for a blocking transfer.
// CHECK-LABEL: func.func @rows
air.channel @c [2]
func.func @rows(%m: memref<4xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : index
  // CHECK: %[[P0:.*]] = air.channel.put async @c[%c0]
  %p0 = air.channel.put async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[G0:.*]] = air.channel.get async @c[%c0]
  %g0 = air.channel.get async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[Q0:.*]] = air.channel.put async @c[%c1]
  %q0 = air.channel.put async @c[%c1] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]]] @c
  %p1 = air.channel.put async @c[%zero] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.get async [%[[G0]]] @c
  %g1 = air.channel.get async [%g0] @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put [%[[P1]]] @c
  air.channel.put @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put async @c[%c0]
  %p3 = air.channel.put async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// Two values may be one place; what is inside of a loop is as good as what is beside it.
// CHECK-LABEL: func.func @places
air.channel @c [2]
func.func @places(%m: memref<4xf32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = air.channel.get async @c[%{{.*}}]
  %a = air.channel.get async @c[%i] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[B:.*]] = air.channel.get async [%[[A]]] @c[%{{.*}}]
  %b = air.channel.get async @c[%i] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[C:.*]] = air.channel.get async [%[[B]]] @c[%{{.*}}]
  %c = air.channel.get async @c[%j] (%m[] [] []) : (memref<4xf32>)
  // CHECK: scf.for {{.*}} {
  scf.for %k = %c0 to %c1 step %c1 {
    // CHECK: %[[D:.*]] = air.channel.get async [%[[C]]] @c[%{{.*}}]
    %d = air.channel.get async @c[%j] (%m[] [] []) : (memref<4xf32>)
    // CHECK: air.channel.get async [%[[D]]] @c[%{{.*}}]
    %e = air.channel.get async @c[%j] (%m[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

// Iterations side by side are in no order, but what comes before and after the loop is; ranges of
// loop variables tell places apart.
// CHECK-LABEL: func.func @beside_parallel
air.channel @c [4]
func.func @beside_parallel(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // CHECK: %[[P:.*]] = air.channel.put async @c[%c1]
  %p = air.channel.put async @c[%c1] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[Q:.*]] = air.channel.put async @c[%c3]
  %q = air.channel.put async @c[%c3] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[INIT:.*]] = air.wait_all async
  %init = air.wait_all async
  // CHECK: %[[LOOP:.*]] = scf.parallel
  %loop = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%init) -> !air.async.token {
    // CHECK: air.channel.put async [%[[P]], %[[INIT]]] @c[
    %t = air.channel.put async [%init] @c[%i] (%m[] [] []) : (memref<4xf32>)
    scf.reduce(%t : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %both = air.wait_all async [%a, %b]
      scf.reduce.return %both : !air.async.token
    }
  }
  // CHECK: air.channel.put async [%[[LOOP]]] @c[%c0]
  %r = air.channel.put async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put async @c[%c2]
  %s = air.channel.put async @c[%c2] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// A loop hands a token from iteration to iteration; its result is what comes later waits for.
// Iterations side by side inside of it need none among each other.
// CHECK-LABEL: func.func @iterations
air.channel @c []
air.channel @row [4]
func.func @iterations(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[FIRST:.*]] = air.wait_all async
  // CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %[[FIRST]]) -> (!air.async.token) {
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: %[[T:.*]] = air.channel.put async [%[[BEFORE]]] @c[]
    %t = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
    // CHECK: %[[NEXT:.*]] = air.wait_all async [%[[T]], %[[BEFORE]]]
    // CHECK: scf.yield %[[NEXT]] : !air.async.token
  }
  // CHECK: air.channel.put async [%[[ALL]]] @c[]
  %v = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    // CHECK: air.channel.put async @row[
    %u = air.channel.put async @row[%i] (%m[] [] []) : (memref<4xf32>)
    scf.reduce
  }
  return
}

// -----

// Nothing to add: the loops hand on what the put waits for, through a conditional and an inner loop.
// CHECK-LABEL: func.func @ordered_already
air.channel @c []
func.func @ordered_already(%m: memref<4xf32>, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = air.wait_all async
  // CHECK: scf.for {{.*}} iter_args(%[[A:[a-z0-9]*]] = %{{[a-z0-9]*}}) -> (!air.async.token) {
  %all = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %init) -> (!air.async.token) {
    // CHECK: scf.for {{.*}} iter_args(%[[B:[a-z0-9]*]] = %[[A]]) -> (!air.async.token) {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (!air.async.token) {
      // CHECK: scf.if
      %either = scf.if %is -> (!air.async.token) {
        // CHECK: air.channel.put async [%[[B]]] @c[]
        %t = air.channel.put async [%b] @c[] (%m[] [] []) : (memref<4xf32>)
        scf.yield %t : !air.async.token
      } else {
        scf.yield %b : !air.async.token
      }
      scf.yield %either : !air.async.token
    }
    scf.yield %inner : !air.async.token
  }
  return
}

// -----

// A conditional gets a token for its transfers, and they wait inside of it.
// CHECK-LABEL: func.func @conditional
air.channel @c []
func.func @conditional(%m: memref<4xf32>, %is: i1) {
  // CHECK: %[[P:.*]] = air.channel.put async @c[]
  %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[IF:.*]] = scf.if {{.*}} -> (!air.async.token) {
  scf.if %is {
    // CHECK: %[[T:.*]] = air.channel.put async [%[[P]]] @c[]
    %t = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
    // CHECK: %[[JOIN:.*]] = air.wait_all async [%[[T]]]
    // CHECK: scf.yield %[[JOIN]]
    // CHECK: } else {
    // CHECK: %[[NONE:.*]] = air.wait_all async
    // CHECK: scf.yield %[[NONE]]
  }
  // CHECK: air.channel.put async [%[[P]], %[[IF]]] @c[]
  %q = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// A herd waits as a whole: its body sees no tokens from outside.
// CHECK-LABEL: func.func @herds
air.channel @c [2]
func.func @herds(%m: memref<4xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK: %[[P:.*]] = air.channel.put async @c[%{{.*}}]
  %p = air.channel.put async @c[%c0] (%m[] [] []) : (memref<4xf32, 2>)
  // CHECK: %[[H:.*]] = air.herd async [%[[P]]]
  %h = air.herd async tile (%x) in (%sx = %c2) args(%n = %m) : memref<4xf32, 2> {
    // CHECK: air.channel.put @c[
    air.channel.put @c[%x] (%n[] [] []) : (memref<4xf32, 2>)
  }
  // CHECK: air.herd async [%[[H]]]
  %k = air.herd async tile (%x) in (%sx = %c2) args(%n = %m) : memref<4xf32, 2> {
    air.channel.put @c[%x] (%n[] [] []) : (memref<4xf32, 2>)
  }
  return
}
