module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "carried"} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
    %wide = transform.structured.match ops{["arith.extsi"]} in %loop : (!transform.any_op) -> !transform.any_op
    %narrow = transform.structured.match ops{["arith.trunci"]} in %loop : (!transform.any_op) -> !transform.any_op
    %new = transform.air.hoist_cast_pair %wide, %narrow, %loop : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    %g = transform.structured.match ops{["func.func"]} attributes{sym_name = "also_used"} in %root : (!transform.any_op) -> !transform.any_op
    %loop2 = transform.structured.match ops{["scf.for"]} in %g : (!transform.any_op) -> !transform.any_op
    %wide2 = transform.structured.match ops{["arith.extsi"]} in %loop2 : (!transform.any_op) -> !transform.any_op
    %narrow2 = transform.structured.match ops{["arith.trunci"]} in %loop2 : (!transform.any_op) -> !transform.any_op
    %new2 = transform.air.hoist_cast_pair %wide2, %narrow2, %loop2 : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    %h = transform.structured.match ops{["func.func"]} attributes{sym_name = "product"} in %root : (!transform.any_op) -> !transform.any_op
    %muls = transform.structured.match ops{["arith.muli"]} in %h : (!transform.any_op) -> !transform.any_op
    %cast = transform.air.vector_type_cast %muls {target_element_type = i16} : (!transform.any_op) -> !transform.any_op
    %adds = transform.structured.match ops{["arith.addi"]} in %h : (!transform.any_op) -> !transform.any_op
    %same = transform.air.vector_type_cast %adds {target_element_type = i8} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
