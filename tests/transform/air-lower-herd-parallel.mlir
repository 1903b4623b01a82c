// RUN: airlite-opt %s --air-lower-herd-parallel --check-each | FileCheck %s

// Two dimensions and one inside; the attribute moves outwards, the mapping goes.
// CHECK-LABEL: func.func @nest
// CHECK-NOT: scf.parallel
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c8
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c4
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c2
// CHECK: memref.store {{.*}}[%[[I]], %[[J]]]
// CHECK: } {loop_annotation = "keep"}
func.func @nest(%m: memref<8x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%a=%m) : memref<8x4xi32> {
    air.segment @s args(%b=%a) : memref<8x4xi32> {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%d1, %sy=%d1) args(%c=%b) : memref<8x4xi32> {
        %c0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %t = memref.alloc() : memref<8x4xi32, 2>
        scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%e1, %e1) {
          scf.parallel (%k) = (%c0) to (%c2) step (%e1) {
            %s = arith.addi %i, %j : index
            %v = arith.index_cast %s : index to i32
            memref.store %v, %t[%i, %j] : memref<8x4xi32, 2>
          }
        } {loop_annotation = "keep", mapping = []}
        air.dma_memcpy_nd (%c[] [] [], %t[] [] []) : (memref<8x4xi32>, memref<8x4xi32, 2>)
        memref.dealloc %t : memref<8x4xi32, 2>
      }
    }
  }
  return
}

// The token that the loop carries joins those of the iterations; the copies still wait for %start.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[START:.*]] = air.wait_all async
// CHECK: %[[OUTER:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[START]]) -> (!air.async.token)
// CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (!air.async.token)
// CHECK: %[[COPY:.*]] = air.dma_memcpy_nd async [%[[START]]]
// CHECK: %[[JOIN:.*]] = air.wait_all async [%[[B]], %[[COPY]]]
// CHECK: scf.yield %[[JOIN]]
// CHECK: scf.yield %[[INNER]]
// CHECK: memref.dealloc
func.func @tokens(%m: memref<8x4xi32>, %o: memref<8x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%a=%m, %b=%o) : memref<8x4xi32>, memref<8x4xi32> {
    air.segment @s args(%c=%a, %d=%b) : memref<8x4xi32>, memref<8x4xi32> {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%d1, %sy=%d1) args(%e=%c, %f=%d) : memref<8x4xi32>, memref<8x4xi32> {
        %c0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c8 = arith.constant 8 : index
        %t = memref.alloc() : memref<8x4xi32, 2>
        %start = air.wait_all async
        %all = scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%e1, %e1) init (%start) -> !air.async.token {
          %copy = air.dma_memcpy_nd async [%start] (%t[%i, %j] [%e1, %e1] [%c4, %e1], %e[%i, %j] [%e1, %e1] [%c4, %e1]) : (memref<8x4xi32, 2>, memref<8x4xi32>)
          scf.reduce(%copy : !air.async.token) {
          ^bb0(%one: !air.async.token, %two: !air.async.token):
            %both = air.wait_all async [%one, %two]
            scf.reduce.return %both : !air.async.token
          }
        }
        %back = air.dma_memcpy_nd async [%all] (%f[] [] [], %t[] [] []) : (memref<8x4xi32>, memref<8x4xi32, 2>)
        air.wait_all [%back]
        memref.dealloc %t : memref<8x4xi32, 2>
      }
    }
  }
  return
}

// Not in a herd.
// CHECK-LABEL: func.func @elsewhere
// CHECK: scf.parallel
func.func @elsewhere(%m: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %m[%i] : memref<8xi32>
  }
  return
}
