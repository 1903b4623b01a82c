// RUN: airlite-opt %s --air-to-aie='test-patterns=specialize-channel-bundle' | FileCheck %s --check-prefix=SPLIT
// RUN: airlite-opt %s --air-to-aie='test-patterns=lower-air-execute' | FileCheck %s --check-prefix=EXECUTE
// RUN: airlite-opt %s --air-to-aie='test-patterns=specialize-affine-if' | FileCheck %s --check-prefix=DECIDE
// RUN: not airlite-opt %s --air-to-aie='test-patterns=lower-ping-pong' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: air-to-aie: not supported: test pattern 'lower-ping-pong'

// Each place is a channel; what is broadcast along a dimension of one place stays.
// SPLIT: air.channel @a_0_0 [1, 1] {broadcast_shape = [4, 1]}
// SPLIT-NEXT: air.channel @a_0_1 [1, 1] {broadcast_shape = [4, 1]}
// SPLIT-NEXT: air.channel @open [2]
// SPLIT-NEXT: air.channel @one [1]
air.channel @a [1, 2] {broadcast_shape = [4, 2]}
air.channel @open [2]
air.channel @one [1]
// SPLIT: air.channel.put @a_0_1[]
// SPLIT: air.channel.get @a_0_1[%arg1, %{{.*}}]
// SPLIT: air.channel.put @open[%arg1]
// SPLIT: air.channel.put @one[]
func.func @channels(%m: memref<4xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @a[%c0, %c1] (%m[] [] []) : (memref<4xi32>)
  air.channel.get @a[%i, %c1] (%m[] [] []) : (memref<4xi32>)
  air.channel.put @open[%i] (%m[] [] []) : (memref<4xi32>)
  air.channel.put @one[] (%m[] [] []) : (memref<4xi32>)
  return
}

// EXECUTE-LABEL: func.func @executes
// EXECUTE-NEXT: %[[N:.*]] = arith.addi %arg1, %arg1
// EXECUTE-NEXT: %[[T:.*]] = air.wait_all async
// EXECUTE-NEXT: %[[P:.*]] = air.channel.put async [%[[T]]]
// EXECUTE: air.wait_all [%[[T]], %[[P]]]
// EXECUTE-NEXT: memref.store %arg2, %arg0[%[[N]]]
// EXECUTE-NEXT: %[[S:.*]] = air.wait_all async
// EXECUTE-NEXT: air.wait_all [%[[S]]]
func.func @executes(%m: memref<4xi32>, %i: index, %v: i32) {
  %t, %n = air.execute -> (index) {
    %sum = arith.addi %i, %i : index
    air.execute_terminator %sum : index
  }
  %p = air.channel.put async [%t] @one[] (%m[] [] []) : (memref<4xi32>)
  %s = air.execute [%p, %t] {
    memref.store %v, %m[%n] : memref<4xi32>
  }
  air.wait_all [%s]
  return
}

// What the branches that are taken use comes in the order of their ops.
// DECIDE-LABEL: func.func @branches
// DECIDE-NEXT: %[[THREE:.*]] = arith.constant 3 : i32
// DECIDE-NEXT: %[[FIVE:.*]] = arith.constant 5 : i32
// DECIDE-NEXT: arith.addi %arg0, %[[THREE]]
// DECIDE-NEXT: arith.muli %{{.*}}, %[[FIVE]]
// DECIDE-NEXT: return
#first = affine_set<()[s0] : (s0 == 0)>
func.func @branches(%v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %a = affine.if #first()[%c0] -> i32 {
    %sum = arith.addi %v, %three : i32
    affine.yield %sum : i32
  } else {
    %sum = arith.addi %v, %two : i32
    affine.yield %sum : i32
  }
  %b = arith.muli %a, %five : i32
  return %b : i32
}
