module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %a = transform.air.override_memref_memory_space %f {memory_space = 5 : i32} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
