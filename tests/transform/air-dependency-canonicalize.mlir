// RUN: airlite-opt %s --air-dependency-canonicalize --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-dependency-canonicalize --split-input-file --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK

// Repeated and implied entries go; the numbers of each kind begin at 1.
// CHECK-LABEL: func.func @lists
func.func @lists(%m: memref<64xf32>) {
  // CHECK: %[[ALLOC:.*]], %[[BUF:.*]] = air.execute
  // CHECK: } {id = 1 : i32}
  %t, %buf = air.execute -> (memref<64xf32, 1>) {
    %a = memref.alloc() : memref<64xf32, 1>
    air.execute_terminator %a : memref<64xf32, 1>
  } {id = 7 : i32}
  // CHECK: %[[IN:.*]] = air.dma_memcpy_nd async [%[[ALLOC]]] {{.*}}{id = 1 : i32}
  %d = air.dma_memcpy_nd async [%t, %t] (%buf[] [] [], %m[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
  // CHECK: %[[OTHER:.*]] = air.wait_all async {id = 1 : i32}
  %w = air.wait_all async
  // CHECK: %[[OUT:.*]] = air.dma_memcpy_nd async [%[[IN]], %[[OTHER]]] {{.*}}{id = 2 : i32}
  %e = air.dma_memcpy_nd async [%t, %d, %w] (%m[] [] [], %buf[] [] []) {id = 9 : i32} : (memref<64xf32>, memref<64xf32, 1>)
  // CHECK: air.execute [%[[OUT]]] {
  %f = air.execute [%t, %e, %d] {
    memref.dealloc %buf : memref<64xf32, 1>
  }
  // CHECK: air.wait_all [%[[OUT]]] {id = 2 : i32}
  air.wait_all [%w, %e]
  return
}

// -----

// Through loops and conditionals only what holds in every run: the first loop hands on its
// argument, the second may not run and says nothing of %b, the third runs.
// CHECK-LABEL: func.func @control
// CHECK-DAG: %[[A:.*]] = air.wait_all async {id = 1 : i32}
// CHECK-DAG: %[[B:.*]] = air.wait_all async {id = 2 : i32}
func.func @control(%n: index, %yes: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = air.wait_all async
  %b = air.wait_all async
  // CHECK: %[[L0:.*]] = scf.for
  %l0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!air.async.token) {
    %u = air.wait_all async [%x]
    scf.yield %u : !air.async.token
  }
  // CHECK: %[[L1:.*]] = scf.for
  %l1 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (!air.async.token) {
    // CHECK: air.wait_all async [%{{.*}}, %[[B]]] {id = 4
    %u = air.wait_all async [%x, %b, %x]
    scf.yield %u : !air.async.token
  }
  // CHECK: %[[L2:.*]] = scf.for
  %l2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> (!air.async.token) {
    scf.yield %b : !air.async.token
  }
  // CHECK: %[[IF:.*]] = scf.if
  %if = scf.if %yes -> (!air.async.token) {
    %v = air.wait_all async [%a, %b]
    scf.yield %v : !air.async.token
  } else {
    scf.yield %a : !air.async.token
  }
  // CHECK: air.wait_all async [%[[L0]]] {id = 6
  %0 = air.wait_all async [%a, %l0]
  // CHECK: air.wait_all async [%[[B]], %[[L1]]] {id = 7
  %1 = air.wait_all async [%a, %b, %l1]
  // CHECK: air.wait_all async [%[[A]], %[[L2]]] {id = 8
  %2 = air.wait_all async [%a, %b, %l2]
  // CHECK: air.wait_all async [%[[B]], %[[IF]]] {id = 9
  %3 = air.wait_all async [%a, %b, %if]
  return
}

// -----

// A parallel loop fires after its initial token; a token that enters a body as kernel argument is the one
// outside.
// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = air.wait_all async {id = 1
  %a = air.wait_all async
  // CHECK: %[[B:.*]] = air.wait_all async [%[[A]]] {id = 2
  %b = air.wait_all async [%a]
  // CHECK: %[[P:.*]] = scf.parallel
  %p = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%b) -> !air.async.token {
    %w = air.wait_all async [%b]
    scf.reduce(%w : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %j = air.wait_all async [%x, %y]
      scf.reduce.return %j : !air.async.token
    }
  }
  // CHECK: air.launch async [%[[P]]]
  %l = air.launch async [%a, %b, %p] (%x) in (%sx = %c1) args(%ka = %a, %kb = %b)
      : !air.async.token, !air.async.token {
    // CHECK: air.wait_all async [%{{.*}}] {id = 5
    %w = air.wait_all async [%ka, %kb]
  }
  return
}

// -----

// The last herd reads what the loop around the second one writes; its list names the first only.
// The herd on the other half of the buffer stays free.
// CHECK-LABEL: func.func @retrace
func.func @retrace(%m: memref<64xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[FIRST:.*]] = air.herd @first async
  %h0 = air.herd @first async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
    %l = memref.alloc() : memref<32xf32, 2>
    air.dma_memcpy_nd (%b[0] [32] [1], %l[] [] []) : (memref<64xf32, 1>, memref<32xf32, 2>)
  }
  // CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
  %loop = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %h0) -> (!air.async.token) {
    %h1 = air.herd @second async [%t] tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
      %l = memref.alloc() : memref<32xf32, 2>
      air.dma_memcpy_nd (%b[0] [32] [1], %l[] [] []) : (memref<64xf32, 1>, memref<32xf32, 2>)
    }
    scf.yield %h1 : !air.async.token
  }
  // CHECK: air.herd @half async [%[[FIRST]]]
  %h2 = air.herd @half async [%h0] tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
    %l = memref.alloc() : memref<32xf32, 2>
    air.dma_memcpy_nd (%b[32] [32] [1], %l[] [] []) : (memref<64xf32, 1>, memref<32xf32, 2>)
  }
  // CHECK: air.herd @last async [%[[LOOP]]]
  %h3 = air.herd @last async [%h0] tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
    %l = memref.alloc() : memref<32xf32, 2>
    air.dma_memcpy_nd (%l[] [] [], %b[0] [32] [1]) : (memref<32xf32, 2>, memref<64xf32, 1>)
  }
  return
}

// -----

// Herds that send to each other may have to run together.
// CHECK-LABEL: func.func @together
// REMARK: remark: {{.*}}waits for no more than it did: it may have to run together with a hierarchy op that it shares memory and a channel with
air.channel @c [1]
func.func @together(%m: memref<64xf32, 1>) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[FIRST:.*]] = air.herd @first async
  %h0 = air.herd @first async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
    %l = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%b[] [] [], %l[] [] []) : (memref<64xf32, 1>, memref<64xf32, 2>)
  }
  // CHECK: air.herd @sends async [%[[FIRST]]]
  %h1 = air.herd @sends async [%h0] tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
    %l = memref.alloc() : memref<64xf32, 2>
    air.dma_memcpy_nd (%b[] [] [], %l[] [] []) : (memref<64xf32, 1>, memref<64xf32, 2>)
    air.channel.put @c[] (%l[] [] []) : (memref<64xf32, 2>)
  }
  // CHECK: air.herd @receives async [%[[FIRST]]]
  %h2 = air.herd @receives async [%h0] tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%b = %m) : memref<64xf32, 1> {
    %l = memref.alloc() : memref<64xf32, 2>
    air.channel.get @c[] (%l[] [] []) : (memref<64xf32, 2>)
    air.dma_memcpy_nd (%l[] [] [], %b[] [] []) : (memref<64xf32, 2>, memref<64xf32, 1>)
  }
  return
}

// -----

// Of many herds on one buffer the last 64 are looked at.
// RUN: python3 %S/Inputs/many_herds.py | airlite-opt --air-dependency-canonicalize --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: remark: {{.*}}later ops are not compared with it: more than 64 hierarchy ops of this block use the same buffer
func.func @empty() {
  return
}
