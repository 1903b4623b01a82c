// Where the branch is not taken, nobody puts, and the herd waits for ever.
//
// RUN: cd %S && not airlite-opt unbalanced_branch.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-opt %s --air-verify-program=counterexample=%t --emit=none
// RUN: not airlite-run %s --on=interp --init=zero --schedule=%t 2>&1 | FileCheck %s
// CHECK: error: deadlock

air.channel @c []

func.func @main(%in: memref<16xf32>, %ready: i1) {
  %c1 = arith.constant 1 : index
  scf.if %ready {
    %sent = air.channel.put async @c[] (%in[] [] []) : (memref<16xf32>)
  }
  air.herd @consumer tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<16xf32, 2>
    air.channel.get @c[] (%m[] [] []) : (memref<16xf32, 2>)
  }
  return
}
