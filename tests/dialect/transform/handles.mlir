// Ops that move handles and parameters about, and that act on whole payload ops.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
  transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
    // CHECK-NEXT: %0 = transform.get_parent_op %arg0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    %0 = transform.get_parent_op %arg0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %1 = transform.get_producer_of_operand %arg0[0] : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_producer_of_operand %arg0[0] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %2 = transform.get_consumers_of_result %arg0[0] : (!transform.any_op) -> !transform.any_op
    %2 = transform.get_consumers_of_result %arg0[0] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %3 = transform.get_defining_op %arg3 : (!transform.any_value) -> !transform.any_op
    %3 = transform.get_defining_op %arg3 : (!transform.any_value) -> !transform.any_op
    // CHECK-NEXT: %4 = transform.get_operand %arg0[except(0, -1)] : (!transform.any_op) -> !transform.any_value
    %4 = transform.get_operand %arg0[except(0, -1)] : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %5 = transform.get_result %arg0[all] : (!transform.any_op) -> !transform.any_value
    %5 = transform.get_result %arg0[all] : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %6 = transform.get_type elemental %arg3 : (!transform.any_value) -> !transform.type
    %6 = transform.get_type elemental %arg3 : (!transform.any_value) -> !transform.type
    // CHECK-NEXT: %7 = transform.cast %arg0 : !transform.any_op to !transform.op<"scf.for">
    %7 = transform.cast %arg0 : !transform.any_op to !transform.op<"scf.for">
    // CHECK-NEXT: %8 = transform.merge_handles %arg0, %arg1 : !transform.any_op
    %8 = transform.merge_handles %arg0, %arg1 : !transform.any_op
    // CHECK-NEXT: %9:2 = transform.split_handle %arg0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %9:2 = transform.split_handle %arg0 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %10 = transform.replicate num(%arg0) %arg1 : !transform.any_op, !transform.any_op
    %10 = transform.replicate num(%arg0) %arg1 : !transform.any_op, !transform.any_op
    // CHECK-NEXT: %11 = transform.select "scf.for" in %arg0 : (!transform.any_op) -> !transform.any_op
    %11 = transform.select "scf.for" in %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %12 = transform.num_associations %arg0 : (!transform.any_op) -> !transform.param<i64>
    %12 = transform.num_associations %arg0 : (!transform.any_op) -> !transform.param<i64>
    // CHECK-NEXT: %13 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %13 = transform.param.constant 4 : i64 -> !transform.param<i64>
    // CHECK-NEXT: transform.annotate %arg0 "link_with" = %arg4 : !transform.any_op, !transform.param<i64>
    transform.annotate %arg0 "link_with" = %arg4 : !transform.any_op, !transform.param<i64>
    // CHECK-NEXT: transform.apply_cse to %arg0 : !transform.any_op
    transform.apply_cse to %arg0 : !transform.any_op
    // CHECK-NEXT: transform.apply_dce to %arg0 : !transform.any_op
    transform.apply_dce to %arg0 : !transform.any_op
    // CHECK-NEXT: transform.apply_licm to %arg0 : !transform.any_op
    transform.apply_licm to %arg0 : !transform.any_op
    // CHECK-NEXT: %14 = transform.apply_registered_pass "canonicalize" to %arg0 : (!transform.any_op) -> !transform.any_op
    %14 = transform.apply_registered_pass "canonicalize" to %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.verify %arg0 : !transform.any_op
    transform.verify %arg0 : !transform.any_op
    // CHECK-NEXT: transform.print %arg0 {name = "after tiling"} : !transform.any_op
    transform.print %arg0 {name = "after tiling"} : !transform.any_op
    // CHECK-NEXT: transform.debug.emit_remark_at %arg0, "found" : !transform.any_op
    transform.debug.emit_remark_at %arg0, "found" : !transform.any_op
    // CHECK-NEXT: transform.debug.emit_param_as_remark %arg4, "size" at %arg0 : !transform.param<i64>, !transform.any_op
    transform.debug.emit_param_as_remark %arg4, "size" at %arg0 : !transform.param<i64>, !transform.any_op
    // CHECK-NEXT: transform.match.operation_empty %arg0 : !transform.any_op
    transform.match.operation_empty %arg0 : !transform.any_op
    // CHECK-NEXT: transform.match.operation_name %arg0 ["scf.for", "scf.forall"] : !transform.any_op
    transform.match.operation_name %arg0 ["scf.for", "scf.forall"] : !transform.any_op
    // CHECK-NEXT: transform.match.param.cmpi eq %arg4, %arg4 : !transform.param<i64>
    transform.match.param.cmpi eq %arg4, %arg4 : !transform.param<i64>
    // CHECK-NEXT: transform.yield
    transform.yield
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
