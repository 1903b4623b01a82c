// Sequences, the ops that run them, and the types.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence private @outside(!transform.any_op {transform.consumed}, !transform.param<i64> {transform.readonly}) -> (!transform.any_op, !transform.op<"scf.for">)
  transform.named_sequence private @outside(%a: !transform.any_op {transform.consumed}, %p: !transform.param<i64> {transform.readonly}) -> (!transform.any_op, !transform.op<"scf.for">)
  // CHECK-NEXT: transform.named_sequence @identity(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op attributes {note = "x"} {
  // CHECK-NEXT: transform.yield %arg0 : !transform.any_op
  transform.named_sequence @identity(%a: !transform.any_op {transform.readonly}) -> (!transform.any_op) attributes {note = "x"} {
    transform.yield %a : !transform.any_op
  }
  // What is in the brackets of any_op is read and dropped.
  // CHECK: transform.named_sequence @types(%arg0: !transform.any_op, %arg1: !transform.any_value, %arg2: !transform.any_param, %arg3: !transform.type, %arg4: !transform.affine_map, %arg5: !transform.param<i8>, %arg6: !transform.op<"linalg.fill">) {
  transform.named_sequence @types(%a: !transform.any_op<"linalg.fill">, %b: !transform.any_value, %c: !transform.any_param, %d: !transform.type, %e: !transform.affine_map, %f: !transform.param<i8>, %g: !transform.op<"linalg.fill">) {
    transform.yield
  }
  // CHECK: transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}, %arg1: !transform.param<i64>) {
  transform.named_sequence @__transform_main(%a: !transform.any_op {transform.consumed}, %p: !transform.param<i64>) {
    // CHECK-NEXT: %0 = transform.include @identity failures(propagate) (%arg0) : (!transform.any_op) -> !transform.any_op
    %0 = transform.include @identity failures(propagate) (%a) : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %1:2 = transform.include @outside failures(suppress) (%arg0, %arg1) {note} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.op<"scf.for">)
    %1:2 = transform.include @outside failures(suppress) (%a, %p) {note} : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.op<"scf.for">)
    // CHECK-NEXT: transform.foreach %0 : !transform.any_op {
    // CHECK-NEXT: ^bb0(%arg2: !transform.any_op):
    // CHECK-NEXT: transform.annotate %arg2 "seen" : !transform.any_op
    // CHECK-NEXT: }
    transform.foreach %0 : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.annotate %one "seen" : !transform.any_op
    }
    // CHECK-NEXT: %2:2 = transform.foreach %0, %1#0 with_zip_shortest : !transform.any_op, !transform.any_op -> !transform.any_op, !transform.any_op {
    // CHECK-NEXT: ^bb0(%arg2: !transform.any_op, %arg3: !transform.any_op):
    // CHECK-NEXT: transform.yield %arg3, %arg2 : !transform.any_op, !transform.any_op
    // CHECK-NEXT: }
    %2:2 = transform.foreach %0, %1#0 with_zip_shortest : !transform.any_op, !transform.any_op -> !transform.any_op, !transform.any_op {
    ^bb0(%x: !transform.any_op, %y: !transform.any_op):
      transform.yield %y, %x : !transform.any_op, !transform.any_op
    }
    // CHECK-NEXT: %3 = transform.alternatives %2#0 : !transform.any_op -> !transform.any_op {
    // CHECK-NEXT: ^bb0(%arg2: !transform.any_op):
    // CHECK-NEXT: transform.yield %arg2 : !transform.any_op
    // CHECK-NEXT: }, {
    // CHECK-NEXT: ^bb0(%arg2: !transform.any_op):
    // CHECK-NEXT: transform.yield %arg2 : !transform.any_op
    // CHECK-NEXT: }
    %3 = transform.alternatives %2#0 : !transform.any_op -> !transform.any_op {
    ^bb0(%b: !transform.any_op):
      transform.yield %b : !transform.any_op
    }, {
    ^bb0(%b: !transform.any_op):
      transform.yield %b : !transform.any_op
    }
    // CHECK-NEXT: transform.yield
    transform.yield
  }
}

// Inside transform.sequence the name of the dialect need not be written.
// CHECK: transform.sequence failures(suppress) {
// CHECK-NEXT: ^bb0(%arg0: !transform.any_op):
transform.sequence failures(suppress) {
^bb0(%a: !transform.any_op):
  // CHECK-NEXT: annotate %arg0 "seen" : !transform.any_op
  annotate %a "seen" : !transform.any_op
  // CHECK-NEXT: %0 = sequence %arg0 : !transform.any_op -> !transform.any_op failures(propagate) {
  // CHECK-NEXT: ^bb0(%arg1: !transform.any_op):
  // CHECK-NEXT: yield %arg1 : !transform.any_op
  // CHECK-NEXT: }
  %r = transform.sequence %a : !transform.any_op -> !transform.any_op failures(propagate) {
  ^bb0(%b: !transform.any_op):
    transform.yield %b : !transform.any_op
  }
  // CHECK-NEXT: sequence %arg0, %0 : (!transform.any_op, !transform.any_op) failures(propagate) attributes {note} {
  // CHECK-NEXT: ^bb0(%arg1: !transform.any_op, %arg2: !transform.any_op):
  // CHECK-NEXT: }
  transform.sequence %a, %r : !transform.any_op, !transform.any_op failures(propagate) attributes {note} {
  ^bb0(%b: !transform.any_op, %c: !transform.any_op):
    transform.yield
  }
}
