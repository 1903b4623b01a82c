module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %reads = transform.air.eliminate_redundant_vector_transfers %all : (!transform.any_op) -> !transform.any_op
    %copies = transform.air.eliminate_cascade_memcpy %reads : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
