// RUN: airlite-opt %s --air-insert-launch-around-herd | FileCheck %s
// RUN: airlite-opt %s --air-insert-launch-around-herd=insert-segment=true | FileCheck %s --check-prefix=SEG

// CHECK-LABEL: func.func @sync
// CHECK: air.launch () in () args(%[[A:.*]]=%arg0) : memref<4xi32>
// CHECK:   %[[C2:.*]] = arith.constant 2 : index
// CHECK:   air.herd @h tile (%{{.*}}) in (%{{.*}}=%[[C2]]) args(%{{.*}}=%[[A]])
// SEG-LABEL: func.func @sync
// SEG: air.launch () in () args(%[[A:.*]]=%arg0) : memref<4xi32>
// SEG:   air.segment @sync_0 args(%[[B:.*]]=%[[A]])
// SEG:     air.herd @h tile (%{{.*}}) in (%{{.*}}=%{{.*}}) args(%{{.*}}=%[[B]])
func.func @sync(%m: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x) in (%s=%c2) args(%n=%m) : memref<4xi32> {
  }
  return
}

// The launch waits for what the herd waited for, and its token stands for the herd's.
// CHECK-LABEL: func.func @async
// CHECK: %[[T:.*]] = air.wait_all async
// CHECK: %[[L:.*]] = air.launch async [%[[T]]] () in ()
// CHECK:   air.herd @h async tile
// CHECK: air.wait_all [%[[L]]]
// SEG-LABEL: func.func @async
// SEG: %[[L:.*]] = air.launch async [%{{.*}}] () in ()
// SEG:   air.segment @async_0 async
// SEG:     air.herd @h async tile
// SEG: air.wait_all [%[[L]]]
func.func @async() {
  %c2 = arith.constant 2 : index
  %t = air.wait_all async
  %h = air.herd @h async [%t] tile (%x) in (%s=%c2) {
  }
  air.wait_all [%h]
  return
}

// A segment keeps its herd; the launch goes around it.
// CHECK-LABEL: func.func @in_segment
// CHECK: air.launch
// CHECK-NEXT: air.segment @s
// CHECK: air.herd @h
// SEG-LABEL: func.func @in_segment
// SEG: air.launch
// SEG-NEXT: air.segment @s
// SEG-NOT: air.segment
// SEG: air.herd @h
func.func @in_segment() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    air.herd @h tile (%x) in (%s=%c2) {
    }
  }
  return
}

// CHECK-LABEL: func.func @in_launch
// CHECK: air.launch
// CHECK-NOT: air.launch
// CHECK: air.herd @h
// SEG-LABEL: func.func @in_launch
// SEG: air.launch
// SEG: air.segment @in_launch_0
// SEG: air.herd @h
func.func @in_launch() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    air.herd @h tile (%x) in (%s=%c2) {
    }
  }
  return
}

// -----

// What waits for tokens of the machine gives one.
// CHECK-LABEL: func.func @machine_tokens
// CHECK: %[[L:.*]] = air.launch
// CHECK-NOT: async
// CHECK: air.wait_all [dependency = {{\[}}%[[L]]]]
func.func @machine_tokens() {
  %t = air.token.alloc : !air.token
  %k = arith.constant 1 : index
  %s = air.segment @a [dependency = [%t]] {
    %one = arith.constant 1 : index
    air.herd sync tile (%tx) in (%ts=%one) {
    }
  }
  air.wait_all [dependency = [%s]]
  return
}
