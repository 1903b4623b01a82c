// RUN: airlite-opt %s --air-hoist-ops-not-using-ping-pong --check-each | FileCheck %s
// RUN: airlite-opt %s --air-hoist-ops-not-using-ping-pong -o /dev/null --verify-diagnostics --remarks

// The herd waits for the allocation, which stays: in its own loop for what the allocation waits for.
// The loop yields nothing of it, so nothing after the loop waits for it. Attributes are kept, marks are not.
// CHECK-LABEL: func.func @herd
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %[[START:.*]]) -> (!air.async.token) {
// CHECK: air.herd @h async [%[[T]]] {{.*}} args(%{{.*}}=%[[I]], %{{.*}}=%{{.*}})
// CHECK: %[[A:.*]] = air.wait_all async [%[[T]]]
// CHECK-NEXT: scf.yield %[[A]]
// CHECK-NEXT: } {air.disable_ping_pong}
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[U:.*]] = %[[START]])
// CHECK-NOT: air.herd
// CHECK: memref.alloc() {hoist_alloc = true}
// CHECK: } {air.disable_ping_pong, isolated = true, unroll = 2 : i32}
// CHECK: air.wait_all [%[[END]]]
func.func @herd(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
          %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
          air.execute_terminator %new : memref<4xi32, 1>
        }
        %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %g[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
        %w = air.herd @h async [%t0] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%j=%i, %o=%k) : index, memref<4xi32> {
          %l = arith.index_cast %j : index to i32
          memref.store %l, %o[%j] : memref<4xi32>
        }
        %t2 = air.dma_memcpy_nd async [%t1] (%h[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
        %t3 = air.execute [%t2] {
          memref.dealloc %m : memref<4xi32, 1>
        }
        scf.yield %t3 : !air.async.token
      } {air.disable_ping_pong, unroll = 2 : i32}
      air.wait_all [%end]
    }
  }
  return
}

// The loop waits for the herd, and so does who waits for the loop. An op that waited for the herd
// waits for what the herd waited for.
// CHECK-LABEL: func.func @joined
// CHECK: %[[HERDS:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] =
// CHECK: %[[H:.*]] = air.herd @h async [%[[T]]]
// CHECK: %[[Y:.*]] = air.wait_all async [%[[H]]
// CHECK: %[[END:.*]] = scf.for {{.*}} iter_args(%[[U:.*]] =
// CHECK: air.execute [%[[U]]]
// CHECK: air.dma_memcpy_nd async [%{{.*}}, %[[U]]]
// CHECK: %[[BOTH:.*]] = air.wait_all async [%[[HERDS]], %[[END]]]
// CHECK: air.wait_all [%[[BOTH]]]
func.func @joined(%a: memref<4xi32>, %b: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b) : memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e) : memref<4xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
          %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
          air.execute_terminator %new : memref<4xi32, 1>
        }
        %w = air.herd @h async [%t] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%j=%i, %o=%h) : index, memref<4xi32> {
          %l = arith.index_cast %j : index to i32
          memref.store %l, %o[%j] : memref<4xi32>
        }
        %t1 = air.dma_memcpy_nd async [%t0, %w] (%m[] [] [], %g[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
        %t3 = air.execute [%t1] {
          memref.dealloc %m : memref<4xi32, 1>
        }
        %y = air.wait_all async [%w, %t3]
        scf.yield %y : !air.async.token
      } {unroll = 2 : i32}
      air.wait_all [%end]
    }
  }
  return
}

// The herd writes what the loop reads.
// CHECK-LABEL: func.func @conflict
// CHECK: scf.for
// CHECK: air.herd
// CHECK: isolated = true
func.func @conflict(%a: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a) : memref<4xi32> {
    air.segment @s args(%g=%d) : memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
          %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
          air.execute_terminator %new : memref<4xi32, 1>
        }
        // expected-remark@+1 {{it conflicts with an op that stays in the loop}}
        %w = air.herd @h async [%t] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%j=%i, %o=%g) : index, memref<4xi32> {
          %l = arith.index_cast %j : index to i32
          memref.store %l, %o[%j] : memref<4xi32>
        }
        %t1 = air.dma_memcpy_nd async [%t0, %w] (%m[] [] [], %g[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
        %t3 = air.execute [%t1] {
          memref.dealloc %m : memref<4xi32, 1>
        }
        %y = air.wait_all async [%w, %t3]
        scf.yield %y : !air.async.token
      } {unroll = 2 : i32}
      air.wait_all [%end]
    }
  }
  return
}
