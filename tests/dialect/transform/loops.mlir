// Ops on loops, buffers, tensors and kernels.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
  transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
    // CHECK-NEXT: %0 = transform.loop.coalesce %arg0 : (!transform.any_op) -> !transform.any_op
    %0 = transform.loop.coalesce %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %1 = transform.loop.forall_to_for %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.loop.forall_to_for %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %2 = transform.loop.forall_to_parallel %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.loop.forall_to_parallel %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %3 = transform.loop.fuse_sibling %arg0 into %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %3 = transform.loop.fuse_sibling %arg0 into %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %function, %call = transform.loop.outline %arg0 {func_name = "f"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %function, %call = transform.loop.outline %arg0 {func_name = "f"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: transform.loop.hoist_loop_invariant_subsets %arg0 : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %arg0 : !transform.any_op
    // CHECK-NEXT: transform.loop.promote_if_one_iteration %arg0 : !transform.any_op
    transform.loop.promote_if_one_iteration %arg0 : !transform.any_op
    // CHECK-NEXT: %peeled_loop, %remainder_loop = transform.loop.peel %arg5 : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    %peeled_loop, %remainder_loop = transform.loop.peel %arg5 : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %4 = transform.loop.pipeline %arg5 {read_latency = 5 : i64} : (!transform.op<"scf.for">) -> !transform.any_op
    %4 = transform.loop.pipeline %arg5 {read_latency = 5 : i64} : (!transform.op<"scf.for">) -> !transform.any_op
    // CHECK-NEXT: transform.loop.unroll %arg0 {factor = 4 : i64} : !transform.any_op
    transform.loop.unroll %arg0 {factor = 4 : i64} : !transform.any_op
    // CHECK-NEXT: transform.loop.unroll_and_jam %arg0 {factor = 2 : i64} : !transform.any_op
    transform.loop.unroll_and_jam %arg0 {factor = 2 : i64} : !transform.any_op
    // CHECK-NEXT: transform.scf.take_assumed_branch %arg0 take_else_branch : (!transform.any_op) -> ()
    transform.scf.take_assumed_branch %arg0 take_else_branch : (!transform.any_op) -> ()
    // CHECK-NEXT: transform.affine.simplify_bounded_affine_ops %arg0 with[%arg1 : !transform.any_op] within [0] and [20] : !transform.any_op
    transform.affine.simplify_bounded_affine_ops %arg0 with[%arg1 : !transform.any_op] within [0] and [20] : !transform.any_op
    // CHECK-NEXT: %5 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %arg0 {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %5 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %arg0 {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.bufferization.buffer_loop_hoisting %arg0 : !transform.any_op
    transform.bufferization.buffer_loop_hoisting %arg0 : !transform.any_op
    // CHECK-NEXT: transform.bufferization.eliminate_empty_tensors %arg0 : !transform.any_op
    transform.bufferization.eliminate_empty_tensors %arg0 : !transform.any_op
    // CHECK-NEXT: %6 = transform.bufferization.empty_tensor_to_alloc_tensor %arg8 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    %6 = transform.bufferization.empty_tensor_to_alloc_tensor %arg8 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    // CHECK-NEXT: %getGlobal, %global = transform.memref.alloca_to_global %arg6 : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    %getGlobal, %global = transform.memref.alloca_to_global %arg6 : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %7 = transform.memref.multibuffer %arg7 {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
    %7 = transform.memref.multibuffer %arg7 {factor = 2 : i64} : (!transform.op<"memref.alloc">) -> !transform.any_op
    // CHECK-NEXT: transform.memref.erase_dead_alloc_and_stores %arg0 : (!transform.any_op) -> ()
    transform.memref.erase_dead_alloc_and_stores %arg0 : (!transform.any_op) -> ()
    // CHECK-NEXT: %8 = transform.memref.make_loop_independent %arg0 {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op
    %8 = transform.memref.make_loop_independent %arg0 {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %9 = transform.tensor.make_loop_independent %arg0 {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op
    %9 = transform.tensor.make_loop_independent %arg0 {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %10 = transform.gpu.map_forall_to_blocks %arg0 generate_gpu_launch grid_dims = [4, 2, 1] : (!transform.any_op) -> !transform.any_op
    %10 = transform.gpu.map_forall_to_blocks %arg0 generate_gpu_launch grid_dims = [4, 2, 1] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %11 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [32, 4, 1] : (!transform.any_op) -> !transform.any_op
    %11 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [32, 4, 1] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.yield
    transform.yield
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
