// Values may go round in circles in code that never runs, and in a module, where order does not
// count. Canonicalization comes to an end.
// RUN: airlite-opt %s --canonicalize --allow-unregistered | FileCheck %s

air.channel @c []

// CHECK-LABEL: func.func @never(
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @never() {
  return
^dead:
  %0 = memref.cast %1 : memref<?xf32> to memref<?xf32>
  %1 = memref.memory_space_cast %0 : memref<?xf32> to memref<?xf32>
  %t = air.channel.put async @c[] (%0[] [] []) : (memref<?xf32>)
  %u = air.channel.put async [%t] @c[] (%1[] [] []) : (memref<?xf32>)
  cf.br ^dead
}

// CHECK: arith.addi
// CHECK: "test.use"
%one = arith.constant 1 : i32
%2 = arith.addi %3, %one : i32
%3 = arith.addi %2, %one : i32
"test.use"(%3) : (i32) -> ()

// CHECK: air.channel.put @c[] (%
%4 = memref.cast %5 : memref<?xf32> to memref<?xf32>
%5 = memref.memory_space_cast %4 : memref<?xf32> to memref<?xf32>
%t = air.channel.put async @c[] (%4[] [] []) : (memref<?xf32>)
%u = air.channel.put async [%t] @c[] (%5[] [] []) : (memref<?xf32>)
air.channel.put @c[] (%4[] [] []) : (memref<?xf32>)
