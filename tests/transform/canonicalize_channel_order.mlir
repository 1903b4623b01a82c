// RUN: airlite-opt %s --canonicalize | FileCheck %s

// A join that only orders two gets of one place stays: asynchronous transfers start as soon as
// their tokens let them. The put that the second get follows is no reason to forget the first.
air.channel @c [2] {depth = 3 : i64}
air.channel @d []

// CHECK-LABEL: func.func @gets
func.func @gets(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  // CHECK: %[[G:.*]] = air.channel.get async @c
  %g = air.channel.get async @c[%n] (%a[] [] []) : (memref<4xf32>)
  // CHECK: %[[P:.*]] = air.channel.put async @d
  %p = air.channel.put async @d[] (%b[] [] []) : (memref<4xf32>)
  %join = air.wait_all async [%p, %g]
  // CHECK: air.channel.get async [%[[G]], %[[P]]] @c
  %h = air.channel.get async [%join] @c[%n] (%b[] [] []) : (memref<4xf32>)
  return
}
