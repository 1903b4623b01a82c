// One process puts and only then gets. The put waits until its data is taken, so the get is never
// reached: the smallest deadlock there is (compute model, section 2.5).
//
// RUN: cd %S && not airlite-opt put_then_get.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: error: deadlock

air.channel @c []

func.func @main(%in: memref<16xf32>, %out: memref<16xf32>) {
  air.channel.put @c[] (%in[] [] []) : (memref<16xf32>)
  air.channel.get @c[] (%out[] [] []) : (memref<16xf32>)
  return
}
