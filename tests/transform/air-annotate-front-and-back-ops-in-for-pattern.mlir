// RUN: airlite-opt %s --air-annotate-front-and-back-ops-in-for-pattern --verify-diagnostics --remarks | FileCheck %s

// The allocation is not a front op: only ops that wait for nothing else are.
// CHECK-LABEL: func.func @marked
// CHECK: memref.alloc
// CHECK: air.dma_memcpy_nd {{.*}}{async_front = true}
// CHECK: air.dma_memcpy_nd async [%{{[a-z0-9_]*}}] (%{{.*}}) : (memref<4xi32>, memref<4xi32, 1>)
// CHECK: async_back = true
func.func @marked(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
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
  return
}

// CHECK-LABEL: func.func @blocks
// CHECK-NOT: async_front
func.func @blocks() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{an op in the body blocks}}
  scf.for %i = %c0 to %c4 step %c1 {
    air.wait_all
  } {unroll = 2 : i32}
  return
}
