// RUN: airlite-opt %s --air-specialize-dma-broadcast --split-input-file | FileCheck %s

#row = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 - s0 == 0, s0 >= 0, -s0 + 2 >= 0)>
// CHECK-DAG: [[ROW0:#set[0-9]*]] = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 == 0)>
// CHECK-DAG: [[ROW1:#set[0-9]*]] = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 - 1 == 0)>
// CHECK-DAG: [[ROW2:#set[0-9]*]] = affine_set<()[s0, s1] : (s0 >= 0, -s0 + 1 >= 0, s1 - 2 == 0)>
// The offset is a constant in each branch, and what made it is not waited for; %x stays.
// CHECK-LABEL: func.func @rows
// CHECK: %[[T:.*]], %[[OFF:.*]] = air.execute
// CHECK: %[[W:.*]] = air.wait_all async
// CHECK: %[[R:.*]] = affine.if [[ROW0]]()[%[[X:.*]], %[[Y:.*]]] -> !air.async.token {
// CHECK:   %[[C:.*]] = arith.constant 3 : index
// CHECK:   %[[D:.*]] = air.dma_memcpy_nd async [%[[W]]] (%{{.*}}[] [] [], %{{.*}}[%[[C]], %[[X]]] [1, 8] [64, 1]) {broadcast_set = [[ROW0]], id = 1 : i32}
// CHECK:   affine.yield %[[D]]
// CHECK: } else {
// CHECK:   affine.if [[ROW1]]()
// CHECK:     arith.constant 19 : index
// CHECK:     broadcast_set = [[ROW1]], id = 2 : i32
// CHECK:   } else {
// CHECK:     arith.constant 35 : index
// CHECK:     broadcast_set = [[ROW2]], id = 3 : i32
// CHECK: air.wait_all [%[[R]]]
func.func @rows(%m: memref<64x64xi32, 1>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c3) args(%n=%m) : memref<64x64xi32, 1> {
    %c16 = arith.constant 16 : index
    %three = arith.constant 3 : index
    %l = memref.alloc() : memref<8xi32, 2>
    %t, %off = air.execute -> (index) {
      %0 = arith.muli %y, %c16 : index
      %1 = arith.addi %0, %three : index
      air.execute_terminator %1 : index
    }
    %w = air.wait_all async
    %d = air.dma_memcpy_nd async [%t, %w] (%l[] [] [], %n[%off, %x] [1, 8] [64, 1]) {broadcast_pattern = #row, id = 9 : i32} : (memref<8xi32, 2>, memref<64x64xi32, 1>)
    air.wait_all [%d]
  }
  return
}

// -----

// A set that only its points tell: floordiv pairs cores. The token stays while its execute is used.
#pairs = affine_set<(d0, d1)[s0] : (d0 floordiv 2 - s0 == 0, s0 >= 0, -s0 + 1 >= 0)>
#half = affine_map<(d0) -> (d0 floordiv 2)>
// CHECK-LABEL: func.func @pairs
// CHECK: %[[T:.*]], %{{.*}}:2 = air.execute
// CHECK: affine.if
// CHECK:   %[[C0:.*]] = arith.constant 0 : index
// CHECK:   air.dma_memcpy_nd async [%[[T]]] (%{{.*}}[] [] [], %{{.*}}[%[[C0]], %{{.*}}#1]
// CHECK: } else {
// CHECK:   %[[C1:.*]] = arith.constant 1 : index
// CHECK:   air.dma_memcpy_nd async [%[[T]]] (%{{.*}}[] [] [], %{{.*}}[%[[C1]], %{{.*}}#1]
func.func @pairs(%m: memref<64x64xi32, 1>) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%n=%m) : memref<64x64xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    %t, %off:2 = air.execute -> (index, index) {
      %0 = affine.apply #half(%x)
      air.execute_terminator %0, %x : index, index
    }
    %d = air.dma_memcpy_nd async [%t] (%l[] [] [], %n[%off#0, %off#1] [1, 8] [64, 1]) {broadcast_pattern = #pairs} : (memref<8xi32, 2>, memref<64x64xi32, 1>)
  }
  return
}

// -----

// One group, synchronous: the rest does nothing. With a token it waits.
#one = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 1 >= 0, s0 >= 0, -s0 >= 0)>
// CHECK-LABEL: func.func @one
// CHECK: affine.if
// CHECK-NEXT: air.dma_memcpy_nd (
// CHECK-NOT: else
// CHECK: %[[W:.*]] = air.wait_all async
// CHECK: affine.if
// CHECK: } else {
// CHECK-NEXT: %[[E:.*]] = air.wait_all async [%[[W]]]
// CHECK-NEXT: affine.yield %[[E]]
func.func @one(%m: memref<8xi32, 1>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%n=%m) : memref<8xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %n[] [] []) {broadcast_pattern = #one} : (memref<8xi32, 2>, memref<8xi32, 1>)
    %w = air.wait_all async
    %d = air.dma_memcpy_nd async [%w] (%l[] [] [], %n[] [] []) {broadcast_pattern = #one} : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}

// -----

// CHECK: air.channel @plain [2, 1]
// CHECK: air.channel @c_0_0 [1, 1, 1] {broadcast_shape = [1, 4, 1]}
// CHECK: air.channel @c_0_1 [1, 1, 1] {broadcast_shape = [1, 4, 1]}
// CHECK: air.channel @c_1_0 [1, 1, 1] {broadcast_shape = [1, 4, 1]}
// CHECK: air.channel @c_1_1 [1, 1, 1] {broadcast_shape = [1, 4, 1]}
// CHECK-NOT: air.channel @c
// CHECK-LABEL: func.func @bundle
// CHECK: air.channel.put @c_1_0[%c0{{.*}}, %c0, %c0{{.*}}]
// CHECK: arith.cmpi eq, %arg1, %c0
// CHECK: scf.if
// CHECK:   air.channel.put @c_0_1
// CHECK: } else {
// CHECK:   air.channel.put @c_1_1
// CHECK: air.herd
// CHECK: scf.if %{{.*}} -> (!air.async.token) {
// CHECK:   affine.if #{{.*}}()[%[[X:.*]], %[[Y:.*]]] -> !air.async.token {
// CHECK:     air.channel.get async @c_0_0[%{{.*}}, %[[X]], %{{.*}}]
// CHECK:   } else {
// CHECK:     air.channel.get async @c_0_1
// CHECK: } else {
// CHECK:   air.channel.get async @c_1_0
// CHECK:   air.channel.get async @c_1_1
air.channel @plain [2, 1] {broadcast_shape = [2, 1]}
air.channel @c [2, 1, 2] {broadcast_shape = [2, 4, 2]}
func.func @bundle(%m: memref<8xi32, 1>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  air.channel.put @c[%c1, %c0, %c0] (%m[] [] []) : (memref<8xi32, 1>)
  air.channel.put @c[%i, %c0, %c1] (%m[] [] []) : (memref<8xi32, 1>)
  air.herd tile (%x, %y) in (%sx=%c4, %sy=%c2) args(%j=%i) : index {
    %l = memref.alloc() : memref<8xi32, 2>
    %g = air.channel.get async @c[%j, %x, %y] (%l[] [] []) : (memref<8xi32, 2>)
    air.wait_all [%g]
  }
  return
}
