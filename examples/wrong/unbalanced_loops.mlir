// The segment sends eight rows to each core, the cores take seven.
//
// RUN: cd %S && not airlite-opt unbalanced_loops.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: error: deadlock

air.channel @rows [2]

func.func @main(%in: memref<16x16xf32>) {
  air.launch () in () args(%a = %in) : memref<16x16xf32> {
    air.segment @rows args(%src = %a) : memref<16x16xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %t = air.herd @cores async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        %from = arith.constant 0 : index
        %to = arith.constant 7 : index
        %step = arith.constant 1 : index
        %m = memref.alloc() : memref<16xf32, 2>
        scf.for %i = %from to %to step %step {
          air.channel.get @rows[%x] (%m[] [] []) : (memref<16xf32, 2>)
        }
      }
      scf.parallel (%core) = (%c0) to (%c2) step (%c1) {
        scf.for %i = %c0 to %c8 step %c1 {
          %row = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%core, %i)
          air.channel.put @rows[%core] (%src[%row, %c0] [%c1, %c16] [%c16, %c1])
              : (memref<16x16xf32>)
        }
      }
    }
  }
  return
}
