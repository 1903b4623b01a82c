module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.air.remove_uninitialized_copy %f : (!transform.any_op) -> !transform.any_op
    %h = transform.air.convert_size1_vector_to_scalar %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
