module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %a = transform.air.linalg_to_library_call %f : (!transform.any_op) -> !transform.any_op
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %b = transform.air.linalg_to_library_call %m {function_name = "product", link_with = "p.o"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
