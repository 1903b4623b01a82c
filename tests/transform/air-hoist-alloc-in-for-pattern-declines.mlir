// RUN: airlite-opt %s --air-hoist-alloc-in-for-pattern --verify-diagnostics --remarks | FileCheck %s

// CHECK-LABEL: func.func @overlap
// CHECK: scf.for
// CHECK: hoist_alloc
// CHECK: scf.for
// CHECK: hoist_alloc
func.func @overlap(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %start = air.wait_all async
  // Nothing keeps the copies of two iterations apart.
  %end = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    // expected-remark@+1 {{iterations that use the buffer may overlap}}
    %t0, %b = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%b[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    %t2 = air.execute [%t1] {
      memref.dealloc %b : memref<8xi32, 1>
    }
    %all = air.wait_all async [%t, %t2]
    scf.yield %all : !air.async.token
  }
  // The next iteration does not wait for the copies of an inner loop, only for the last of them.
  %again = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %end) -> (!air.async.token) {
    // expected-remark@+1 {{iterations that use the buffer may overlap}}
    %t0, %b = air.execute [%t] -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    %r = scf.for %j = %c0 to %c8 step %c1 iter_args(%v = %t0) -> (!air.async.token) {
      %in = air.dma_memcpy_nd async [%t0] (%b[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
      scf.yield %in : !air.async.token
    }
    %t2 = air.execute [%r] {
      memref.dealloc %b : memref<8xi32, 1>
    }
    scf.yield %t2 : !air.async.token
  }
  air.wait_all [%again]
  return
}

// CHECK-LABEL: func.func @uses
// CHECK: scf.for
// CHECK: hoist_alloc
func.func @uses(%m: memref<8xi32>, %n: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %n) -> (memref<8xi32, 1>) {
    // expected-remark@+1 {{the buffer is passed on to where it cannot be followed}}
    %t0, %b = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    scf.yield %b : memref<8xi32, 1>
  }
  scf.for %i = %c1 to %c8 step %c1 {
    // expected-remark@+1 {{its size is computed in the loop}}
    %t0, %b = air.execute -> (memref<?xi32, 1>) {
      %new = memref.alloc(%i) {hoist_alloc = true} : memref<?xi32, 1>
      air.execute_terminator %new : memref<?xi32, 1>
    }
    // expected-remark@+1 {{the buffer has no dealloc, or several}}
    %t1, %c = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    // expected-remark@+1 {{its dealloc is not in an execute of its own directly in the loop}}
    %t2, %d = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    air.wait_all [%t0, %t2]
    memref.dealloc %d : memref<8xi32, 1>
    %t3 = air.execute [%t0] {
      memref.dealloc %b : memref<?xi32, 1>
    }
    // Not marked.
    %t4, %e = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = false} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    %t5 = air.execute [%t4] {
      memref.dealloc %e : memref<8xi32, 1>
    }
  }
  return
}

func.func private @kernel(memref<8xi32, 1>)
func.func @starter(%b: memref<8xi32, 1>, %m: memref<8xi32>) {
  %t = air.dma_memcpy_nd async (%b[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  return
}

// What a function has started may be under way when it returns; a kernel starts nothing.
// CHECK-LABEL: func.func @calls
// CHECK: memref.alloc() : memref<8xi32, 1>
// CHECK: scf.for
// CHECK: hoist_alloc
// CHECK: call @starter
func.func @calls(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-remark@+1 {{iterations that use the buffer may overlap}}
    %t0, %b = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    %t1, %c = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    air.wait_all [%t0, %t1]
    func.call @starter(%b, %m) : (memref<8xi32, 1>, memref<8xi32>) -> ()
    func.call @kernel(%c) : (memref<8xi32, 1>) -> ()
    %t2 = air.execute {
      memref.dealloc %b : memref<8xi32, 1>
    }
    %t3 = air.execute {
      memref.dealloc %c : memref<8xi32, 1>
    }
  }
  return
}
