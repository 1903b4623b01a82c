// Parallel loops of puts in a loop: each place gets a loop of its own, whatever the place chooses. Those of cores stay.
//
// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests='unroll-parallels=true scope=func' | FileCheck %s
// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests='scope=func' | FileCheck %s --check-prefix=STAYS
// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests='unroll-parallels=true scope=func' --check-each

air.channel @c [2]
air.channel @d [2]

// CHECK-LABEL: func.func @places
// CHECK-NOT: scf.parallel
// CHECK: %[[FIRST:.*]] = scf.for
// CHECK-COUNT-1: air.channel.put async
// CHECK: scf.yield
// CHECK: %[[SECOND:.*]] = scf.for
// CHECK-COUNT-1: air.channel.put async
// CHECK-NOT: air.channel.put
// CHECK: air.wait_all [
// STAYS-LABEL: func.func @places
// STAYS: scf.for
// STAYS: scf.parallel
func.func @places(%m: memref<2x8xi32>, %n: memref<2x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  %end = scf.for %k = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %o = arith.muli %k, %c4 : index
    %all = scf.parallel (%x) = (%c0) to (%c2) step (%c1) init (%t) -> !air.async.token {
      %p = air.channel.put async [%t] @c[%x] (%m[%x, %o] [1, 4] [8, 1]) : (memref<2x8xi32>)
      scf.reduce(%p : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %j = air.wait_all async [%a, %b]
        scf.reduce.return %j : !air.async.token
      }
    }
    scf.yield %all : !air.async.token
  }
  scf.for %k = %c0 to %c2 step %c1 {
    %o = arith.muli %k, %c4 : index
    air.channel.get @c[%c0] (%n[%c0, %o] [1, 4] [8, 1]) : (memref<2x8xi32>)
    air.channel.get @c[%c1] (%n[%c1, %o] [1, 4] [8, 1]) : (memref<2x8xi32>)
  }
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @cores
// CHECK: air.herd
// CHECK: scf.parallel
func.func @cores(%m: memref<2x8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = air.wait_all async
  %end = scf.for %k = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %h = air.herd @h async [%t] tile (%x, %y) in (%sx = %c1, %sy = %c1) {
      %d0 = arith.constant 0 : index
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      %b = memref.alloc() : memref<8xi32, 2>
      scf.parallel (%i) = (%d0) to (%d2) step (%d1) {
        air.channel.get @d[%i] (%b[] [] []) : (memref<8xi32, 2>)
        scf.reduce
      }
    }
    scf.yield %h : !air.async.token
  }
  %p = scf.parallel (%x) = (%c0) to (%c2) step (%c1) init (%start) -> !air.async.token {
    %u = air.channel.put async [%start] @d[%x] (%m[%x, 0] [1, 8] [8, 1]) : (memref<2x8xi32>)
    %v = air.channel.put async [%u] @d[%x] (%m[%x, 0] [1, 8] [8, 1]) : (memref<2x8xi32>)
    scf.reduce(%v : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %j = air.wait_all async [%a, %b]
      scf.reduce.return %j : !air.async.token
    }
  }
  air.wait_all [%end, %p]
  return
}
