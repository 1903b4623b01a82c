// RUN: airlite-opt %s --air-hoist-alloc-in-for-pattern | FileCheck %s
// RUN: airlite-opt %s --air-hoist-alloc-in-for-pattern --check-each -o /dev/null
// RUN: airlite-opt %s --air-unroll-loop-for-pipelining-pattern --air-hoist-alloc-in-for-pattern --check-each | FileCheck %s --check-prefix=UNROLL

// What waited for the allocation waits for the token that the loop carries, which begins with the
// allocation; what waited for the dealloc waits for the copy before it, and what comes after the loop
// for the dealloc too.
// CHECK-LABEL: func.func @carried
// CHECK: %[[START:.*]] = air.wait_all async
// CHECK: %[[A:.*]], %[[M:.*]] = air.execute [%[[START]]]
// CHECK-NEXT: memref.alloc() : memref<2xi32, 2>
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[A]])
// CHECK: %[[IN:.*]] = air.dma_memcpy_nd async [%[[T]]] (%[[M]]
// CHECK: %[[OUT:.*]] = air.dma_memcpy_nd async [%[[IN]]]
// CHECK: scf.yield %[[OUT]]
// CHECK: %[[F:.*]] = air.execute [%[[END]]]
// CHECK-NEXT: memref.dealloc %[[M]]
// CHECK: air.wait_all [%[[END]], %[[F]]]

// Two buffers after unrolling: the one that is used first is what the loop waits for.
// UNROLL-LABEL: func.func @carried
// UNROLL: %[[A1:.*]], %[[M1:.*]] = air.execute
// UNROLL: } {unrolled_iteration = 1 : i32}
// UNROLL: %[[A0:.*]], %[[M0:.*]] = air.execute [%[[A1]]]
// UNROLL: } {unrolled_iteration = 0 : i32}
// UNROLL: %[[END:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[A0]])
// UNROLL: air.dma_memcpy_nd async [%[[T]]] (%[[M0]]
// UNROLL: %[[OUT0:.*]] = air.dma_memcpy_nd
// UNROLL: air.dma_memcpy_nd async [%[[OUT0]]] (%[[M1]]
// UNROLL: %[[OUT1:.*]] = air.dma_memcpy_nd
// UNROLL: %[[JOIN:.*]] = air.wait_all async [%[[OUT0]], %[[OUT1]]]
// UNROLL: scf.yield %[[JOIN]]
// UNROLL: memref.dealloc %[[M0]]
// UNROLL: memref.dealloc %[[M1]]
func.func @carried(%m: memref<8xi32>, %o: memref<8xi32>) {
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
            %new = memref.alloc() {hoist_alloc = true} : memref<2xi32, 2>
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

// The allocation waits for nothing that the loop carries: its users keep waiting for it, wherever
// they are. An inner loop uses the buffer, and a branch.
// CHECK-LABEL: func.func @inner
// CHECK: %[[A:.*]], %[[M:.*]] = air.execute ->
// CHECK-NEXT: memref.alloc() : memref<1xi32, 2>
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[START:[a-z0-9]*]])
// CHECK: %[[BOTH:.*]] = air.wait_all async [%[[A]], %[[T]]]
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %[[BOTH]])
// CHECK: air.execute [%[[END]], %[[A]]]
// CHECK-NEXT: memref.dealloc
func.func @inner(%m: memref<8x4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%l) in (%n=%one) args(%a=%m) : memref<8x4xi32> {
    air.segment @s args(%b=%a) : memref<8x4xi32> {
      %u = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%u, %sy=%u) args(%e=%b) : memref<8x4xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %start = air.wait_all async
        %end = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %l1 = air.execute -> (memref<1xi32, 2>) {
            %new = memref.alloc() {hoist_alloc} : memref<1xi32, 2>
            air.execute_terminator %new : memref<1xi32, 2>
          }
          %begin = air.wait_all async [%t0, %t]
          %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%v = %begin) -> (!air.async.token) {
            %in = air.dma_memcpy_nd async [%v] (%l1[] [] [], %e[%i, %c0] [%c1, %c1] [%c4, %c1]) : (memref<1xi32, 2>, memref<8x4xi32>)
            %far = arith.cmpi ne, %j, %c0 : index
            %w = scf.if %far -> (!air.async.token) {
              %out = air.dma_memcpy_nd async [%in] (%e[%i, %j] [%c1, %c1] [%c4, %c1], %l1[] [] []) : (memref<8x4xi32>, memref<1xi32, 2>)
              scf.yield %out : !air.async.token
            } else {
              scf.yield %in : !air.async.token
            }
            %both = air.wait_all async [%in, %w]
            scf.yield %both : !air.async.token
          }
          %t3 = air.execute [%r] {
            memref.dealloc %l1 : memref<1xi32, 2>
          }
          scf.yield %r : !air.async.token
        }
        air.wait_all [%end]
      }
    }
  }
  return
}

// Nothing asynchronous: each op is over before the next one.
// CHECK-LABEL: func.func @blocking
// CHECK: %[[M:.*]] = air.execute -> (memref<4xi32>)
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: }
// CHECK: memref.dealloc
func.func @blocking(%m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %t0, %b = air.execute -> (memref<4xi32>) {
      %new = memref.alloc() {hoist_alloc = "true"} : memref<4xi32>
      air.execute_terminator %new : memref<4xi32>
    }
    air.wait_all [%t0]
    %v = arith.index_cast %i : index to i32
    memref.store %v, %b[%c0] : memref<4xi32>
    %w = memref.load %b[%c0] : memref<4xi32>
    memref.store %w, %m[%i] : memref<4xi32>
    %t1 = air.execute {
      memref.dealloc %b : memref<4xi32>
    }
    air.wait_all [%t1]
  }
  return
}
