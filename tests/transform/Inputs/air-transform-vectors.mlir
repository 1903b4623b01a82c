module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} attributes{sym_name = "all"} in %root : (!transform.any_op) -> !transform.any_op
    %a = transform.air.broadcast_before_unary %f : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.match ops{["func.func"]} attributes{sym_name = "named"} in %root : (!transform.any_op) -> !transform.any_op
    %b = transform.air.broadcast_before_unary %g {op_name = "math.sqrt"} : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.match ops{["func.func"]} attributes{sym_name = "divisions"} in %root : (!transform.any_op) -> !transform.any_op
    %c = transform.air.convert_divf_sqrt_to_rsqrt %h : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
