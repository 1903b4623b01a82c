// A loop whose iterations have no place in a channel is not followed for all of its two thousand million rounds.
// REQUIRES: !sanitize
// RUN: not airlite-opt %s --air-verify-program 2>&1 | FileCheck %s
// CHECK: error: index [4] is outside of channel
// CHECK: warning: this function is not verified: it runs too often
air.channel @c [4]
func.func @long(%a: memref<4x16xi32>) {
  air.launch () in () args(%x=%a) : memref<4x16xi32> {
    air.segment @s {
      %one = arith.constant 1 : index
      air.herd @h tile(%tx, %ty) in (%sx=%one, %sy=%one) {
        %first = arith.constant 4 : index
        %step = arith.constant 1 : index
        %end = arith.constant 2147483647 : index
        %m = memref.alloc() : memref<16xi32, 2>
        scf.for %i = %first to %end step %step {
          %sum = arith.addi %tx, %i : index
          %place = arith.remui %sum, %end : index
          %t = air.channel.put async [] @c[%place] (%m[] [] []) : (memref<16xi32, 2>)
          air.wait_all [%t]
        }
        memref.dealloc %m : memref<16xi32, 2>
      }
    }
  }
  return
}
