// RUN: airlite-opt %s --air-hoist-dma-in-accum-pattern --verify-diagnostics --remarks | FileCheck %s

// No pair leaves its loop: each remark is the refusal.
// CHECK-LABEL: func.func @place
func.func @place(%m: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // It may run no time.
  scf.for %i = %c0 to %n step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{the loop is not known to run}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[%i] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{its place is computed in the loop}}
    air.dma_memcpy_nd (%m[%i] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  // The load gives one element to all, the store leaves the last one.
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [0]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{its place may hold an element twice}}
    air.dma_memcpy_nd (%m[0] [4] [0], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  // Somebody else reads what each iteration stores.
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{something else in the loop touches its place}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
    %v = memref.load %m[%i] : memref<8xi32>
    memref.store %v, %m[%i] : memref<8xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[%n] [%n] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{its place may hold an element twice}}
    air.dma_memcpy_nd (%m[%n] [%n] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  // A load at another place is not a pair: nothing to say.
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    air.dma_memcpy_nd (%m[4] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  return
}

air.channel @c [1]

// CHECK-LABEL: func.func @meets
func.func @meets(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // Who gets this may look at the place.
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{the loop may meet others between its iterations}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    air.channel.put @c[] (%m[4] [1] [1]) : (memref<8xi32>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    func.call @helper() : () -> ()
    // expected-remark@+1 {{the loop may meet others between its iterations}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    memref.dealloc %acc : memref<4xi32, 1>
  }
  return
}
func.func @helper() {
  return
}

// CHECK-LABEL: func.func @buffer
func.func @buffer(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %other = memref.alloc() : memref<4xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    air.dma_memcpy_nd (%other[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{the buffer is not made directly in the loop}}
    air.dma_memcpy_nd (%m[0] [4] [1], %other[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{the buffer has no dealloc, or several}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{the buffer is used before it is loaded or after it is stored}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    %v = memref.load %acc[%c0] : memref<4xi32, 1>
    memref.dealloc %acc : memref<4xi32, 1>
  }
  scf.for %i = %c0 to %c4 step %c1 iter_args(%last = %other) -> (memref<4xi32, 1>) {
    %acc = memref.alloc() : memref<4xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[0] [4] [1]) : (memref<4xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{the buffer is passed on to where it cannot be followed}}
    air.dma_memcpy_nd (%m[0] [4] [1], %acc[] [] []) : (memref<8xi32>, memref<4xi32, 1>)
    scf.yield %acc : memref<4xi32, 1>
  }
  return
}

// CHECK-LABEL: func.func @order
func.func @order(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // Nothing keeps the iterations apart.
  scf.for %i = %c0 to %c4 step %c1 {
    %t0, %acc = air.execute -> (memref<8xi32, 1>) {
      %new = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %new : memref<8xi32, 1>
    }
    %t1 = air.dma_memcpy_nd async [%t0] (%acc[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{no token is carried from the store to the next load}}
    %t2 = air.dma_memcpy_nd async [%t1] (%m[] [] [], %acc[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
    %t3 = air.execute [%t2] {
      memref.dealloc %acc : memref<8xi32, 1>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<8xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    // expected-remark@+1 {{some of its ops are asynchronous and some are not}}
    %t2 = air.dma_memcpy_nd async (%m[] [] [], %acc[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
    air.wait_all [%t2]
    memref.dealloc %acc : memref<8xi32, 1>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %acc = memref.alloc() : memref<8xi32, 1>
    air.dma_memcpy_nd (%acc[] [] [], %m[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
    %t1 = air.execute {
      %v = memref.load %acc[%c0] : memref<8xi32, 1>
    }
    // expected-remark@+1 {{what uses the buffer may still be under way}}
    air.dma_memcpy_nd (%m[] [] [], %acc[] [] []) : (memref<8xi32>, memref<8xi32, 1>)
    air.wait_all [%t1]
    memref.dealloc %acc : memref<8xi32, 1>
  }
  return
}
