// RUN: airlite-opt %s --inline | FileCheck %s
// RUN: airlite-opt %s --inline --emit=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// A function that calls another one; the private ones are gone.
// CHECK-NOT: @twice_sum
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[B]]
// CHECK-NEXT: %[[D:.*]] = arith.addi %[[S]], %[[S]]
// CHECK-NEXT: call @outside
// CHECK-NEXT: return %[[D]], %[[A]]
func.func private @sum(%a: i32, %b: i32) -> (i32, i32) {
  %s = arith.addi %a, %b : i32
  return %s, %a : i32, i32
}
func.func private @twice_sum(%a: i32, %b: i32) -> (i32, i32) {
  %s:2 = call @sum(%a, %b) : (i32, i32) -> (i32, i32)
  %d = arith.addi %s#0, %s#0 : i32
  return %d, %s#1 : i32, i32
}
func.func private @outside()
func.func @main(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = call @twice_sum(%a, %b) : (i32, i32) -> (i32, i32)
  call @outside() : () -> ()
  return %r#0, %r#1 : i32, i32
}

// REMARK: inline.mlir:[[#@LINE+4]]:8: remark: [inline] not inlined: the function calls itself
// CHECK-LABEL: func.func private @again
// CHECK: call @again
func.func private @again(%a: i32) -> i32 {
  %r = call @again(%a) : (i32) -> i32
  return %r : i32
}

// Several blocks stay together.
// CHECK-LABEL: func.func @caller
// CHECK-SAME: (%[[C:.*]]: i1, %[[X:.*]]: i32)
// CHECK: %[[R:.*]] = scf.execute_region -> i32 {
// CHECK: cf.cond_br %[[C]], ^[[ONE:.*]], ^[[TWO:.*]]
// CHECK: ^[[ONE]]:
// CHECK: scf.yield %[[X]] : i32
// CHECK: ^[[TWO]]:
// CHECK: %[[D:.*]] = arith.addi %[[X]], %[[X]]
// CHECK: scf.yield %[[D]] : i32
// CHECK: return %[[R]]
func.func private @blocks(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^one, ^two
^one:
  return %x : i32
^two:
  %d = arith.addi %x, %x : i32
  return %d : i32
}
func.func @caller(%c: i1, %x: i32) -> i32 {
  %r = call @blocks(%c, %x) : (i1, i32) -> i32
  return %r : i32
}
