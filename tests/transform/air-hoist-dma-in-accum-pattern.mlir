// RUN: airlite-opt %s --check-each --air-hoist-dma-in-accum-pattern | FileCheck %s
// RUN: airlite-opt %s --check-each --air-dependency --air-hoist-dma-in-accum-pattern | FileCheck %s --check-prefix=ASYNC

// Blocking ops: load and allocation move before the loop, store and dealloc after it, and constants with them.
// CHECK-LABEL: func.func @blocking
// CHECK: %[[ACC:.*]] = memref.alloc() : memref<4xi32, 1>
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: air.dma_memcpy_nd (%[[ACC]][] [] [], %arg0[%[[TWO]]] [4] [1])
// CHECK: scf.for
// CHECK-NOT: memref<4xi32, 1>
// CHECK: memref.alloc() : memref<1xi32, 1>
// CHECK: linalg.generic
// CHECK-NOT: memref.dealloc %[[ACC]]
// CHECK: }
// CHECK: air.dma_memcpy_nd (%arg0[%[[TWO]]] [4] [1], %[[ACC]][] [] [])
// CHECK-NEXT: memref.dealloc %[[ACC]]

// The loop begins after the load, the store waits for the loop, and who comes after for the store.
// ASYNC-LABEL: func.func @blocking
// ASYNC: %[[ALLOCATED:.*]], %[[ACC:.*]] = air.execute -> (memref<4xi32, 1>)
// ASYNC: %[[LOADED:.*]] = air.dma_memcpy_nd async [{{.*}}%[[ALLOCATED]]] (%[[ACC]][]
// ASYNC: %[[DONE:.*]] = scf.for {{.*}} iter_args(%[[TOKEN:.*]] = %[[LOADED]])
// ASYNC: air.execute [{{.*}}%[[TOKEN]]{{.*}}] {
// ASYNC-NEXT: linalg.generic
// ASYNC: scf.yield
// ASYNC: %[[STORED:.*]] = air.dma_memcpy_nd async [%[[DONE]]] (%arg0
// ASYNC: air.execute [%[[STORED]]] {
// ASYNC-NEXT: memref.dealloc %[[ACC]]
func.func @blocking(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    %new = memref.alloc() : memref<1xi32, 1>
    %c2 = arith.constant 2 : index
    air.dma_memcpy_nd (%acc[] [] [], %m[%c2] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    air.dma_memcpy_nd (%new[] [] [], %n[%i] [1] [1]) : (memref<1xi32, 1>, memref<8xi32>)
    linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%new : memref<1xi32, 1>) outs(%acc : memref<4xi32, 1>) {
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      linalg.yield %sum : i32
    }
    air.dma_memcpy_nd (%m[%c2] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %new : memref<1xi32, 1>
    memref.dealloc %acc : memref<4xi32, 1>
  }
  return
}

// Out of two loops, but not out of the one that chooses the place.
// CHECK-LABEL: func.func @nest
// CHECK: scf.for
// CHECK: air.dma_memcpy_nd
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: air.dma_memcpy_nd
// CHECK: memref.store
// CHECK: air.dma_memcpy_nd
// CHECK: return

// ASYNC-LABEL: func.func @nest
// ASYNC: scf.for
// ASYNC: %[[LOADED:.*]] = air.dma_memcpy_nd async
// ASYNC: %[[OUTER:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[LOADED]])
// ASYNC: air.wait_all async [{{.*}}%[[T]]{{.*}}]
// ASYNC: scf.for {{.*}} iter_args
// ASYNC-NOT: air.dma_memcpy_nd
// ASYNC: memref.store
// ASYNC: air.dma_memcpy_nd async [%[[OUTER]]]
// ASYNC: return
func.func @nest(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %acc = memref.alloc() : memref<1xi32, 1>
        air.dma_memcpy_nd (%acc[] [] [], %m[%k] [1] [1]) : (memref<1xi32, 1>, memref<8xi32>)
        %old = memref.load %acc[%c0] : memref<1xi32, 1>
        %new = arith.addi %old, %old : i32
        memref.store %new, %acc[%c0] : memref<1xi32, 1>
        air.dma_memcpy_nd (%m[%k] [1] [1], %acc[] [] []) : (memref<8xi32>, memref<1xi32, 1>)
        memref.dealloc %acc : memref<1xi32, 1>
      }
    }
  }
  return
}

// A herd in the loop works on the buffer, others read beside the place.
// CHECK-LABEL: func.func @herd
// CHECK: air.dma_memcpy_nd
// CHECK: scf.for
// CHECK-NEXT: air.herd
// CHECK: air.dma_memcpy_nd (%arg0[0] [4] [1]
// CHECK: return

// ASYNC-LABEL: func.func @herd
// ASYNC: %[[LOADED:.*]] = air.dma_memcpy_nd async
// ASYNC: %[[DONE:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[LOADED]])
// ASYNC: %[[HERD:.*]] = air.herd @herd_0 async [%[[T]]]
// ASYNC: air.wait_all async [%{{.*}}, %[[HERD]]]
// ASYNC: air.dma_memcpy_nd async [%[[DONE]]]
func.func @herd(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    air.herd @herd_0 tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%part = %acc, %all = %m) : memref<4xi32, 1>, memref<8xi32> {
      %own = memref.alloc() : memref<1xi32, 2>
      %zero = arith.constant 0 : index
      %c7 = arith.constant 7 : index
      air.dma_memcpy_nd (%own[] [] [], %all[%c7] [1] [1]) : (memref<1xi32, 2>, memref<8xi32>)
      %v = memref.load %own[%zero] : memref<1xi32, 2>
      air.dma_memcpy_nd (%own[] [] [], %part[%x] [1] [1]) : (memref<1xi32, 2>, memref<4xi32, 1>)
      %w = memref.load %own[%zero] : memref<1xi32, 2>
      %sum = arith.addi %v, %w : i32
      memref.store %sum, %own[%zero] : memref<1xi32, 2>
      air.dma_memcpy_nd (%part[%x] [1] [1], %own[] [] []) : (memref<4xi32, 1>, memref<1xi32, 2>)
      memref.dealloc %own : memref<1xi32, 2>
    }
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  return
}

// A reader that only the dealloc waits for: now the next iteration must.
// CHECK-LABEL: func.func @late_reader
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[READ:.*]] = air.dma_memcpy_nd async [%[[T]]] (%arg1
// CHECK: %[[WRITE:.*]] = air.execute [%[[T]]]
// CHECK-NEXT: linalg.fill
// CHECK: %[[WRITTEN:.*]] = air.wait_all async [%[[WRITE]]]
// CHECK: %[[FREE:.*]] = air.wait_all async [%[[READ]], %[[WRITTEN]]]
// CHECK: scf.yield %[[FREE]]
// CHECK: return
func.func @late_reader(%m: memref<8xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : i32
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %acc = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0, %t] (%acc[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    %read = air.dma_memcpy_nd async [%t1] (%n[%i] [1] [1], %acc[%i] [1] [1]) : (memref<8xi32>, memref<8xi32, 1>)
    %half = memref.subview %acc[4] [4] [1] : memref<8xi32, 1> to memref<4xi32, strided<[1], offset: 4>, 1>
    %write = air.execute [%t1] {
      linalg.fill ins(%c7 : i32) outs(%half : memref<4xi32, strided<[1], offset: 4>, 1>)
    }
    %store = air.dma_memcpy_nd async [%write] (%m[] [] [], %acc[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
    %free = air.execute [%store, %read] {
      memref.dealloc %acc : memref<8xi32, 1>
    }
    %all = air.wait_all async [%store]
    scf.yield %all : !air.async.token
  }
  air.wait_all [%end]
  return
}

// Two pairs, one of which leaves two loops: what waited for its load waited for the other one, too.
// ASYNC-LABEL: func.func @two
// ASYNC: air.dma_memcpy_nd async {{.*}} (%{{.*}}[] [] [], %arg0[2]
// ASYNC: scf.for
// ASYNC: %[[OTHER:.*]] = air.dma_memcpy_nd async {{.*}} (%{{.*}}[] [] [], %arg1[%
// ASYNC: air.wait_all async [{{.*}}%[[OTHER]]{{.*}}]
// ASYNC: scf.for
// ASYNC-NOT: air.dma_memcpy_nd
// ASYNC: scf.yield
// ASYNC: return
func.func @two(%m: memref<12xi32>, %n: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : i32
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %a = memref.alloc() : memref<4xi32, 1>
      %b = memref.alloc() : memref<4xi32, 1>
      air.dma_memcpy_nd (%a[] [] [], %n[%i] [4] [1]) : (memref<4xi32, 1>, memref<12xi32>)
      air.dma_memcpy_nd (%b[] [] [], %m[2] [4] [1]) : (memref<4xi32, 1>, memref<12xi32>)
      linalg.fill ins(%c7 : i32) outs(%a : memref<4xi32, 1>)
      air.dma_memcpy_nd (%n[%i] [4] [1], %a[] [] []) : (memref<12xi32>, memref<4xi32, 1>)
      air.dma_memcpy_nd (%m[2] [4] [1], %b[] [] []) : (memref<12xi32>, memref<4xi32, 1>)
      memref.dealloc %a : memref<4xi32, 1>
      memref.dealloc %b : memref<4xi32, 1>
    }
  }
  return
}
