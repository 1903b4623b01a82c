// Several errors in one run, notes, the caret under the whole token, JSON, --max-errors.
// RUN: not airlite-opt %s 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --diagnostics-format=json 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: not airlite-opt %s --max-errors=1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not airlite-opt %s -o %t.out 2>&1 | FileCheck %s; test ! -e %t.out

func.func @f(%a: i32) {
  // CHECK: diagnostics.mlir:[[@LINE+3]]:8: error: custom op 'arith.adi' is unknown; did you mean 'arith.addi'?
  // CHECK-NEXT: %0 = arith.adi %a, %a : i32
  // CHECK-NEXT: {{^       \^\^\^\^\^\^\^\^\^$}}
  %0 = arith.adi %a, %a : i32
  // The result of the broken line is not reported again.
  // CHECK-NOT: error
  %1 = arith.addi %0, %0 : i32
  // CHECK: diagnostics.mlir:[[@LINE+2]]:19: error: use of value '%a' expects different type than prior uses: 'i64' vs 'i32'
  // CHECK: diagnostics.mlir:7:14: note: prior use here
  %2 = arith.addi %a, %a : i64
  return
}
// JSON: {"severity":"error"
// JSON-SAME: "message":"custom op 'arith.adi' is unknown; did you mean 'arith.addi'?"
// ONE: error: custom op
// ONE: too many errors
// ONE-NOT: error: use of value
