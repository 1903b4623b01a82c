// What only looks through handles and is not used goes; what changes the payload stays.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: @__transform_main
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    // CHECK-NEXT: %[[FOR:.*]] = transform.structured.match ops{["scf.for"]} in %arg0
    %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["unused"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.param.constant 1 : i64 -> !transform.param<i64>
    // CHECK-NEXT: transform.annotate %[[FOR]] "one" : !transform.any_op
    %3 = transform.merge_handles %0 : !transform.any_op
    transform.annotate %3 "one" : !transform.any_op
    // CHECK-NEXT: %[[BOTH:.*]] = transform.merge_handles deduplicate %[[FOR]], %[[FOR]] : !transform.any_op
    // CHECK-NEXT: transform.annotate %[[BOTH]] "both" : !transform.any_op
    %4 = transform.merge_handles deduplicate %0, %0 : !transform.any_op
    transform.annotate %4 "both" : !transform.any_op
    transform.foreach %0 : !transform.any_op {
    ^bb0(%one: !transform.any_op):
    }
    // CHECK-NEXT: transform.foreach %[[FOR]] : !transform.any_op {
    // CHECK-NEXT: ^bb0(%[[ONE:.*]]: !transform.any_op):
    // CHECK-NEXT: transform.annotate %[[ONE]] "each" : !transform.any_op
    // CHECK-NEXT: }
    transform.foreach %0 : !transform.any_op {
    ^bb0(%one: !transform.any_op):
      transform.annotate %one "each" : !transform.any_op
    }
    // The payload has changed, although nothing asks for the result.
    // CHECK-NEXT: transform.loop.forall_to_for %[[FOR]]
    %5 = transform.loop.forall_to_for %0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.yield
    transform.yield
  }
}
