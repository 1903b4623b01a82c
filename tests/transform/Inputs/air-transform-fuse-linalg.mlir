module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %elementwise = transform.structured.match ops{["func.func"]} attributes{elementwise} in %root : (!transform.any_op) -> !transform.any_op
    %same = transform.air.fuse_elementwise_linalg %elementwise : (!transform.any_op) -> !transform.any_op
    %two = transform.structured.match ops{["func.func"]} attributes{sym_name = "rows"} in %root : (!transform.any_op) -> !transform.any_op
    %first = transform.structured.match ops{["linalg.generic"]} in %two : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match ops{["linalg.reduce"]} in %two : (!transform.any_op) -> !transform.any_op
    %general = transform.structured.generalize %second : (!transform.any_op) -> !transform.any_op
    %fused = transform.air.fuse_multi_op_linalg %first, %general : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "truncated"} in %root : (!transform.any_op) -> !transform.any_op
    %wide = transform.structured.match ops{["linalg.generic"]} attributes{wide} in %f : (!transform.any_op) -> !transform.any_op
    %narrow = transform.structured.match ops{["linalg.generic"]} attributes{narrow} in %f : (!transform.any_op) -> !transform.any_op
    %one = transform.air.fuse_truncf_linalg %narrow, %wide : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %g = transform.structured.match ops{["func.func"]} attributes{sym_name = "narrow_sums"} in %root : (!transform.any_op) -> !transform.any_op
    %product = transform.structured.match ops{["linalg.matmul"]} in %g : (!transform.any_op) -> !transform.any_op
    %cast = transform.structured.match ops{["linalg.generic"]} in %g : (!transform.any_op) -> !transform.any_op
    %sums = transform.air.fuse_truncf_linalg %cast, %product : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
