// RUN: airlite-opt %s --air-fuse-channels | FileCheck %s
// RUN: airlite-opt %s --air-fuse-channels=aggressive-mode=false,L7 | FileCheck %s
// RUN: airlite-opt %s --air-fuse-channels=aggressive-mode=L1 | FileCheck %s --check-prefix=L1
// RUN: airlite-opt %s --check-each --air-fuse-channels --emit=none
// RUN: airlite-opt %s --check-each --air-fuse-channels=aggressive-mode=L1,L2,L3 --emit=none
// RUN: airlite-opt %s --air-fuse-channels=aggressive-mode=L1,L2,L3 -o %t.mlir
// RUN: airlite-opt %t.mlir --air-verify-program --emit=none

// CHECK: module {
// CHECK-NEXT: air.channel @head []
// CHECK-NEXT: air.channel @one [2]
// CHECK-NEXT: air.channel @two [2]
// CHECK-NEXT: air.channel @left []
// CHECK-NEXT: air.channel @right []
// CHECK-NOT: air.channel @
// L1: module {
// L1-NEXT: air.channel @head []
// L1-NEXT: air.channel @one [2]
// L1-NEXT: air.channel @left []
// L1-NOT: air.channel @
air.channel @head []
air.channel @body []
air.channel @tail []
air.channel @one [2]
air.channel @two [2]
air.channel @left []
air.channel @right []

// A first and a last transfer around a loop, on both ends: one channel. The loop of puts has no
// order with what is around it and gets it.
// CHECK-LABEL: func.func @peeled
// CHECK: %[[P:.*]] = air.channel.put async @head[] (%arg0[0]
// CHECK: %[[L:.*]] = scf.for
// CHECK: air.channel.put async [%{{.*}}, %[[P]]] @head[]
// CHECK: air.channel.put async [%{{.*}}, %[[L]]] @head[] (%arg0[3]
// CHECK: air.herd
// CHECK: air.channel.get @head[]
// CHECK: scf.for
// CHECK: air.channel.get @head[]
// CHECK: air.channel.get @head[]
func.func @peeled(%m: memref<4xi32>, %n: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %p = air.channel.put async @head[] (%m[0] [1] [1]) : (memref<4xi32>)
  %w = air.wait_all async
  %l = scf.for %i = %c1 to %c3 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    %q = air.channel.put async [%t] @body[] (%m[%i] [1] [1]) : (memref<4xi32>)
    scf.yield %q : !air.async.token
  }
  %r = air.channel.put async @tail[] (%m[3] [1] [1]) : (memref<4xi32>)
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%o=%n) : memref<4xi32> {
    %c1_0 = arith.constant 1 : index
    %c3_0 = arith.constant 3 : index
    %l1 = memref.alloc() : memref<1xi32, 2>
    air.channel.get @head[] (%l1[] [] []) : (memref<1xi32, 2>)
    air.dma_memcpy_nd (%o[0] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
    scf.for %i = %c1_0 to %c3_0 step %c1_0 {
      air.channel.get @body[] (%l1[] [] []) : (memref<1xi32, 2>)
      air.dma_memcpy_nd (%o[%i] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
    }
    air.channel.get @tail[] (%l1[] [] []) : (memref<1xi32, 2>)
    air.dma_memcpy_nd (%o[3] [1] [1], %l1[] [] []) : (memref<4xi32>, memref<1xi32, 2>)
    memref.dealloc %l1 : memref<1xi32, 2>
  }
  return
}

// Different data in turns, into different buffers: in aggressive mode of that level only.
// CHECK-LABEL: func.func @turns
// CHECK: air.channel.put async [{{.*}}] @one[%
// CHECK: air.channel.put async [{{.*}}] @two[%
// L1-LABEL: func.func @turns
// L1: scf.for {{.*}} iter_args(%[[T:.*]] = %
// L1: %[[P:.*]] = air.channel.put async [%[[T]]] @one[%
// L1: air.channel.put async [%[[P]]] @one[%
// L1: air.herd
// L1: scf.for
// L1: air.channel.get @one[%
// L1: air.channel.get @one[%
func.func @turns(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %w = air.wait_all async
  %s = scf.parallel (%x) = (%c0) to (%c2) step (%c1) init (%w) -> !air.async.token {
    %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %w) -> (!air.async.token) {
      %p = air.channel.put async [%t] @one[%x] (%m[%i] [1] [1]) : (memref<8xi32>)
      %q = air.channel.put async [%p] @two[%x] (%n[%i] [1] [1]) : (memref<8xi32>)
      scf.yield %q : !air.async.token
    }
    scf.reduce(%l : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %j = air.wait_all async [%a, %b]
      scf.reduce.return %j : !air.async.token
    }
  }
  air.herd @h2 tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%o=%n) : memref<8xi32> {
    %c0_0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4_0 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<1xi32, 2>
    %k1 = memref.alloc() : memref<1xi32, 2>
    scf.for %i = %c0_0 to %c4_0 step %c1_0 {
      air.channel.get @one[%x] (%l1[] [] []) : (memref<1xi32, 2>)
      air.channel.get @two[%x] (%k1[] [] []) : (memref<1xi32, 2>)
    }
    memref.dealloc %l1 : memref<1xi32, 2>
    memref.dealloc %k1 : memref<1xi32, 2>
  }
  return
}

// Herds of one name are one place; one comes after the other.
// CHECK-LABEL: func.func @herds
// L1-LABEL: func.func @herds
// L1: air.herd @same async
// L1: air.channel.put @left
// L1: air.herd @same async
// L1: air.channel.put @left
// L1: air.channel.get @left
// L1: air.channel.get @left
func.func @herds(%m: memref<1xi32>, %n: memref<1xi32>) {
  %c1 = arith.constant 1 : index
  %h = air.herd @same async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<1xi32> {
    %l1 = memref.alloc() : memref<1xi32, 2>
    air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<1xi32, 2>, memref<1xi32>)
    air.channel.put @left[] (%l1[] [] []) : (memref<1xi32, 2>)
  }
  %i = air.herd @same async [%h] tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<1xi32> {
    %l1 = memref.alloc() : memref<1xi32, 2>
    air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<1xi32, 2>, memref<1xi32>)
    air.channel.put @right[] (%l1[] [] []) : (memref<1xi32, 2>)
  }
  air.channel.get @left[] (%n[] [] []) : (memref<1xi32>)
  air.channel.get @right[] (%n[] [] []) : (memref<1xi32>)
  air.wait_all [%i]
  return
}
