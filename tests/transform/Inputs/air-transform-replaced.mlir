module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %b = transform.structured.match ops{["math.absf", "vector.broadcast"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %c = transform.merge_handles %f, %b : !transform.any_op
    %d = transform.air.broadcast_before_unary %c : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
