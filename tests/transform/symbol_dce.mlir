// RUN: airlite-opt %s --symbol-dce | FileCheck %s

// CHECK-NOT: @unused
func.func private @unused() {
  call @only_by_dead() : () -> ()
  return
}
// CHECK-NOT: @only_by_dead
func.func private @only_by_dead() {
  return
}
// CHECK: func.func private @used
func.func private @used() {
  return
}
// CHECK: func.func @public
func.func @public() {
  call @used() : () -> ()
  return
}
