module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%all: !transform.any_op) {
    %loops = transform.structured.match ops{["scf.parallel"]} in %all : (!transform.any_op) -> !transform.any_op
    %herds = transform.air.par_to_herd %loops : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
