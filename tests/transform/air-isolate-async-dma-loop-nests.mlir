// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests --check-each | FileCheck %s
// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests=scope=launch --check-each -o /dev/null
// RUN: airlite-opt %s --air-isolate-async-dma-loop-nests=scope=func --check-each -o /dev/null

// Two copies that have nothing to do with each other, at the bottom of two loops: two nests. The
// index computation is there twice. What follows waits for both.
// CHECK-LABEL: func.func @nests
// CHECK: %[[E0:.*]] = scf.for %[[I0:.*]] = {{.*}} iter_args(%[[T0:.*]] =
// CHECK: %[[F0:.*]] = scf.for {{.*}} iter_args(%[[U0:.*]] = %[[T0]])
// CHECK: affine.apply
// CHECK: air.dma_memcpy_nd async
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: scf.yield %[[F0]]
// CHECK: %[[E1:.*]] = scf.for
// CHECK: scf.for
// CHECK: affine.apply
// CHECK: air.dma_memcpy_nd async
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: %[[BOTH:.*]] = air.wait_all async [%[[E0]], %[[E1]]]
// CHECK: air.wait_all [%[[BOTH]]]
#map = affine_map<()[s0, s1] -> (s0 * 2 + s1)>
func.func @nests(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %in = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %t) -> (!air.async.token) {
          %t0, %at = air.execute [%u] -> (index) {
            %p = affine.apply #map()[%i, %j]
            air.execute_terminator %p : index
          }
          %t1 = air.dma_memcpy_nd async [%t0] (%h[%at] [%c1] [%c1], %g[%at] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32>)
          %t2 = air.dma_memcpy_nd async [%t0] (%k[%at] [%c1] [%c1], %g[%at] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32>)
          %both = air.wait_all async [%t1, %t2]
          scf.yield %both : !air.async.token
        }
        scf.yield %in : !air.async.token
      }
      air.wait_all [%end]
    }
  }
  return
}

// The second copy reads what the first has written in the iteration before: one loop.
// CHECK-LABEL: func.func @conflict
// CHECK: scf.for
// CHECK: air.dma_memcpy_nd
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: scf.for
// CHECK: return
func.func @conflict(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %next = arith.addi %i, %c1 : index
        %t1 = air.dma_memcpy_nd async [%t] (%h[%next] [%c1] [%c1], %g[%i] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32>)
        %t2 = air.dma_memcpy_nd async [%t] (%k[%i] [%c1] [%c1], %h[%i] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32>)
        %both = air.wait_all async [%t1, %t2]
        scf.yield %both : !air.async.token
      }
      air.wait_all [%end]
    }
  }
  return
}

// Places of one channel: the order of transfers through one is kept, two are independent.
// CHECK-LABEL: func.func @places
// CHECK: scf.for
// CHECK: air.channel.put {{.*}} @two[%c0
// CHECK: air.channel.put {{.*}} @two[%c0
// CHECK: scf.for
// CHECK: air.channel.put {{.*}} @two[%c1
// CHECK: air.channel.get
air.channel @two [2]
func.func @places(%a: memref<4xi32>, %b: memref<8xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  %l = air.launch async (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<8xi32>, memref<4xi32> {
    %s = air.segment @s async args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<8xi32>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %t1 = air.channel.put async [%t] @two[%c0] (%g[%i] [%c1] [%c1]) : (memref<4xi32>)
        %t2 = air.channel.put async [%t] @two[%c1] (%g[%i] [%c1] [%c1]) : (memref<4xi32>)
        %t3 = air.channel.put async [%t1] @two[%c0] (%g[%c0] [%c1] [%c1]) : (memref<4xi32>)
        %all = air.wait_all async [%t2, %t3]
        scf.yield %all : !air.async.token
      }
      %g0 = air.channel.get async @two[%c0] (%h[] [] []) : (memref<8xi32>)
      %g1 = air.channel.get async @two[%c1] (%k[] [] []) : (memref<4xi32>)
    }
  }
  air.wait_all [%l]
  return
}

// Each core runs the iterations one after the other; what the loop computed it computes itself.
// CHECK-LABEL: func.func @herd
// CHECK: %[[H:.*]] = air.herd @h async [%{{.*}}] tile (%[[X:.*]], %{{.*}}) in
// CHECK: %[[W:.*]] = air.wait_all async
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %[[W]])
// CHECK: arith.muli %[[I]]
// CHECK: %[[D:.*]] = air.dma_memcpy_nd async [%[[T]]]
// CHECK: scf.yield %[[D]]
// CHECK: air.wait_all [%[[H]]]
func.func @herd(%a: memref<8xi32>, %b: memref<8xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b) : memref<8xi32>, memref<8xi32> {
    air.segment @s args(%g=%d, %h=%e) : memref<8xi32>, memref<8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %start = air.wait_all async
      %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
        %base = arith.muli %i, %c2 : index
        %w = air.herd @h async [%t] tile (%hx, %hy) in (%sx=%c2, %sy=%c1) args(%o=%base, %p=%g, %q=%h) : index, memref<8xi32>, memref<8xi32> {
          %k1 = arith.constant 1 : index
          %k4 = arith.constant 4 : index
          %mine = arith.muli %hx, %k4 : index
          %at = arith.addi %mine, %o : index
          %v = air.dma_memcpy_nd async (%q[%at] [%k1] [%k1], %p[%at] [%k1] [%k1]) : (memref<8xi32>, memref<8xi32>)
        }
        scf.yield %w : !air.async.token
      }
      air.wait_all [%end]
    }
  }
  return
}

// The second herd waited for the first, on each core its work waits for that of the first.
// CHECK-LABEL: func.func @merged
// CHECK: air.herd @h async
// CHECK: %[[A:.*]] = air.dma_memcpy_nd async
// CHECK: air.dma_memcpy_nd async [%[[A]]]
// CHECK-NOT: air.herd
// CHECK: return
func.func @merged(%a: memref<4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
    air.segment @s args(%g=%d, %h=%e, %k=%f) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %c1 = arith.constant 1 : index
      %w0 = air.herd @h async tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%p=%g, %q=%h) : memref<4xi32>, memref<4xi32> {
        %v = air.dma_memcpy_nd async (%q[] [] [], %p[] [] []) : (memref<4xi32>, memref<4xi32>)
      }
      %w1 = air.herd @h async [%w0] tile (%hx, %hy) in (%sx=%c1, %sy=%c1) args(%p=%h, %q=%k) : memref<4xi32>, memref<4xi32> {
        %v = air.dma_memcpy_nd async (%q[] [] [], %p[] [] []) : (memref<4xi32>, memref<4xi32>)
      }
      air.wait_all [%w1]
    }
  }
  return
}

// -----

// The second transfer waits for the memory of the first to be there, and touches it not: two loops, and the
// memory stays in the first, where it can become two.
// CHECK-LABEL: func.func @room
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: air.channel.get
// CHECK: memref.dealloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: air.channel.put {{.*}} @kept
air.channel @fill [1]
air.channel @drain [1]
air.channel @kept [1]
func.func @room(%a: memref<16xi32, 1>) {
  air.segment @s args(%k=%a) : memref<16xi32, 1> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = air.wait_all async
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %t, %y = %t) -> (!air.async.token, !air.async.token) {
      %m, %b = air.execute -> (memref<16xi32, 1>) {
        %l = memref.alloc() : memref<16xi32, 1>
        air.execute_terminator %l : memref<16xi32, 1>
      }
      %g = air.channel.get async [%m, %x] @fill[] (%b[] [] []) : (memref<16xi32, 1>)
      %p = air.channel.put async [%g] @drain[] (%b[] [] []) : (memref<16xi32, 1>)
      %f = air.execute [%p] {
        memref.dealloc %b : memref<16xi32, 1>
      }
      %q = air.channel.put async [%m, %y] @kept[] (%k[] [] []) : (memref<16xi32, 1>)
      scf.yield %f, %q : !air.async.token, !air.async.token
    }
    air.wait_all [%r#0, %r#1]
  }
  return
}
