// Each level the memory that belongs to it.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %herds = transform.structured.match ops{["air.herd"]} in %root : (!transform.any_op) -> !transform.any_op
    %a = transform.air.override_memref_memory_space %herds {memory_space = 2 : i32} : (!transform.any_op) -> !transform.any_op
    %segments = transform.structured.match ops{["air.segment"]} in %root : (!transform.any_op) -> !transform.any_op
    %b = transform.air.override_memref_memory_space %segments {memory_space = 1 : i32} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
