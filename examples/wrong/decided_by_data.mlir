// The core sends its result unless an element of what it has got is 7 or -7; the host waits for it in any case. No number that the
// checker tries has the square 49, and other programs can hide the number better. So where the target is an NPU, a transfer that
// data decides about needs a proof (docs/checking.md). To correct it, send in both cases, and say with a value whether it counts.
//
// RUN: cd %S && not airlite-opt decided_by_data.mlir --air-verify-program=device=npu1 2>&1 | %golden
// RUN: not airlite-compile %s --target=npu1 -o %t 2>&1 | FileCheck %s
// CHECK: decided_by_data.mlir:[[# @LINE + 18]]:7: error: it cannot be shown that 'air.channel.put' does not hang: data decides whether it runs

air.channel @in []
air.channel @out []
func.func @main(%from: memref<32xi32>, %to: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %sent = air.channel.put async @in[] (%from[] [] []) : (memref<32xi32>)
  %got = air.channel.get async @out[] (%to[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c3 = arith.constant 3 : index
    %c49 = arith.constant 49 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    linalg.add ins(%m, %m : memref<32xi32, 2>, memref<32xi32, 2>) outs(%m : memref<32xi32, 2>)
    %v = memref.load %m[%c3] : memref<32xi32, 2>
    %square = arith.muli %v, %v : i32
    %is = arith.cmpi ne, %square, %c49 : i32
    scf.if %is {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}
