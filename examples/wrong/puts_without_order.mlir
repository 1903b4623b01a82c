// Two puts of one channel that nothing orders: which of the two arrives first is open.
//
// RUN: cd %S && not airlite-opt puts_without_order.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-opt %s --air-verify-program=counterexample=%t --emit=none
// RUN: not airlite-run %s --on=interp --init=random:1 --schedule=%t 2>&1 | FileCheck %s
// CHECK: depends on the schedule

air.channel @c []

func.func @main(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t0 = air.channel.put async @c[] (%a[] [] []) : (memref<8xi32>)
  %t1 = air.channel.put async @c[] (%b[] [] []) : (memref<8xi32>)
  air.channel.get @c[] (%out[%c0] [%c8] [%c1]) : (memref<16xi32>)
  air.channel.get @c[] (%out[%c8] [%c8] [%c1]) : (memref<16xi32>)
  air.wait_all [%t0, %t1]
  return
}
