// A conditional's token covers what it yields and no more: the store stays in it. And nothing but
// tokens orders the transfers through one end of a channel: a put still waits for the one before. Both were found by random programs.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @branch
// CHECK: %[[R:.*]] = scf.if
// CHECK: %[[STORE:.*]] = air.execute {
// CHECK-NEXT: memref.store
// CHECK: scf.yield %[[STORE]] : !air.async.token
// CHECK: air.execute [%[[R]]]
func.func @branch(%b: i1) {
  %x = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %t, %l = air.execute -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    air.execute_terminator %a : memref<4xf32>
  }
  %r:2 = scf.if %b -> (!air.async.token, !air.async.token) {
    %s = air.execute {
      memref.store %x, %l[%c0] : memref<4xf32>
    }
    %w = air.wait_all async
    %j = air.wait_all async [%s, %w]
    %k = air.wait_all async [%j]
    scf.yield %w, %k : !air.async.token, !air.async.token
  } else {
    %w = air.wait_all async
    scf.yield %w, %w : !air.async.token, !air.async.token
  }
  %f = air.execute [%r#1] {
    memref.dealloc %l : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @order
// CHECK: %[[FIRST:.*]] = air.channel.put async @c[] (%arg0
// CHECK: air.channel.put async @d[]
// CHECK: air.channel.put async [%[[FIRST]]] @c[] (%arg1
func.func @order(%m: memref<4xf32>, %n: memref<4xf32>) {
  %a = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  %b = air.channel.put async [%a] @d[] (%n[] [] []) : (memref<4xf32>)
  %e = air.channel.put async [%b] @c[] (%n[] [] []) : (memref<4xf32>)
  return
}
air.channel @c []
air.channel @d []
