module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %others = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
