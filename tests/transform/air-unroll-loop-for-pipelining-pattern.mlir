// RUN: airlite-opt %s --air-unroll-loop-for-pipelining-pattern --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-unroll-loop-for-pipelining-pattern --check-each -o /dev/null

// Each copy has a buffer of its own and waits for the copy before.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[STEP:.*]] = arith.constant 4 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %[[STEP]] iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[A0:.*]], %[[M0:.*]] = air.execute [%[[T]]]
// CHECK: } {unrolled_iteration = 0 : i32}
// CHECK: %[[D0:.*]] = air.dma_memcpy_nd async [%[[A0]]] (%[[M0]][] [] [], %{{.*}}[%[[I]]] {{.*}}unrolled_iteration = 0 : i32
// CHECK: %[[F0:.*]] = air.execute
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[J:.*]] = arith.addi %[[I]], %[[C2]] : index
// CHECK: %[[A1:.*]], %[[M1:.*]] = air.execute [%[[F0]]]
// CHECK: } {unrolled_iteration = 1 : i32}
// CHECK: %[[D1:.*]] = air.dma_memcpy_nd async [%[[A1]]] (%[[M1]][] [] [], %{{.*}}[%[[J]]] {{.*}}unrolled_iteration = 1 : i32
// CHECK: %[[F1:.*]] = air.execute
// CHECK: %[[JOIN:.*]] = air.wait_all async [%[[F0]], %[[F1]]]
// CHECK: scf.yield %[[JOIN]]
// CHECK-NOT: unroll =
func.func @tokens(%m: memref<8xi32>, %o: memref<8xi32>) {
  %one = arith.constant 1 : index
  air.launch (%l) in (%n=%one) args(%a=%m, %b=%o) : memref<8xi32>, memref<8xi32> {
    air.segment @s args(%c=%a, %d=%b) : memref<8xi32>, memref<8xi32> {
      %u = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%u, %sy=%u) args(%e=%c, %f=%d) : memref<8xi32>, memref<8xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c8 = arith.constant 8 : index
        %start = air.wait_all async
        %end = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %l1 = air.execute [%t] -> (memref<2xi32, 2>) {
            %new = memref.alloc() : memref<2xi32, 2>
            air.execute_terminator %new : memref<2xi32, 2>
          }
          %t1 = air.dma_memcpy_nd async [%t0] (%l1[] [] [], %e[%i] [%c2] [%c1]) : (memref<2xi32, 2>, memref<8xi32>)
          %t2 = air.dma_memcpy_nd async [%t1] (%f[%i] [%c2] [%c1], %l1[] [] []) : (memref<8xi32>, memref<2xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %l1 : memref<2xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        } {unroll = 2 : i32}
        air.wait_all [%end]
      }
    }
  }
  return
}

// Values other than tokens are carried; a loop in the loop; a type other than index.
// CHECK-LABEL: func.func @values
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i32)  : i32 {
// CHECK: %[[S0:.*]] = arith.addi %[[S]], %{{.*}} : i32
// CHECK-COUNT-2: memref.store
// CHECK: %[[S1:.*]] = arith.addi %[[S0]], %{{.*}} : i32
// CHECK-COUNT-2: memref.store
// CHECK: %[[S2:.*]] = arith.addi %[[S1]], %{{.*}} : i32
// CHECK-COUNT-2: memref.store
// CHECK: scf.yield %[[S2]] : i32
func.func @values(%m: memref<6x2xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %z to %six step %one iter_args(%s = %z) -> (i32) : i32 {
    %next = arith.addi %s, %i : i32
    %at = arith.index_cast %i : i32 to index
    scf.for %j = %c0 to %c2 step %c1 {
      memref.store %next, %m[%at, %j] : memref<6x2xi32>
    } {unroll = 2 : i32}
    scf.yield %next : i32
  } {unroll = 3 : i32}
  return %r : i32
}

// The iterations do not wait for one another: no more does the end of the loop.
// CHECK-LABEL: func.func @free
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %[[START:[a-z0-9]*]])
// CHECK: air.wait_all async [%[[START]]] {unrolled_iteration = 0 : i32}
// CHECK: %[[LAST:.*]] = air.wait_all async [%[[START]]] {unrolled_iteration = 1 : i32}
// CHECK-NEXT: scf.yield %[[LAST]]
func.func @free() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %own = air.wait_all async [%start]
    scf.yield %own : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @declined
// CHECK-NOT: unrolled_iteration
// CHECK: return
func.func @declined(%n: index, %m: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %low = arith.constant -60 : i8
  %b120 = arith.constant 120 : i8
  %far = arith.constant 4194304 : index
  // expected-remark@+1 {{its trip count is not constant}}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<8xi32>
  } {unroll = 2 : i32}
  // expected-remark@+1 {{its trip count is not a multiple of the unroll factor}}
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %v, %m[%i] : memref<8xi32>
  } {unroll = 2 : i32}
  // expected-remark@+1 {{its unroll factor is not a positive integer}}
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %v, %m[%i] : memref<8xi32>
  } {unroll = 0 : i32}
  // expected-remark@+1 {{its unroll factor is not a positive integer}}
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %v, %m[%i] : memref<8xi32>
  } {unroll = "full"}
  // expected-remark@+1 {{its copies would be too many operations}}
  scf.for %i = %c0 to %far step %c1 {
  } {unroll = 4194304 : i32}
  // The step would be 120 * 2.
  // expected-remark@+1 {{the step of the unrolled loop leaves its type}}
  scf.for %i = %low to %b120 step %b120 : i8 {
  } {unroll = 2 : i32}
  return
}

// Puts and gets: by tokens in order from run to run, or only since each is one op.
air.channel @c []
// CHECK-LABEL: func.func @transfers
// CHECK: scf.for
// CHECK-COUNT-2: air.channel.put
// CHECK: scf.for
// CHECK-COUNT-1: air.channel.get
// CHECK: return
func.func @transfers(%m: memref<8xi32>, %o: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %start = air.wait_all async
  %sent = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %put = air.channel.put async [%t] @c[] (%m[%i] [%c1] [%c1]) : (memref<8xi32>)
    scf.yield %put : !air.async.token
  } {unroll = 2 : i32}
  // expected-remark@+1 {{no token orders the runs of a put or get in its body}}
  %taken = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %get = air.channel.get async [%t] @c[] (%o[%i] [%c1] [%c1]) : (memref<8xi32>)
    scf.yield %t : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%sent, %taken]
  return
}
