// Tokens by use of memory: what waits for what, and what does not.
// RUN: airlite-opt %s --air-dependency --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @straight
// CHECK: %[[A:.*]], %[[BUF:.*]] = air.execute -> (memref<64xf32, 2>) {
// CHECK-NEXT: %[[ALLOC:.*]] = memref.alloc()
// CHECK-NEXT: air.execute_terminator %[[ALLOC]]
// CHECK-NEXT: } {id = 1 : i32}
// CHECK: %[[IN:.*]] = air.dma_memcpy_nd async [%[[A]]] (%[[BUF]][] [] [], %{{.*}}[] [] []) {id = 1 : i32}
// Two reads of one piece: neither waits for the other.
// CHECK: %[[R0:.*]] = air.dma_memcpy_nd async [%[[IN]]] (%{{.*}}[0] [8] [1], %[[BUF]][0] [8] [1]) {id = 2 : i32}
// CHECK: %[[R1:.*]] = air.dma_memcpy_nd async [%[[IN]]] (%{{.*}}[8] [8] [1], %[[BUF]][0] [8] [1]) {id = 3 : i32}
// The store is beside what is read.
// CHECK: %[[W:.*]] = air.execute [%[[IN]]] {
// CHECK-NEXT: memref.store %{{.*}}, %[[BUF]][%c8]
// CHECK: air.execute [%[[W]], %[[R1]], %[[R0]]] {
// CHECK-NEXT: memref.dealloc %[[BUF]]
func.func @straight(%in: memref<64xf32>, %out: memref<16xf32>, %v: f32) {
  %c8 = arith.constant 8 : index
  %buf = memref.alloc() : memref<64xf32, 2>
  air.dma_memcpy_nd (%buf[] [] [], %in[] [] []) : (memref<64xf32, 2>, memref<64xf32>)
  air.dma_memcpy_nd (%out[0] [8] [1], %buf[0] [8] [1]) : (memref<16xf32>, memref<64xf32, 2>)
  air.dma_memcpy_nd (%out[8] [8] [1], %buf[0] [8] [1]) : (memref<16xf32>, memref<64xf32, 2>)
  memref.store %v, %buf[%c8] : memref<64xf32, 2>
  memref.dealloc %buf : memref<64xf32, 2>
  return
}

// -----

// Pieces with a common symbol: rows n and n+1 are apart, n and n are not; even and odd elements are
// apart whatever n is.

// CHECK-LABEL: func.func @pieces
// CHECK: %[[ROW:.*]] = air.dma_memcpy_nd async (%arg0[%arg2, 0] [1, 8] [8, 1]
// CHECK: %[[NEXT:.*]] = air.dma_memcpy_nd async (%arg0[%{{.*}}, 0] [1, 8] [8, 1]
// CHECK: %[[SAME:.*]] = air.dma_memcpy_nd async [%[[ROW]]] (%arg0[%arg2, 4] [1, 2] [8, 1]
// CHECK: %[[EVEN:.*]] = air.dma_memcpy_nd async (%arg1[%arg2, 0] [4, 1] [2, 1]
// CHECK: %[[ODD:.*]] = air.dma_memcpy_nd async (%arg1[0, 1] [16, 1] [2, 1]
// CHECK: air.dma_memcpy_nd async [%[[EVEN]], %[[ODD]]] (%arg1[%arg2] [2] [1]
func.func @pieces(%m: memref<8x8xf32>, %b: memref<64xf32>, %n: index, %s: memref<8xf32, 1>) {
  %c1 = arith.constant 1 : index
  %next = arith.addi %n, %c1 : index
  air.dma_memcpy_nd (%m[%n, 0] [1, 8] [8, 1], %s[] [] []) : (memref<8x8xf32>, memref<8xf32, 1>)
  air.dma_memcpy_nd (%m[%next, 0] [1, 8] [8, 1], %s[] [] []) : (memref<8x8xf32>, memref<8xf32, 1>)
  air.dma_memcpy_nd (%m[%n, 4] [1, 2] [8, 1], %s[0] [2] [1]) : (memref<8x8xf32>, memref<8xf32, 1>)
  air.dma_memcpy_nd (%b[%n, 0] [4, 1] [2, 1], %s[0] [4] [1]) : (memref<64xf32>, memref<8xf32, 1>)
  air.dma_memcpy_nd (%b[0, 1] [16, 1] [2, 1], %s[0] [16] [0]) : (memref<64xf32>, memref<8xf32, 1>)
  air.dma_memcpy_nd (%b[%n] [2] [1], %s[0] [2] [1]) : (memref<64xf32>, memref<8xf32, 1>)
  return
}

// -----

// Through views, kernel arguments and globals.

// CHECK-LABEL: func.func @names
// CHECK: %[[LOW:.*]] = air.execute {
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[V0:.*]] :
// CHECK: %[[HIGH:.*]] = air.execute {
// CHECK-NEXT: linalg.fill ins(%{{.*}} : f32) outs(%[[V1:.*]] :
// CHECK: %[[H:.*]] = air.herd @reads async [%[[HIGH]]]
// CHECK: %[[G:.*]] = air.execute {
// CHECK-NEXT: memref.store
// CHECK: air.execute [%[[G]]] -> (f32) {
// CHECK: air.execute [%[[H]]] {
// CHECK-NEXT: memref.store
memref.global @g : memref<4xf32>
func.func @names(%m: memref<64xf32, 2>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %low = memref.subview %m[0] [32] [1] : memref<64xf32, 2> to memref<32xf32, strided<[1]>, 2>
  %high = memref.subview %m[32] [32] [1] : memref<64xf32, 2> to memref<32xf32, strided<[1], offset: 32>, 2>
  linalg.fill ins(%v : f32) outs(%low : memref<32xf32, strided<[1]>, 2>)
  linalg.fill ins(%v : f32) outs(%high : memref<32xf32, strided<[1], offset: 32>, 2>)
  air.herd @reads tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m) : memref<64xf32, 2> {
    %c33 = arith.constant 33 : index
    %e = memref.load %a[%c33] : memref<64xf32, 2>
  }
  %g0 = memref.get_global @g : memref<4xf32>
  %g1 = memref.get_global @g : memref<4xf32>
  memref.store %v, %g0[%c0] : memref<4xf32>
  %e = memref.load %g1[%c0] : memref<4xf32>
  %tail = arith.addi %c40, %c0 : index
  %f = arith.addf %v, %v : f32
  %sub = memref.subview %high[1] [2] [1] : memref<32xf32, strided<[1], offset: 32>, 2> to memref<2xf32, strided<[1], offset: 33>, 2>
  memref.store %f, %sub[%c0] : memref<2xf32, strided<[1], offset: 33>, 2>
  return
}

// -----

// Calls touch all that they get; without buffers they stay in order among themselves.

// CHECK-LABEL: func.func @calls
// CHECK: %[[A:.*]] = air.execute {
// CHECK-NEXT: func.call @k(%arg0)
// CHECK: air.execute {
// CHECK-NEXT: func.call @k(%arg1)
// CHECK: air.execute [%[[A]]] {
// CHECK-NEXT: func.call @k(%arg0)
// CHECK: %[[T:.*]] = air.execute {
// CHECK-NEXT: func.call @tick()
// CHECK: air.execute [%[[T]]] {
// CHECK-NEXT: func.call @tick()
// A buffer from nowhere may be any: all that is before and after is ordered with it.
// CHECK: %[[P:.*]], %[[M:.*]] = air.execute [%{{.*}}] -> (memref<4xf32>) {
// CHECK-NEXT: func.call @pick()
// CHECK: %[[S:.*]] = air.execute [%[[P]], %{{.*}}, %{{.*}}] {
// CHECK-NEXT: memref.store %{{.*}}, %[[M]]
// CHECK: air.execute [%[[S]]] {
// CHECK-NEXT: func.call @k(%arg0)
func.func private @k(memref<4xf32>)
func.func private @tick()
func.func private @pick() -> memref<4xf32>
func.func @calls(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  func.call @k(%a) : (memref<4xf32>) -> ()
  func.call @k(%b) : (memref<4xf32>) -> ()
  func.call @k(%a) : (memref<4xf32>) -> ()
  func.call @tick() : () -> ()
  func.call @tick() : () -> ()
  %p = func.call @pick() : () -> memref<4xf32>
  memref.store %v, %p[%c0] : memref<4xf32>
  func.call @k(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// Nobody is to wait for data that only comes later: a herd that answers what is sent after it does
// not hold back the get; one whose last put is done only when a get has come neither: of a channel
// with two places one put may be there when the herd ends.

// CHECK-LABEL: func.func @drain
// CHECK: %[[ONE:.*]] = air.herd @one async
// CHECK: air.channel.get async [%[[ONE]]] @a[]
// CHECK: %[[TWO:.*]] = air.herd @two async
// CHECK: air.channel.get async @b[]
// CHECK: air.herd @asks async
// CHECK: %[[GOT:.*]] = air.channel.get async @question[]
// CHECK: air.channel.put async [%[[GOT]]] @answer[]
// CHECK: air.herd @beside async
// CHECK: air.channel.get async @e[]
air.channel @a [] {depth = 2 : i64}
air.channel @b [] {depth = 2 : i64}
air.channel @question []
air.channel @answer []
air.channel @e []
func.func @drain(%m: memref<4xf32>, %n: memref<4xf32>, %q: memref<4xf32>, %o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  air.herd @one tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l = memref.alloc() : memref<4xf32, 2>
    air.channel.put @a[] (%l[] [] []) : (memref<4xf32, 2>)
  }
  air.channel.get @a[] (%m[] [] []) : (memref<4xf32>)
  air.herd @two tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l = memref.alloc() : memref<4xf32, 2>
    air.channel.put @b[] (%l[] [] []) : (memref<4xf32, 2>)
    air.channel.put @b[] (%l[] [] []) : (memref<4xf32, 2>)
  }
  air.channel.get @b[] (%n[] [] []) : (memref<4xf32>)
  air.herd @asks tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l = memref.alloc() : memref<4xf32, 2>
    air.channel.put @question[] (%l[] [] []) : (memref<4xf32, 2>)
    air.channel.get @answer[] (%l[] [] []) : (memref<4xf32, 2>)
  }
  air.channel.get @question[] (%q[] [] []) : (memref<4xf32>)
  air.channel.put @answer[] (%q[] [] []) : (memref<4xf32>)
  // Nobody waits for this one, whose put ends with the get.
  %beside = air.herd @beside async tile (%x, %y) in (%sx=%c1, %sy=%c1) {
    %l = memref.alloc() : memref<4xf32, 2>
    air.channel.put @e[] (%l[] [] []) : (memref<4xf32, 2>)
  }
  air.channel.get @e[] (%o[] [] []) : (memref<4xf32>)
  return
}
