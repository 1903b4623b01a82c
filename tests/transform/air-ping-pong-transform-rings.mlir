// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --air-ping-pong-transform --check-each | FileCheck %s
// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --air-ping-pong-transform -o /dev/null --verify-diagnostics --remarks

// The second loop continues with the buffers of the first, and frees them.
// CHECK-LABEL: func.func @shared
// CHECK-COUNT-2: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: %[[FIRST:.*]]:4 = scf.for
// CHECK-NOT: memref.dealloc
// CHECK: %[[SECOND:.*]]:4 = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1, %{{.*}} = %[[FIRST]]#2, %{{.*}} = %[[FIRST]]#3)
// CHECK: air.execute [%[[SECOND]]#1
// CHECK: memref.dealloc
// CHECK: memref.dealloc
// CHECK-NOT: memref.dealloc
air.channel @c0 [1] {air.shared_resident_ring}
func.func @shared(%a: memref<8x4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  %l = air.launch async (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<8x4xi32>, memref<4xi32>, memref<4xi32> {
    %pc0 = air.channel.put async @c0[] (%d[] [] []) : (memref<8x4xi32>)
    %s = air.segment @s async args(%g=%e, %h=%f) : memref<4xi32>, memref<4xi32> {
      %u = arith.constant 1 : index
      %k = air.herd @h async tile (%hx, %hy) in (%sx=%u, %sy=%u) args(%o=%g, %q=%h) : memref<4xi32>, memref<4xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %start = air.wait_all async
        %end0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c0[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%o[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
        %end1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %end0) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c0[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%q[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
      }
    }
  }
  air.wait_all [%l]
  return
}

// CHECK-LABEL: func.func @other_channels
// CHECK-COUNT-4: memref.alloc
air.channel @c1 [1] {air.shared_resident_ring}
air.channel @c2 [1] {air.shared_resident_ring}
func.func @other_channels(%a: memref<4x4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  %l = air.launch async (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<4x4xi32>, memref<4xi32>, memref<4xi32> {
    %pc1 = air.channel.put async @c1[] (%d[] [] []) : (memref<4x4xi32>)
    %pc2 = air.channel.put async @c2[] (%d[] [] []) : (memref<4x4xi32>)
    %s = air.segment @s async args(%g=%e, %h=%f) : memref<4xi32>, memref<4xi32> {
      %u = arith.constant 1 : index
      %k = air.herd @h async tile (%hx, %hy) in (%sx=%u, %sy=%u) args(%o=%g, %q=%h) : memref<4xi32>, memref<4xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %start = air.wait_all async
        %end0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c1[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%o[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
        %end1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %end0) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c2[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%q[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
      }
    }
  }
  air.wait_all [%l]
  return
}

// CHECK-LABEL: func.func @other_types
// CHECK-COUNT-4: memref.alloc
air.channel @c3 [1] {air.shared_resident_ring}
func.func @other_types(%a: memref<8x4xi32>, %b: memref<4xi32>, %c: memref<4xi32>) {
  %one = arith.constant 1 : index
  %l = air.launch async (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c) : memref<8x4xi32>, memref<4xi32>, memref<4xi32> {
    %pc3 = air.channel.put async @c3[] (%d[] [] []) : (memref<8x4xi32>)
    %s = air.segment @s async args(%g=%e, %h=%f) : memref<4xi32>, memref<4xi32> {
      %u = arith.constant 1 : index
      %k = air.herd @h async tile (%hx, %hy) in (%sx=%u, %sy=%u) args(%o=%g, %q=%h) : memref<4xi32>, memref<4xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %start = air.wait_all async
        %end0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c3[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%o[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
        // expected-remark@+1 {{its buffers are others}}
        %end1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %end0) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<2x2xi32, 2>) {
            %new = memref.alloc() : memref<2x2xi32, 2>
            air.execute_terminator %new : memref<2x2xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c3[] (%m[] [] []) : (memref<2x2xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%q[%i] [%c1] [%c1], %m[%c0, %c0] [%c1, %c1] [%c1, %c1]) : (memref<4xi32>, memref<2x2xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<2x2xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
      }
    }
  }
  air.wait_all [%l]
  return
}

// CHECK-LABEL: func.func @more_waits
// CHECK-COUNT-4: memref.alloc
air.channel @c4 [1] {air.shared_resident_ring}
func.func @more_waits(%a: memref<8x4xi32>, %b: memref<4xi32>, %c: memref<4xi32>, %cc: memref<4xi32>) {
  %one = arith.constant 1 : index
  %l = air.launch async (%x) in (%n=%one) args(%d=%a, %e=%b, %f=%c, %ff=%cc) : memref<8x4xi32>, memref<4xi32>, memref<4xi32>, memref<4xi32> {
    %pc4 = air.channel.put async @c4[] (%d[] [] []) : (memref<8x4xi32>)
    %s = air.segment @s async args(%g=%e, %h=%f, %hh=%ff) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
      %u = arith.constant 1 : index
      %k = air.herd @h async tile (%hx, %hy) in (%sx=%u, %sy=%u) args(%o=%g, %q=%h, %r=%hh) : memref<4xi32>, memref<4xi32>, memref<4xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %start = air.wait_all async
        %end0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c4[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%r[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
        %more = air.dma_memcpy_nd async [%start] (%q[] [] [], %o[] [] []) : (memref<4xi32>, memref<4xi32>)
        %both = air.wait_all async [%end0, %more]
        // expected-remark@+1 {{it waits for more than the loop before it}}
        %end1 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %both) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @c4[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.dma_memcpy_nd async [%t1] (%q[%i] [%c1] [%c1], %m[%c0] [%c1] [%c1]) : (memref<4xi32>, memref<4xi32, 2>)
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
      }
    }
  }
  air.wait_all [%l]
  return
}
