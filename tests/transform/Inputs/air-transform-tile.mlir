module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %product = transform.structured.match ops{["linalg.matmul"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.air.linalg_tile %product [16, 8, 0]
    %inside = transform.air.fuse_into_containing_op %fill into %loop : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.air.linalg_promote %inside {"operands_to_promote"=[1], "memory_space"="L1"} : (!transform.any_op) -> !transform.any_op
    transform.air.linalg_promote %tile {"operands_to_promote"=[2], "memory_space"="L1"} : (!transform.any_op) -> !transform.any_op
    %step, %steps = transform.air.linalg_tile %tile [0, 0, 8]
    transform.air.linalg_promote %step {"operands_to_promote"=[0, 1], "memory_space"="L1"} : (!transform.any_op) -> !transform.any_op
    %same = transform.loop.forall_to_for %steps : (!transform.any_op) -> !transform.any_op
    %parallel = transform.loop.forall_to_parallel %loop : (!transform.any_op) -> !transform.any_op
    %herd = transform.air.par_to_herd %parallel : (!transform.any_op) -> !transform.any_op
    %copies = transform.structured.match ops{["memref.copy"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %dmas = transform.air.copy_to_dma %copies : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
