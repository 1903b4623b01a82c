// RUN: airlite-opt %s --air-rank-to-launch --remarks --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two_dims
// CHECK: scf.for %[[X:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK:   scf.for %[[Y:.*]] = %c0{{.*}} to %c3{{.*}} step %c1
// CHECK:     air.launch {{.*}} args(%{{.*}}=%arg0, %{{.*}}=%[[X]], %{{.*}}=%[[Y]], %{{.*}}=%c3{{.*}})
// CHECK: } {air.serialized_rank}
// CHECK-NOT: air.rank
func.func @two_dims(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.rank (%x, %y) in (%sx=%c2, %sy=%c3) args(%n=%m) : memref<8xf32> {
    air.launch () in () args(%a=%n, %b=%x, %c=%y, %d=%sy) : memref<8xf32>, index, index, index {
    }
  }
  return
}

// What the body leaves open is waited for before the next instance.
// CHECK-LABEL: func.func @async
// CHECK: %[[T:.*]] = air.wait_all async
// CHECK: air.wait_all [%[[T]]]
// CHECK: scf.for
// CHECK:   %[[L:.*]] = air.launch async
// CHECK:   air.wait_all [%[[L]]]
// CHECK: }
// CHECK: %[[D:.*]] = air.wait_all async
// CHECK: air.wait_all [%[[D]]]
func.func @async() {
  %c2 = arith.constant 2 : index
  %t = air.wait_all async
  %r = air.rank async [%t] (%x) in (%sx=%c2) {
    %l = air.launch async () in () {
    }
  }
  air.wait_all [%r]
  return
}

// A launch may stand in it, also where it stands in a launch.
// CHECK-LABEL: func.func @in_launch
// CHECK: air.launch
// CHECK: scf.for
// CHECK: air.launch
func.func @in_launch() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.rank (%x) in (%sx=%c2) {
      air.launch () in () {
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @universe
// CHECK: scf.for
func.func @universe() {
  %c2 = arith.constant 2 : index
  %u = air.universe.alloc(%c2)
  // expected-remark@+1 {{the universe is dropped: all instances run here}}
  air.rank universe(%u) (%x) in (%sx=%c2) {
  }
  return
}
