module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%all: !transform.any_op) {
    %loop = transform.structured.match attributes {good} in %all : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %loop, %loop : !transform.any_op
    %herds = transform.air.par_to_herd %both : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
