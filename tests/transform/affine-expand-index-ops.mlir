// RUN: airlite-opt %s --check-each --affine-expand-index-ops | FileCheck %s

// Both become arithmetic; other affine ops stay.
// CHECK-LABEL: func.func @both
// CHECK-NOT: affine.delinearize_index
// CHECK-NOT: affine.linearize_index
// CHECK: arith.remsi
// CHECK: arith.muli
// CHECK: affine.apply
func.func @both(%m: memref<8x8xi32>, %i: index) -> i32 {
  %q:2 = affine.delinearize_index %i into (8, 8) : index, index
  %j = affine.linearize_index [%q#1, %q#0] by (8, 8) : index
  %k = affine.apply affine_map<()[s0] -> (s0 mod 8)>()[%j]
  %v = memref.load %m[%k, %q#1] : memref<8x8xi32>
  return %v : i32
}
