module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %reads = transform.air.eliminate_redundant_vector_transfers %all : (!transform.any_op) -> !transform.any_op
    %copies = transform.air.eliminate_cascade_memcpy %reads : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} attributes{flatten} in %root : (!transform.any_op) -> !transform.any_op
    %flat = transform.air.flatten_for_iter_args %loops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
