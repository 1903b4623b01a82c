// Each of two herds takes from the other one before it gives. Swap the two lines of one of them.
//
// RUN: cd %S && not airlite-opt cycle_of_two_herds.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp 2>&1 | FileCheck %s
// CHECK: error: deadlock

air.channel @there [2]
air.channel @back [2]

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t0 = air.herd @first async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %m = memref.alloc() : memref<4xf32, 2>
    air.channel.get @back[%x] (%m[] [] []) : (memref<4xf32, 2>)
    air.channel.put @there[%x] (%m[] [] []) : (memref<4xf32, 2>)
  }
  %t1 = air.herd @second async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %m = memref.alloc() : memref<4xf32, 2>
    air.channel.get @there[%x] (%m[] [] []) : (memref<4xf32, 2>)
    air.channel.put @back[%x] (%m[] [] []) : (memref<4xf32, 2>)
  }
  air.wait_all [%t0, %t1]
  return
}
