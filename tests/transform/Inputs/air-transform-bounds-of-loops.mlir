module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %others = transform.split_handle %f {overflow_result = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a = transform.structured.match ops{["scf.for"]} in %first : (!transform.any_op) -> !transform.any_op
    %outer, %inner = transform.split_handle %a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b = transform.air.normalize_for_bounds %inner : (!transform.any_op) -> !transform.any_op
    %c = transform.structured.match ops{["scf.for"]} in %others : (!transform.any_op) -> !transform.any_op
    %d = transform.air.normalize_for_bounds %c : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
