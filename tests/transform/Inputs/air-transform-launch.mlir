module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%all: !transform.any_op {transform.readonly}) {
    %alloc = transform.structured.match ops{["memref.alloc"]} in %all : (!transform.any_op) -> !transform.any_op
    %inner = transform.get_parent_op %alloc {op_name = "scf.parallel"} : (!transform.any_op) -> !transform.any_op
    %outer = transform.get_parent_op %inner {op_name = "scf.parallel"} : (!transform.any_op) -> !transform.any_op
    %launch = transform.air.par_to_launch %outer {has_air_segment = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
