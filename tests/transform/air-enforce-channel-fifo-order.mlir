// RUN: airlite-opt %s --air-enforce-channel-fifo-order --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-enforce-channel-fifo-order --split-input-file --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK

// Each put waits for the one before of its place; gets are a row of their own; what is there
// already is not repeated; a blocking transfer needs nothing behind it.
// CHECK-LABEL: func.func @rows
air.channel @c [2]
func.func @rows(%m: memref<4xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : index
  // CHECK: %[[P0:.*]] = air.channel.put async @c[%c0]
  %p0 = air.channel.put async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[G0:.*]] = air.channel.get async @c[%c0]
  %g0 = air.channel.get async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[Q0:.*]] = air.channel.put async @c[%c1]
  %q0 = air.channel.put async @c[%c1] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]]] @c
  %p1 = air.channel.put async @c[%zero] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.get async [%[[G0]]] @c
  %g1 = air.channel.get async [%g0] @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put [%[[P1]]] @c
  air.channel.put @c[%c0] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put async @c[%c0]
  %p3 = air.channel.put async @c[%c0] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// One value is one place, two values may be; blocks stand for themselves.
// CHECK-LABEL: func.func @places
// REMARK: [[#@LINE+10]]:{{.*}}remark: {{.*}}left unordered: whether it is at the same place as the one before cannot be told from the indices
air.channel @c [2]
func.func @places(%m: memref<4xf32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = air.channel.get async @c[%{{.*}}]
  %a = air.channel.get async @c[%i] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[B:.*]] = air.channel.get async [%[[A]]] @c[%{{.*}}]
  %b = air.channel.get async @c[%i] (%m[] [] []) : (memref<4xf32>)
  // CHECK: %[[C:.*]] = air.channel.get async @c[%{{.*}}]
  %c = air.channel.get async @c[%j] (%m[] [] []) : (memref<4xf32>)
  scf.for %k = %c0 to %c1 step %c1 {
    // CHECK: %[[D:.*]] = air.channel.get async @c[%{{.*}}]
    %d = air.channel.get async @c[%j] (%m[] [] []) : (memref<4xf32>)
    // CHECK: air.channel.get async [%[[D]]] @c[%{{.*}}]
    %e = air.channel.get async @c[%j] (%m[] [] []) : (memref<4xf32>)
  }
  return
}
