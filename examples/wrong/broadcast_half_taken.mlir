// The put reaches four cores, only the first two of them take it.
//
// RUN: cd %S && not airlite-opt broadcast_half_taken.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: error: deadlock

air.channel @all [1, 1] {broadcast_shape = [1, 4]}

func.func @main(%in: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sent = air.channel.put async @all[%c0, %c0] (%in[] [] []) : (memref<8xf32>)
  air.herd @cores tile (%x, %y) in (%sx = %c1, %sy = %c2) {
    %m = memref.alloc() : memref<8xf32, 2>
    air.channel.get @all[%x, %y] (%m[] [] []) : (memref<8xf32, 2>)
  }
  air.wait_all [%sent]
  return
}
