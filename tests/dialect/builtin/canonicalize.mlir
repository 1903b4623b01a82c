// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @there_and_back(
func.func @there_and_back(%a: i32, %b: f32) -> (i32, f32) {
  // CHECK-NEXT: return %arg0, %arg1 : i32, f32
  %0 = builtin.unrealized_conversion_cast %a, %b : i32, f32 to i64
  %1:2 = builtin.unrealized_conversion_cast %0 : i64 to i32, f32
  return %1#0, %1#1 : i32, f32
}

// CHECK-LABEL: func.func @to_the_same_type(
func.func @to_the_same_type(%a: i32) -> i32 {
  // CHECK-NEXT: return %arg0 : i32
  %0 = builtin.unrealized_conversion_cast %a : i32 to i32
  return %0 : i32
}

// CHECK-LABEL: func.func @parts_in_another_order(
func.func @parts_in_another_order(%a: i32) -> i32 {
  // CHECK-NEXT: %0:2 = builtin.unrealized_conversion_cast %arg0 : i32 to i16, i16
  // CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %0#1, %0#0 : i16, i16 to i32
  // CHECK-NEXT: return %1 : i32
  %0:2 = builtin.unrealized_conversion_cast %a : i32 to i16, i16
  %1 = builtin.unrealized_conversion_cast %0#1, %0#0 : i16, i16 to i32
  return %1 : i32
}
