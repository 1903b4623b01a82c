// Modules and casts, in the custom and in the generic form.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: module @top attributes {a.b = 1 : i32} {
module @top attributes {a.b = 1 : i32} {
  // CHECK-NEXT: module {
  // CHECK-NEXT: }
  builtin.module {}
  // CHECK-NEXT: module @"in ner" {
  // CHECK-NEXT:   func.func private @f()
  // CHECK-NEXT: }
  module @"in ner" {
    func.func private @f()
  }
  // CHECK-LABEL: func.func @casts(
  func.func @casts(%a: i32) {
    // CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg0 : i32 to i64
    %0 = builtin.unrealized_conversion_cast %a : i32 to i64
    // CHECK-NEXT: %1:2 = builtin.unrealized_conversion_cast %arg0, %0 : i32, i64 to f32, f64
    %1:2 = builtin.unrealized_conversion_cast %a, %0 : i32, i64 to f32, f64
    // CHECK-NEXT: %2 = builtin.unrealized_conversion_cast to i8 {note}
    %2 = builtin.unrealized_conversion_cast to i8 {note}
    return
  }
}
