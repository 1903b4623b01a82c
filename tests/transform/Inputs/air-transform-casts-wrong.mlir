module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %muls = transform.structured.match ops{["arith.muli"]} in %root : (!transform.any_op) -> !transform.any_op
    %cast = transform.air.vector_type_cast %muls {target_element_type = i16, input_indices = [0]} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
