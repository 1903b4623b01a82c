// RUN: airlite-opt %s --air-loop-merging='loop-merge-levels=0,1' --verify-diagnostics --remarks -o /dev/null
// RUN: not airlite-opt %s --air-loop-merging='loop-merge-levels=0,2' 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: not airlite-opt %s --air-loop-merging='loop-merge-levels=1,0' 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: not airlite-opt %s --air-loop-merging='loop-merge-levels=-1,0' 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: not airlite-opt %s --air-loop-merging 2>&1 | FileCheck %s --check-prefix=GAP

// GAP: air-loop-merging-declines.mlir:{{.*}}: error: expected loop-merge-levels that count on by one
func.func @declines(%a: memref<8xi32>, %n: index, %v: i32) {
  // expected-remark@+1 {{the nest has fewer loops than the levels name}}
  affine.for %i = 0 to 8 {
    affine.store %v, %a[%i] : memref<8xi32>
  } {affine_opt_label = "work"}
  // expected-remark@+1 {{the nest has fewer loops than the levels name}}
  affine.for %i = 0 to 8 {
    affine.store %v, %a[%i] : memref<8xi32>
    affine.for %j = 0 to 8 {
      affine.store %v, %a[%j] : memref<8xi32>
    }
  } {affine_opt_label = "work"}
  // expected-remark@+1 {{a loop to merge has no constant bounds}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %n {
      affine.store %v, %a[%j] : memref<8xi32>
    }
  } {affine_opt_label = "work"}
  // expected-remark@+1 {{a loop to merge never runs}}
  affine.for %i = 0 to 8 {
    affine.for %j = 4 to 4 {
      affine.store %v, %a[%j] : memref<8xi32>
    }
  } {affine_opt_label = "work"}
  // expected-remark@+1 {{the merged loop would have too many iterations}}
  affine.for %i = 0 to 4611686018427387904 {
    affine.for %j = 0 to 2 {
      affine.store %v, %a[%j] : memref<8xi32>
    }
  } {affine_opt_label = "work"}
  // expected-remark@+1 {{the nest has fewer loops than the levels name}}
  %r = affine.for %i = 0 to 8 iter_args(%s = %v) -> (i32) {
    affine.yield %s : i32
  } {affine_opt_label = "work"}
  return
}
