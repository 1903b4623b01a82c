// Tokens through loops and conditionals, and what stays synchronous.
// RUN: airlite-opt %s --air-dependency --split-input-file --verify-diagnostics --remarks | FileCheck %s

// A loop carries a token when its runs meet; a run that touches other elements than the ones before
// waits for none of them, but the loop is done when all runs are.

// CHECK-LABEL: func.func @loops
// CHECK: %[[I0:.*]] = air.wait_all async {id = 1 : i32}
// CHECK: %[[L0:.*]] = scf.for {{.*}} iter_args(%[[T0:.*]] = %[[I0]]) -> (!air.async.token) {
// CHECK: %[[S:.*]] = air.execute {
// CHECK-NEXT: memref.store
// CHECK: %[[J:.*]] = air.wait_all async [%[[S]], %[[T0]]]
// CHECK-NEXT: scf.yield %[[J]]
// CHECK: } {loop_annotation = "kept"}
// CHECK: %[[I1:.*]] = air.wait_all async [%[[L0]]]
// CHECK: scf.for {{.*}} iter_args(%[[T1:.*]] = %[[I1]])
// CHECK: %[[LD:.*]], %[[E:.*]] = air.execute [%[[T1]]] -> (f32)
// CHECK: %[[F:.*]] = arith.addf %[[E]]
// CHECK: %[[ST:.*]] = air.execute [%[[LD]]] {
// CHECK-NEXT: memref.store %[[F]]
// CHECK: %[[J1:.*]] = air.wait_all async [%[[ST]]]
// CHECK-NEXT: scf.yield %[[J1]]
func.func @loops(%m: memref<64xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  scf.for %i = %c0 to %c63 step %c1 {
    memref.store %v, %m[%i] : memref<64xf32>
  } {loop_annotation = "kept"}
  scf.for %i = %c0 to %c63 step %c1 {
    %e = memref.load %m[%i] : memref<64xf32>
    %f = arith.addf %e, %v : f32
    %n = arith.addi %i, %c1 : index
    memref.store %f, %m[%n] : memref<64xf32>
  }
  return
}

// -----

// The token comes after the arguments that are there; the buffers of the body are not waited for.

// CHECK-LABEL: func.func @arguments
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (f32, !air.async.token)
// CHECK: %[[A:.*]], %[[B:.*]] = air.execute -> (memref<4xf32, 2>)
// CHECK: %[[D:.*]] = air.dma_memcpy_nd async [%[[T]], %[[A]]]
// CHECK: %[[L:.*]], %[[E:.*]] = air.execute [%[[D]]] -> (f32)
// CHECK: air.execute [%[[L]]] {
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK: %[[F:.*]] = arith.addf %[[ACC]], %[[E]]
// CHECK: %[[J:.*]] = air.wait_all async [%[[L]]]
// CHECK: scf.yield %[[F]], %[[J]] : f32, !air.async.token
// CHECK: air.execute [%[[R]]#1] {
// CHECK-NEXT: memref.store %[[R]]#0
func.func @arguments(%m: memref<64xf32>, %o: memref<1xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c4 iter_args(%acc = %v) -> (f32) {
    %b = memref.alloc() : memref<4xf32, 2>
    air.dma_memcpy_nd (%b[] [] [], %m[%i] [4] [1]) : (memref<4xf32, 2>, memref<64xf32>)
    %e = memref.load %b[%c0] : memref<4xf32, 2>
    memref.dealloc %b : memref<4xf32, 2>
    %f = arith.addf %acc, %e : f32
    scf.yield %f : f32
  }
  memref.store %r, %o[%c0] : memref<1xf32>
  return
}

// -----

// CHECK-LABEL: func.func @parallel
// CHECK: %[[W:.*]] = air.execute {
// CHECK: %[[I:.*]] = air.wait_all async [%[[W]]]
// CHECK: %[[P:.*]] = scf.parallel {{.*}} init (%[[I]]) -> !air.async.token {
// CHECK: %[[D:.*]] = air.dma_memcpy_nd async [%[[I]]]
// CHECK: %[[J:.*]] = air.wait_all async [%[[D]]]
// CHECK: scf.reduce(%[[J]] : !air.async.token) {
// CHECK: ^bb0(%[[X:.*]]: !air.async.token, %[[Y:.*]]: !air.async.token):
// CHECK: %[[Z:.*]] = air.wait_all async [%[[X]], %[[Y]]]
// CHECK: scf.reduce.return %[[Z]]
// CHECK: air.execute [%[[P]]] {
// CHECK-NEXT: memref.store
func.func @parallel(%m: memref<64xf32>, %o: memref<64xf32, 1>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  memref.store %v, %m[%c16] : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c16) {
    air.dma_memcpy_nd (%o[%i] [16] [1], %m[%i] [16] [1]) : (memref<64xf32, 1>, memref<64xf32>)
  }
  memref.store %v, %o[%c0] : memref<64xf32, 1>
  return
}

// -----

// The second branch does nothing that anybody waits for, and still lasts as long as what was before.

// CHECK-LABEL: func.func @branches
// CHECK: %[[I:.*]] = air.wait_all async [%[[S:.*]]]
// CHECK: %[[R:.*]]:2 = scf.if %arg1 -> (index, !air.async.token) {
// CHECK: %[[C:.*]] = air.execute [%[[I]]] {
// CHECK-NEXT: memref.copy
// CHECK: %[[J:.*]] = air.wait_all async [%[[C]]]
// CHECK: scf.yield %c0, %[[J]] : index, !air.async.token
// CHECK: } else {
// CHECK: %[[K:.*]] = air.wait_all async [%[[I]]]
// CHECK: scf.yield %c1, %[[K]] : index, !air.async.token
// CHECK: %[[M:.*]] = air.wait_all async [%[[R]]#1]
// CHECK: %[[Q:.*]] = scf.index_switch %[[R]]#0 -> !air.async.token
// CHECK: case 1 {
// CHECK: air.execute [%[[M]]] {
// CHECK: default {
// CHECK-NEXT: %[[N:.*]] = air.wait_all async [%[[M]]]
// CHECK: air.execute [%[[Q]]] {
func.func @branches(%m: memref<4xf32>, %b: i1, %o: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  %r = scf.if %b -> (index) {
    memref.copy %m, %o : memref<4xf32> to memref<4xf32>
    scf.yield %c0 : index
  } else {
    scf.yield %c1 : index
  }
  scf.index_switch %r
  case 1 {
    memref.store %v, %o[%c0] : memref<4xf32>
    scf.yield
  }
  default {
  }
  memref.store %v, %o[%c0] : memref<4xf32>
  return
}

// -----

// Ops with regions that carry no token: they are wrapped in an execute, or stay synchronous after a wait.

// CHECK-LABEL: func.func @others
// CHECK: %[[L:.*]] = air.execute {
// CHECK-NEXT: affine.for
// CHECK: air.wait_all [%[[L]]]
// CHECK-NEXT: affine.for
// CHECK-NEXT: air.dma_memcpy_nd (%arg1
// CHECK: %[[S:.*]] = air.execute [%[[L]]] {
// CHECK-NEXT: memref.store
// CHECK: air.wait_all [%[[S]]]
// CHECK-NEXT: gpu.barrier
func.func @others(%m: memref<16xf32>, %b: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 16 {
    affine.store %v, %m[%i] : memref<16xf32>
  }
  // expected-remark@+1 {{stays synchronous}}
  affine.for %i = 0 to 16 {
    air.dma_memcpy_nd (%b[%i] [1] [1], %m[%i] [1] [1]) : (memref<16xf32>, memref<16xf32>)
  }
  memref.store %v, %m[%c0] : memref<16xf32>
  // expected-remark@+1 {{stays synchronous}}
  gpu.barrier
  return
}

// -----

// Blocks end when all in them is done: tokens do not cross.

// CHECK-LABEL: func.func @blocks
// CHECK: %[[S:.*]] = air.execute {
// CHECK: air.wait_all [%[[S]]]
// CHECK-NEXT: cf.cond_br
func.func @blocks(%m: memref<16xf32>, %b: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<16xf32>
  cf.cond_br %b, ^a, ^z
^a:
  memref.store %v, %m[%c0] : memref<16xf32>
  cf.br ^z
^z:
  return
}

// -----

// What is asynchronous keeps its dependencies and gets those that are missing.

// CHECK-LABEL: func.func @mixed
// CHECK: %[[A:.*]], %[[B:.*]] = air.execute
// CHECK: %[[G:.*]] = air.channel.get async [%[[A]]] @c[]
// CHECK: %[[O:.*]] = air.wait_all async [%[[G]]]
// CHECK: %[[P:.*]] = air.channel.put async [%[[O]]] @d[]
// CHECK: %[[Q:.*]] = air.channel.put async [%[[P]]] @d[]
// CHECK: air.execute [%[[Q]]] {
// CHECK-NEXT: memref.dealloc
air.channel @c []
air.channel @d []
func.func @mixed(%m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32, 1>
  %g = air.channel.get async @c[] (%b[] [] []) : (memref<4xf32, 1>)
  %o = air.wait_all async [%g]
  %p = air.channel.put async [%o] @d[] (%b[] [] []) : (memref<4xf32, 1>)
  %q = air.channel.put async [%p] @d[] (%m[] [] []) : (memref<4xf32>)
  %e = air.execute [%q] {
    memref.dealloc %b : memref<4xf32, 1>
  }
  return
}
