// RUN: airlite-opt %s --canonicalize | FileCheck %s

func.func private @callee(i32) -> i32

// CHECK-LABEL: func.func @indirect_call_of_a_known_function(
func.func @indirect_call_of_a_known_function(%a: i32) -> i32 {
  // CHECK-NEXT: %0 = call @callee(%arg0) {note} : (i32) -> i32
  // CHECK-NEXT: return %0 : i32
  %f = func.constant @callee : (i32) -> i32
  %r = call_indirect %f(%a) {note} : (i32) -> i32
  return %r : i32
}

// A call may do anything: it stays although its result is not used.
// CHECK-LABEL: func.func @unused_call(
func.func @unused_call(%a: i32) {
  // CHECK-NEXT: %0 = call @callee(%arg0) : (i32) -> i32
  %0 = call @callee(%a) : (i32) -> i32
  return
}
