module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.generic"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    transform.air.linalg_promote %ops {memory_space = "L2"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
