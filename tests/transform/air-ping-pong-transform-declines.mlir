// RUN: airlite-opt %s --air-ping-pong-transform --check-each --verify-diagnostics --remarks | FileCheck %s

// What is declined keeps its iterations and its order: no loop here carries four tokens, but for a
// trip count of 0.
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK-LABEL: func.func @none
// CHECK: :4 = scf.for
func.func @none(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c0 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @once
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @once(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{its trip count is not a multiple of the unroll factor}}
  %end = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @odd
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @odd(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{its trip count is not a multiple of the unroll factor}}
  %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @dynamic(%a: memref<4xi32>, %b: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{its trip count is not constant}}
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// The next fetch reads what the last use writes.
// CHECK-LABEL: func.func @in_the_way
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @in_the_way(%a: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{nothing can be fetched ahead}}
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%a[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @unused
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @unused(%a: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{nothing uses what is fetched}}
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t3 = air.execute [%t1] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @blocks
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @blocks(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{an op in the body blocks}}
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    air.wait_all [%t2]
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// A copy that waits for nothing must not wait for more.
// CHECK-LABEL: func.func @loose
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @loose(%a: memref<4xi32>, %b: memref<4xi32>, %d: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{the tokens do not put one copy after the other}}
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %o = air.dma_memcpy_nd async (%d[] [] [], %a[] [] []) : (memref<4xi32>, memref<4xi32>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @uncovered
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @uncovered(%a: memref<4xi32>, %b: memref<4xi32>, %d: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+1 {{the tokens of an inner op do not cover all that it does}}
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%v = %t1) -> (!air.async.token) {
      %o = air.dma_memcpy_nd async [%v] (%d[] [] [], %a[] [] []) : (memref<4xi32>, memref<4xi32>)
      %p = air.dma_memcpy_nd async [%v] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
      scf.yield %p : !air.async.token
    }
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    scf.yield %t3 : !air.async.token
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return
}

// CHECK-LABEL: func.func @values
// CHECK-NOT: -> (!air.async.token, !air.async.token
// CHECK: return
func.func @values(%a: memref<4xi32>, %b: memref<4xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  // expected-remark@+2 {{it carries something else than one token}}
  // expected-remark@+1 {{it carries something else than one token}}
  %end, %v = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start, %u = %c0) -> (!air.async.token, index) {
    %t0, %m = air.execute [%t] -> (memref<4xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<4xi32, 1>
      air.execute_terminator %new : memref<4xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%m[] [] [], %a[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
    %t2 = air.dma_memcpy_nd async [%t1] (%b[] [] [], %m[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %m : memref<4xi32, 1>
    }
    %w = arith.addi %u, %i : index
    scf.yield %t3, %w : !air.async.token, index
  } {unroll = 2 : i32}
  air.wait_all [%end]
  return %v : index
}
