module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %first = transform.structured.match ops{["linalg.generic"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match ops{["linalg.generic"]} attributes{second} in %root : (!transform.any_op) -> !transform.any_op
    %fused = transform.air.fuse_multi_op_linalg %first, %second : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
