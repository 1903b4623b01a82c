// Functions, calls and references to functions, in the custom and in the generic form.
// RUN: airlite-opt %s --allow-unregistered | FileCheck %s
// RUN: airlite-opt %s --allow-unregistered --print-generic | airlite-opt --allow-unregistered | FileCheck %s

// CHECK: func.func private @declared(i32, f32)
func.func private @declared(i32, f32)
// CHECK: func.func private @attributes(i32 {a.b}, f32 {a.c = 1 : i32}) -> (i64 {a.d}, f32) attributes {note = "x"}
func.func private @attributes(i32 {a.b}, f32 {a.c = 1 : i32}) -> (i64 {a.d}, f32) attributes {note = "x"}
// CHECK: func.func nested @nested()
func.func nested @nested()
// CHECK: func.func private @"a name"() -> index
func.func private @"a name"() -> index
// CHECK: func.func private @higher((i32) -> i32) -> ((i32) -> i32)
func.func private @higher((i32) -> i32) -> ((i32) -> i32)

// CHECK-LABEL: func.func public @body(
// CHECK-SAME: %arg0: i32 {a.b}, %arg1: f32) -> i32 attributes {note} {
func.func public @body(%x: i32 {a.b}, %y: f32) -> i32 attributes {note} {
  // CHECK-NEXT: return %arg0 : i32
  return %x : i32
}

// CHECK-LABEL: func.func @one_result_with_attributes(%arg0: i32) -> (i32 {a.b}) {
func.func @one_result_with_attributes(%x: i32) -> (i32 {a.b}) {
  // CHECK-NEXT: return {note} %arg0 : i32
  func.return {note} %x : i32
}

// CHECK-LABEL: func.func @two_results(
func.func @two_results(%x: i32, %y: f32) -> (i32, f32) {
  // CHECK-NEXT: return %arg0, %arg1 : i32, f32
  return %x, %y : i32, f32
}

// CHECK-LABEL: func.func @calls(
func.func @calls(%x: i32, %y: f32) -> f32 {
  // CHECK-NEXT: call @declared(%arg0, %arg1) : (i32, f32) -> ()
  func.call @declared(%x, %y) : (i32, f32) -> ()
  // CHECK-NEXT: %0:2 = call @two_results(%arg0, %arg1) {note} : (i32, f32) -> (i32, f32)
  %0:2 = call @two_results(%x, %y) {note} : (i32, f32) -> (i32, f32)
  // CHECK-NEXT: %1 = call @"a name"() : () -> index
  %1 = call @"a name"() : () -> index
  // CHECK-NEXT: %f = constant @two_results : (i32, f32) -> (i32, f32)
  %f = func.constant @two_results : (i32, f32) -> (i32, f32)
  // CHECK-NEXT: %2:2 = call_indirect %f(%0#0, %0#1) : (i32, f32) -> (i32, f32)
  %2:2 = func.call_indirect %f(%0#0, %0#1) : (i32, f32) -> (i32, f32)
  // CHECK-NEXT: %f_0 = constant {note} @nested : () -> ()
  %g = constant {note} @nested : () -> ()
  // CHECK-NEXT: call_indirect %f_0() {note} : () -> ()
  call_indirect %g() {note} : () -> ()
  // Inside another op the name is written in full.
  // CHECK: func.call @nested() : () -> ()
  "test.region"() ({
    func.call @nested() : () -> ()
  }) : () -> ()
  return %2#1 : f32
}

// CHECK-LABEL: func.func @blocks(
func.func @blocks(%x: i32) {
  // CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
  cf.br ^next(%x : i32)
// CHECK-NEXT: ^bb1(%0: i32):
^next(%y: i32):
  // CHECK-NEXT: return
  return
}
