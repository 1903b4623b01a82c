// RUN: airlite-opt %s --air-label-scf-for-in-segment --verify-diagnostics --remarks | FileCheck %s

air.channel @feed [1]

// Loops of different trip counts, one in the other.
// CHECK-LABEL: func.func @nest
// CHECK: air.channel.put
// CHECK: } {unroll = 3 : i32}
// CHECK: } {unroll = 4 : i32}
func.func @nest() {
  air.segment @s {
    %m = memref.alloc() : memref<12x8xi32, 1>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c2 {
      scf.for %j = %c0 to %c5 step %c2 {
        air.channel.put @feed[%c0] (%m[%i, %j] [%c1, %c1] [%c8, %c1]) : (memref<12x8xi32, 1>)
      }
    }
    memref.dealloc %m : memref<12x8xi32, 1>
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK: } {unroll = 2 : i32}
// CHECK-NOT: unroll
// CHECK: return
func.func @declined(%n: index) {
  air.segment @s args(%a=%n) : index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %far = arith.constant 4294967296 : index
    // expected-remark@+1 {{it has an unroll factor}}
    scf.for %i = %c0 to %c8 step %c1 {
    } {unroll = 2 : i32}
    // expected-remark@+1 {{its trip count is not constant}}
    scf.for %i = %c0 to %a step %c1 {
    }
    // expected-remark@+1 {{it never runs}}
    scf.for %i = %c8 to %c0 step %c1 {
    }
    // expected-remark@+1 {{its trip count is too large}}
    scf.for %i = %c0 to %far step %c1 {
    }
    // expected-remark@+1 {{a herd is inside}}
    scf.for %i = %c0 to %c8 step %c1 {
      air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        scf.for %j = %d0 to %d1 step %d1 {
        }
      }
    }
  }
  return
}

// Not in a segment.
// CHECK-LABEL: func.func @elsewhere
// CHECK-NOT: unroll
func.func @elsewhere() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
  }
  return
}
