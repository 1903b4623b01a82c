module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %d = transform.air.normalize_for_bounds %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
