// Two herds that wait for each other: the cycle is shown in terms of the source.
// RUN: (airlite-run %s --on=interp; test $? = 1) 2>&1 | FileCheck %s
// CHECK: deadlock_cycle.mlir:[[#@LINE+12]]:5: error: deadlock: 'air.channel.get' of '@a' in instance [0, 0] waits for a put
// CHECK: deadlock_cycle.mlir:[[#@LINE+19]]:5: note: the put that could come is this one, after what its process waits for
// CHECK: deadlock_cycle.mlir:[[#@LINE+16]]:5: note: 'air.channel.get' of '@b' in instance [0, 0] waits for a put
// CHECK: deadlock_cycle.mlir:[[#@LINE+10]]:5: note: the put that could come is this one, after what its process waits for
// CHECK: note: 3 more wait for these or for others
air.channel @a []
air.channel @b []
func.func @main() {
  %c1 = arith.constant 1 : index
  %t0 = air.herd @first async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xf32, 2>
    // Both take before they give.
    air.channel.get @a[] (%m[] [] []) : (memref<4xf32, 2>)
    air.channel.put @b[] (%m[] [] []) : (memref<4xf32, 2>)
  }
  %t1 = air.herd @second async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xf32, 2>

    air.channel.get @b[] (%m[] [] []) : (memref<4xf32, 2>)

    air.channel.put @a[] (%m[] [] []) : (memref<4xf32, 2>)
  }
  air.wait_all [%t0, %t1]
  return
}
