// RUN: airlite-opt %s --affine-loop-opt='affine-opt-tile-sizes=2,2' --verify-diagnostics --remarks | FileCheck %s

// CHECK-LABEL: func.func @order
// CHECK: affine.for
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.load
func.func @order(%a: memref<8xi32>, %n: index) {
  // Each iteration continues with what the one before has left.
  // expected-remark@+1 {{iterations would change their order and may depend on each other}}
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %a[%i] : memref<8xi32>
      affine.store %v, %a[%j] : memref<8xi32>
    }
  } {affine_opt_label = "tiling"}
  // expected-remark@+1 {{a loop of the nest has no constant bounds}}
  affine.for %i = 0 to %n {
  } {affine_opt_label = "tiling"}
  // expected-remark@+1 {{a loop of the nest has too many iterations}}
  affine.for %i = 0 to 9223372036854775807 {
  } {affine_opt_label = "tiling"}
  %c0 = arith.constant 0 : i32
  // expected-remark@+1 {{a loop of the nest carries values}}
  %r = affine.for %i = 0 to 8 iter_args(%s = %c0) -> (i32) {
    affine.yield %s : i32
  } {affine_opt_label = "tiling"}
  return
}

// CHECK-LABEL: func.func @calls
func.func private @work(index, index)
func.func @calls() {
  // expected-remark@+1 {{iterations would change their order and may depend on each other}}
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      func.call @work(%i, %j) : (index, index) -> ()
    }
  } {affine_opt_label = "tiling"}
  return
}
