// Branches whose way is known, or that only lead on.
// RUN: airlite-opt %s --canonicalize --allow-unregistered | FileCheck %s

// CHECK-LABEL: func.func @constant_condition(
func.func @constant_condition(%a: i32, %b: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %t = arith.constant true
  cf.cond_br %t, ^bb1(%a : i32), ^bb1(%b : i32)
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @same_target(
func.func @same_target(%c: i1, %a: i32, %b: i32) -> (i32) {
  // CHECK-NEXT: %0 = arith.select %arg0, %arg1, %arg2 : i32
  // CHECK-NEXT: return %0 : i32
  cf.cond_br %c, ^bb1(%a : i32), ^bb1(%b : i32)
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @pass_through(
func.func @pass_through(%c: i1, %a: i32, %b: i32) -> (i32) {
  // CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2(%arg2 : i32)
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: "test.a"() : () -> ()
  // CHECK-NEXT: cf.br ^bb2(%arg1 : i32)
  // CHECK-NEXT: ^bb2(%0: i32):
  // CHECK-NEXT: "test.b"() : () -> ()
  // CHECK-NEXT: return %0 : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.a"() : () -> ()
  cf.br ^bb3(%a : i32)
^bb2:
  cf.br ^bb3(%b : i32)
^bb3(%x: i32):
  "test.b"() : () -> ()
  return %x : i32
}

// CHECK-LABEL: func.func @condition_known_in_targets(
func.func @condition_known_in_targets(%c: i1) -> (i1) {
  // CHECK-NEXT: %true = arith.constant true
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: "test.a"(%true) : (i1) -> ()
  // CHECK-NEXT: return %true : i1
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: "test.b"(%false) : (i1) -> ()
  // CHECK-NEXT: return %false : i1
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.a"(%c) : (i1) -> ()
  return %c : i1
^bb2:
  "test.b"(%c) : (i1) -> ()
  return %c : i1
}

// CHECK-LABEL: func.func @same_condition_above(
func.func @same_condition_above(%c: i1) -> (i1) {
  // CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
  // CHECK-NEXT: ^bb1:
  // CHECK-NEXT: "test.a"() : () -> ()
  // CHECK-NEXT: cf.br ^bb2
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: "test.b"(%arg0) : (i1) -> ()
  // CHECK-NEXT: return %arg0 : i1
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.a"() : () -> ()
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  "test.b"(%c) : (i1) -> ()
  return %c : i1
^bb3:
  "test.c"(%c) : (i1) -> ()
  return %c : i1
}

// CHECK-LABEL: func.func @switch_default_cases(
func.func @switch_default_cases(%f: i32, %a: i32) -> (i32) {
  // CHECK-NEXT: cf.switch %arg0 : i32, [
  // CHECK-NEXT: default: ^bb1(%arg1 : i32),
  // CHECK-NEXT: 2: ^bb2
  // CHECK-NEXT: ]
  // CHECK-NEXT: ^bb1(%0: i32):
  // CHECK-NEXT: return %0 : i32
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: "test.c"(%arg0) : (i32) -> ()
  // CHECK-NEXT: return %arg0 : i32
  cf.switch %f : i32, [default: ^bb1(%a : i32), 1: ^bb1(%a : i32), 2: ^bb2]
^bb1(%x: i32):
  return %x : i32
^bb2:
  "test.c"(%f) : (i32) -> ()
  return %f : i32
}

// CHECK-LABEL: func.func @switch_constant(
func.func @switch_constant(%a: i32) -> (i32) {
  // CHECK-NEXT: %c2_i32 = arith.constant 2 : i32
  // CHECK-NEXT: "test.c"(%c2_i32) : (i32) -> ()
  // CHECK-NEXT: return %c2_i32 : i32
  %f = arith.constant 2 : i32
  cf.switch %f : i32, [default: ^bb1(%a : i32), 1: ^bb1(%a : i32), 2: ^bb2]
^bb1(%x: i32):
  return %x : i32
^bb2:
  "test.c"(%f) : (i32) -> ()
  return %f : i32
}

// CHECK-LABEL: func.func @switch_only_default(
func.func @switch_only_default(%a: i32) -> (i32) {
  // CHECK-NEXT: return %arg0 : i32
  cf.switch %a : i32, [default: ^bb1(%a : i32)]
^bb1(%x: i32):
  return %x : i32
}

// CHECK-LABEL: func.func @assert_true(
func.func @assert_true(%a: i32) -> (i32) {
  // CHECK-NEXT: %false = arith.constant false
  // CHECK-NEXT: cf.assert %false, "x"
  // CHECK-NEXT: return %arg0 : i32
  %t = arith.constant true
  %f = arith.constant false
  cf.assert %t, "x"
  cf.assert %f, "x"
  return %a : i32
}

// CHECK-LABEL: func.func @switch_pass_through(
func.func @switch_pass_through(%c: i1, %f: i32, %a: i32) -> (i32) {
  // CHECK-NEXT: cf.switch %arg1 : i32, [
  // CHECK-NEXT: default: ^bb1(%arg2 : i32),
  // CHECK-NEXT: 1: ^bb2,
  // CHECK-NEXT: 2: ^bb1(%arg1 : i32)
  // CHECK-NEXT: ]
  // CHECK-NEXT: ^bb1(%0: i32):
  // CHECK-NEXT: "test.c"(%arg1) : (i32) -> ()
  // CHECK-NEXT: return %0 : i32
  // CHECK-NEXT: ^bb2:
  // CHECK-NEXT: "test.d"(%arg1) : (i32) -> ()
  // CHECK-NEXT: return %arg1 : i32
  cf.switch %f : i32, [default: ^bb1(%a : i32), 1: ^bb3, 2: ^bb2(%f : i32)]
^bb1(%x: i32):
  "test.c"(%f) : (i32) -> ()
  return %x : i32
^bb2(%y: i32):
  cf.br ^bb1(%y : i32)
^bb3:
  "test.d"(%f) : (i32) -> ()
  return %f : i32
}
