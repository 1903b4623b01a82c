// Branches, switch and assert, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK-LABEL: func.func @branches(
func.func @branches(%c: i1, %a: i32, %f: f32) {
  // CHECK-NEXT: cf.assert %arg0, "said \22no\22\0A"
  cf.assert %c, "said \"no\"\n"
  // CHECK-NEXT: cf.br ^bb1
  cf.br ^bb1
^bb1:
  // CHECK: cf.br ^bb2(%arg1, %arg2 : i32, f32) {note}
  cf.br ^bb2(%a, %f : i32, f32) {note}
^bb2(%x: i32, %y: f32):
  // CHECK: cf.cond_br %arg0, ^bb3, ^bb2(%{{.*}}, %{{.*}} : i32, f32)
  cf.cond_br %c, ^bb3, ^bb2(%x, %y : i32, f32)
^bb3:
  // CHECK: cf.cond_br %arg0, ^bb3, ^bb4 {note}
  cf.cond_br %c, ^bb3, ^bb4 {note}
^bb4:
  return
}

// CHECK-LABEL: func.func @switches(
func.func @switches(%flag: i32, %small: i8, %a: i32) {
  // CHECK-NEXT: cf.switch %arg0 : i32, [
  // CHECK-NEXT:   default: ^bb1(%arg2 : i32),
  // CHECK-NEXT:   42: ^bb1(%arg0 : i32),
  // CHECK-NEXT:   4294967295: ^bb2
  // CHECK-NEXT: ]
  cf.switch %flag : i32, [
    default: ^bb1(%a : i32),
    42: ^bb1(%flag : i32),
    -1: ^bb2
  ]
^bb1(%x: i32):
  // CHECK: cf.switch %arg1 : i8, [
  // CHECK-NEXT: default: ^bb2]
  cf.switch %small : i8, [default: ^bb2]
^bb2:
  return
}
