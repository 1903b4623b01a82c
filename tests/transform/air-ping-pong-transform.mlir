// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --air-ping-pong-transform --check-each | FileCheck %s
// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --air-hoist-ops-not-using-ping-pong --air-unroll-loop-for-pipelining-pattern --air-hoist-alloc-in-for-pattern --air-construct-ping-pong-dependency-pattern --check-each | FileCheck %s
// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --air-ping-pong-transform=keep-memref-dealloc=true --check-each | FileCheck %s --check-prefix=KEEP
// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --air-ping-pong-transform=omit-memory-space=L1 --check-each | FileCheck %s --check-prefix=OMIT

// Four tokens: the consumers of the first and of the second buffer are done, the last consumers, the
// last producers. The second buffer is filled while the first is used, and the other way round.
// CHECK-LABEL: func.func @copies
// CHECK: memref.alloc() : memref<4xi32, 2>
// CHECK: memref.alloc() : memref<4xi32, 2>
// CHECK: %[[END:.*]]:4 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[PING:.*]] = %{{.*}}, %[[PONG:.*]] = %{{.*}}, %[[USED:.*]] = %{{.*}}, %[[FILLED:.*]] = %{{.*}})
// CHECK: %[[G0:.*]] = air.channel.get async [%[[FILLED]], %[[PING]]] @in[] (%[[B0:[a-z0-9_]*]][]
// CHECK: %[[P0:.*]] = air.channel.put async [%[[USED]], %[[G0]]] @out[] (%[[B0]][]
// CHECK: %[[G1:.*]] = air.channel.get async [%[[G0]], %[[PONG]]] @in[] (%[[B1:[a-z0-9_]*]][]
// CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]], %[[G1]]] @out[] (%[[B1]][]
// CHECK: scf.yield %[[P0]], %[[P1]], %[[P1]], %[[G1]]
// CHECK-NOT: unroll
// CHECK: air.execute [%[[END]]#1]
// CHECK-NEXT: memref.dealloc %[[B0]]
// CHECK: air.execute [%[[END]]#1]
// CHECK-NEXT: memref.dealloc %[[B1]]

// Each iteration has a buffer of its own: producers make it, consumers free it.
// KEEP-LABEL: func.func @copies
// KEEP: %[[END:.*]]:4 = scf.for {{.*}} iter_args(%[[PING:.*]] = %{{.*}}, %[[PONG:.*]] = %{{.*}}, %[[USED:.*]] = %{{.*}}, %[[FILLED:.*]] = %{{.*}})
// KEEP: %[[A0:.*]], %[[B0:.*]] = air.execute [%[[FILLED]], %[[PING]]]
// KEEP-NEXT: memref.alloc() : memref<4xi32, 2>
// KEEP: %[[G0:.*]] = air.channel.get async [%[[FILLED]], %[[PING]], %[[A0]]] @in
// KEEP: %[[P0:.*]] = air.channel.put async [%[[USED]], %[[G0]]] @out
// KEEP: %[[D0:.*]] = air.execute [%[[P0]]]
// KEEP-NEXT: memref.dealloc %[[B0]]
// KEEP: %[[A1:.*]], %[[B1:.*]] = air.execute [%[[G0]], %[[PONG]]]
// KEEP: %[[D1:.*]] = air.execute
// KEEP-NEXT: memref.dealloc %[[B1]]
// KEEP: scf.yield %[[D0]], %[[D1]], %[[D1]], %{{.*}} :

// OMIT-LABEL: func.func @copies
// OMIT: scf.for {{.*}} -> (!air.async.token) {
// OMIT: memref.alloc() : memref<4xi32, 2>
// OMIT: memref.dealloc
// OMIT: scf.yield %{{[a-z0-9_]*}} : !air.async.token
// OMIT-NOT: unroll

air.channel @in [1]
air.channel @out [1]
func.func @copies(%a: memref<16xi32>, %b: memref<16xi32>) {
  %one = arith.constant 1 : index
  %l = air.launch async (%x) in (%n=%one) args(%c=%a, %d=%b) : memref<16xi32>, memref<16xi32> {
    %p = air.channel.put async @in[] (%c[] [] []) : (memref<16xi32>)
    %g = air.channel.get async @out[] (%d[] [] []) : (memref<16xi32>)
    %s = air.segment @s async {
      %u = arith.constant 1 : index
      %h = air.herd @h async tile (%hx, %hy) in (%sx=%u, %sy=%u) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %start = air.wait_all async
        %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.channel.get async [%t0] @in[] (%m[] [] []) : (memref<4xi32, 2>)
          %t2 = air.channel.put async [%t1] @out[] (%m[] [] []) : (memref<4xi32, 2>)
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

// What is used is added to a buffer from around the loop. Consumers are a loop and an execute: they
// end together. A herd that reads nothing of this loop gets one of its own.
// CHECK-LABEL: func.func @sums
// CHECK: %[[END:.*]]:4 = scf.for {{.*}} iter_args(%[[PING:.*]] = %{{.*}}, %[[PONG:.*]] = %{{.*}}, %[[USED:.*]] = %{{.*}}, %[[FILLED:.*]] = %{{.*}})
// CHECK: %[[F0:.*]] = air.dma_memcpy_nd async [%[[FILLED]], %[[PING]]]
// CHECK: %[[W0:.*]] = air.wait_all async [%[[USED]], %[[F0]]]
// CHECK: %[[L0:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[W0]])
// CHECK: %[[E0:.*]] = air.wait_all async [%[[L0]]]
// CHECK: %[[F1:.*]] = air.dma_memcpy_nd async [%[[F0]], %[[PONG]]]
// CHECK: %[[W1:.*]] = air.wait_all async [%[[E0]], %[[F1]]]
// CHECK: scf.yield %[[E0]], %{{.*}}, %{{.*}}, %[[F1]]
func.func @sums(%a: memref<16xi32>, %b: memref<4xi32>) {
  %one = arith.constant 1 : index
  air.launch (%x) in (%n=%one) args(%c=%a, %d=%b) : memref<16xi32>, memref<4xi32> {
    air.segment @s args(%e=%c, %f=%d) : memref<16xi32>, memref<4xi32> {
      %u = arith.constant 1 : index
      air.herd @h tile (%hx, %hy) in (%sx=%u, %sy=%u) args(%g=%e, %k=%f) : memref<16xi32>, memref<4xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %zero = arith.constant 0 : i32
        %acc = memref.alloc() : memref<4xi32, 2>
        linalg.fill ins(%zero : i32) outs(%acc : memref<4xi32, 2>)
        %start = air.wait_all async
        %end = scf.for %i = %c0 to %c16 step %c4 iter_args(%t = %start) -> (!air.async.token) {
          %t0, %m = air.execute [%t] -> (memref<4xi32, 2>) {
            %new = memref.alloc() : memref<4xi32, 2>
            air.execute_terminator %new : memref<4xi32, 2>
          }
          %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %g[%i] [%c4] [%c1]) : (memref<4xi32, 2>, memref<16xi32>)
          %t2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%v = %t1) -> (!air.async.token) {
            %add = air.execute [%v] {
              linalg.add ins(%acc, %m : memref<4xi32, 2>, memref<4xi32, 2>) outs(%acc : memref<4xi32, 2>)
            }
            scf.yield %add : !air.async.token
          }
          %t3 = air.execute [%t2] {
            memref.dealloc %m : memref<4xi32, 2>
          }
          scf.yield %t3 : !air.async.token
        }
        air.wait_all [%end]
        air.dma_memcpy_nd (%k[] [] [], %acc[] [] []) : (memref<4xi32>, memref<4xi32, 2>)
        memref.dealloc %acc : memref<4xi32, 2>
      }
    }
  }
  return
}
