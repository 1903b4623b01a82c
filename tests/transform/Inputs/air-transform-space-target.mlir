module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loops = transform.structured.match ops{["scf.parallel"]} in %root : (!transform.any_op) -> !transform.any_op
    %a = transform.air.override_memref_memory_space %loops {memory_space = 2 : i32} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
