// A program that is too large to look at as a whole: some instances of its launch are, but all cores of
// a herd that has barriers.
// RUN: airlite-opt %s --air-verify-program=max-points=500 --remarks --emit=none 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}it is too large, so only
// CHECK-NOT: error
module attributes {airlite.wave_size = 64 : i64} {
func.func @f(%m: memref<8x64xf32>) {
  %c64 = arith.constant 64 : index
  air.launch (%i) in (%n=%c64) args(%a=%m) : memref<8x64xf32> {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    air.herd tile (%x, %y) in (%nx=%c2, %ny=%c4) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %k = %c0 to %c8 step %c1 {
        gpu.barrier
      }
    }
  }
  return
}
}
