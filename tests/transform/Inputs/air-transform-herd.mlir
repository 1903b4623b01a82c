module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%all: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.parallel"]} attributes {inner} in %all : (!transform.any_op) -> !transform.any_op
    %herds = transform.air.par_to_herd %loops {first_dim = 1 : i64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
