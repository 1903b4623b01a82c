// Block arguments that nobody reads are not passed on; those of the entry block stay.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

func.func private @use(i32)

// CHECK-LABEL: func.func @unread(
// CHECK-NEXT: cf.cond_br %arg0, ^bb1(%arg2 : i32), ^bb2
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: call @use(%0) : (i32) -> ()
// CHECK-NEXT: cf.br ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: call @use(%arg1) : (i32) -> ()
// CHECK-NEXT: cf.br ^bb3
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %arg2 : i32
func.func @unread(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^bb1(%a, %b : i32, i32), ^bb2(%b : i32)
^bb1(%x: i32, %w: i32):
  func.call @use(%w) : (i32) -> ()
  cf.br ^bb3(%w : i32)
^bb2(%y: i32):
  func.call @use(%a) : (i32) -> ()
  cf.br ^bb3(%a : i32)
^bb3(%z: i32):
  return %b : i32
}
