module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.air.convert_memref_copy_to_linalg_copy %f : (!transform.any_op) -> !transform.any_op
    transform.air.hoist_static_alloc %g : (!transform.any_op) -> ()
    %r = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
    %s = transform.air.transpose_reduce %r : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
