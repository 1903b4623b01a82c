module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%all: !transform.any_op) {
    transform.apply_cse to %all : !transform.any_op
    transform.yield
  }
}
