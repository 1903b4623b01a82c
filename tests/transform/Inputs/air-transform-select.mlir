module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%all: !transform.any_op {transform.readonly}) {
    %alloc = transform.structured.match ops{["memref.alloc"]} in %all : (!transform.any_op) -> !transform.any_op
    %inner = transform.get_parent_op %alloc : (!transform.any_op) -> !transform.any_op
    %outer = transform.get_parent_op %inner : (!transform.any_op) -> !transform.any_op
    %both = transform.merge_handles %outer, %alloc : !transform.any_op
    %loop = transform.select "scf.parallel" in %both : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %loop, "around" : !transform.any_op
    %cast = transform.cast %loop : !transform.any_op to !transform.op<"scf.parallel">
    %segment = transform.air.par_to_segment %cast : (!transform.op<"scf.parallel">) -> !transform.any_op
    transform.yield
  }
}
