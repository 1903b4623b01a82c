// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-label-scf-for-to-ping-pong=omit-memory-space=L1 | FileCheck %s --check-prefix=OMIT

air.channel @c [1]
func.func private @work(memref<8xi32, 2>)

// One buffer bare, one in an execute.
// CHECK-LABEL: func.func @marked
// CHECK: memref.alloc() {hoist_alloc = true} : memref<8xi32, 2>
// CHECK: memref.alloc() {hoist_alloc = true} : memref<8xi32, 1>
// CHECK: } {unroll = 2 : i32}
// OMIT-LABEL: func.func @marked
// OMIT-NOT: hoist_alloc
func.func @marked() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    %t, %b = air.execute -> (memref<8xi32, 1>) {
      %m = memref.alloc() : memref<8xi32, 1>
      air.execute_terminator %m : memref<8xi32, 1>
    }
    %g = air.channel.get async [%t] @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
    %d = air.execute [%g] {
      func.call @work(%a) : (memref<8xi32, 2>) -> ()
    }
  }
  return
}

// Different branches; a loop that runs once.
// CHECK-LABEL: func.func @exclusive
// CHECK: hoist_alloc = true
// CHECK: } {unroll = 2 : i32}
func.func @exclusive(%p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    scf.if %p {
      air.channel.get @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
    } else {
      scf.for %j = %c0 to %c1 step %c1 {
        air.channel.get @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @innermost
// CHECK: memref.alloc() : memref<8xi32, 2>
// CHECK: memref.alloc() {hoist_alloc = true} : memref<4xi32, 2>
// CHECK: } {unroll = 2 : i32}
// CHECK-NOT: unroll
func.func @innermost() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark@+1 {{an inner loop is marked}}
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    scf.for %j = %c0 to %c8 step %c1 {
      %b = memref.alloc() : memref<4xi32, 2>
    }
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK-NOT: hoist_alloc
func.func @declined(%p: i1, %n: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark@+1 {{it has an unroll factor}}
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
  } {unroll = 4 : i32}
  // expected-remark@+1 {{air.disable_ping_pong asks for it}}
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    scf.for %j = %c0 to %c8 step %c1 {
    } {air.disable_ping_pong}
  }
  // expected-remark@+1 {{two gets fill one buffer in an iteration}}
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    scf.if %p {
      air.channel.get @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
    }
    scf.if %p {
      air.channel.get @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
    }
  }
  // expected-remark@+1 {{a get in an inner loop fills a buffer several times}}
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    scf.for %j = %c0 to %n step %c1 {
      air.channel.get @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
    }
  }
  // expected-remark@+1 {{a call may read what the iteration before left in a buffer}}
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    func.call @work(%a) : (memref<8xi32, 2>) -> ()
    air.channel.get @c[%c0] (%a[] [] []) : (memref<8xi32, 2>)
  }
  return
}

// A full write is as good as a get.
// CHECK-LABEL: func.func @written
// CHECK: hoist_alloc
func.func @written(%v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.alloc() : memref<8xi32, 2>
    linalg.fill ins(%v : i32) outs(%a : memref<8xi32, 2>)
    func.call @work(%a) : (memref<8xi32, 2>) -> ()
  }
  return
}

// Also when the loop with the call is an inner one.
// CHECK-LABEL: func.func @shared
// CHECK-NOT: hoist_alloc
func.func @shared(%m: memref<8xi32, 2>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x) in (%s=%c1) args(%n=%m) : memref<8xi32, 2> {
    %z0 = arith.constant 0 : index
    %z1 = arith.constant 1 : index
    // expected-remark@+1 {{a call is given an L1 buffer that the herd shares}}
    scf.for %i = %z0 to %z1 step %z1 {
      %a = memref.alloc() : memref<8xi32, 2>
      scf.for %j = %z0 to %z1 step %z1 {
        func.call @work(%n) : (memref<8xi32, 2>) -> ()
      }
    }
  }
  return
}

// A launch is not copied.
// CHECK-LABEL: func.func @host
// CHECK-NOT: hoist_alloc
func.func @host() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{a launch in it would be there twice}}
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<8xi32>
    air.launch () in () args(%b = %a) : memref<8xi32> {
      %z = arith.constant 0 : index
      air.channel.get @c[%z] (%b[] [] []) : (memref<8xi32>)
    }
  }
  return
}
