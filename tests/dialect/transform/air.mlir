// Ops of the AIR tools.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
  transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
    // CHECK-NEXT: %0 = transform.air.segment_to_aie %arg0 : (!transform.any_op) -> !transform.any_op
    %0 = transform.air.segment_to_aie %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %1 = transform.air.copy_to_dma %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.air.copy_to_dma %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %2 = transform.air.remove_uninitialized_copy %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.air.remove_uninitialized_copy %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %3 = transform.air.eliminate_cascade_memcpy %arg0 : (!transform.any_op) -> !transform.any_op
    %3 = transform.air.eliminate_cascade_memcpy %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %4 = transform.air.convert_memref_copy_to_linalg_copy %arg0 : (!transform.any_op) -> !transform.any_op
    %4 = transform.air.convert_memref_copy_to_linalg_copy %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %5 = transform.air.transpose_reduce %arg0 : (!transform.any_op) -> !transform.any_op
    %5 = transform.air.transpose_reduce %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %6 = transform.air.fuse_elementwise_linalg %arg0 : (!transform.any_op) -> !transform.any_op
    %6 = transform.air.fuse_elementwise_linalg %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %7 = transform.air.eliminate_redundant_vector_transfers %arg0 : (!transform.any_op) -> !transform.any_op
    %7 = transform.air.eliminate_redundant_vector_transfers %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %8 = transform.air.flatten_for_iter_args %arg0 : (!transform.any_op) -> !transform.any_op
    %8 = transform.air.flatten_for_iter_args %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %9 = transform.air.hoist_vector_transfer_pointers %arg0 : (!transform.any_op) -> !transform.any_op
    %9 = transform.air.hoist_vector_transfer_pointers %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %10 = transform.air.convert_divf_sqrt_to_rsqrt %arg0 : (!transform.any_op) -> !transform.any_op
    %10 = transform.air.convert_divf_sqrt_to_rsqrt %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %11 = transform.air.normalize_for_bounds %arg0 : (!transform.any_op) -> !transform.any_op
    %11 = transform.air.normalize_for_bounds %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %12 = transform.air.convert_size1_vector_to_scalar %arg0 : (!transform.any_op) -> !transform.any_op
    %12 = transform.air.convert_size1_vector_to_scalar %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %13 = transform.air.fold_unit_extent_dims %arg0 : (!transform.any_op) -> !transform.any_op
    %13 = transform.air.fold_unit_extent_dims %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %14 = transform.air.linalg_to_library_call %arg0 {function_name = "my_matmul", link_with = "matmul.o"} : (!transform.any_op) -> !transform.any_op
    %14 = transform.air.linalg_to_library_call %arg0 {function_name = "my_matmul", link_with = "matmul.o"} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %15 = transform.air.broadcast_before_unary %arg0 {op_name = "math.rsqrt"} : (!transform.any_op) -> !transform.any_op
    %15 = transform.air.broadcast_before_unary %arg0 {op_name = "math.rsqrt"} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %16 = transform.air.override_memref_memory_space %arg0 {memory_space = 1 : i32} : (!transform.any_op) -> !transform.any_op
    %16 = transform.air.override_memref_memory_space %arg0 {memory_space = 1 : i32} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %17 = transform.air.vector_type_cast %arg0 {target_element_type = bf16} : (!transform.any_op) -> !transform.any_op
    %17 = transform.air.vector_type_cast %arg0 {target_element_type = bf16} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %18 = transform.air.herd_vectorize %arg0 : (!transform.any_op) -> !transform.any_op
    %18 = transform.air.herd_vectorize %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %19 = transform.air.get_segment_for %arg0 : (!transform.any_op) -> !transform.any_op
    %19 = transform.air.get_segment_for %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %20 = transform.air.par_to_herd %arg0 {first_dim = 1 : i64} : (!transform.any_op) -> !transform.any_op
    %20 = transform.air.par_to_herd %arg0 {first_dim = 1 : i64} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %21 = transform.air.par_to_launch %arg0 {has_air_segment = true} : (!transform.any_op) -> !transform.any_op
    %21 = transform.air.par_to_launch %arg0 {has_air_segment = true} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %22 = transform.air.par_to_segment %arg0 : (!transform.any_op) -> !transform.any_op
    %22 = transform.air.par_to_segment %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %23 = transform.air.forall_with_reduce_to_parallel %arg0 : (!transform.any_op) -> !transform.any_op
    %23 = transform.air.forall_with_reduce_to_parallel %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %tiled_linalg_op, %loops = transform.air.linalg_tile %arg0[64, 64, 0]
    %tiled_linalg_op, %loops = transform.air.linalg_tile %arg0[64, 64, 0]
    // CHECK-NEXT: %24 = transform.air.linalg_promote %arg0 {memory_space = "L2", operands_to_promote = [0, 1]} : (!transform.any_op) -> !transform.any_op
    %24 = transform.air.linalg_promote %arg0 {memory_space = "L2", operands_to_promote = [0, 1]} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %25 = transform.air.pipeline_reduce %arg0 {pipeline_depth = 4 : i64, tile_size = [16, 32]} : (!transform.any_op) -> !transform.any_op
    %25 = transform.air.pipeline_reduce %arg0 {pipeline_depth = 4 : i64, tile_size = [16, 32]} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.air.hoist_static_alloc %arg0 : (!transform.any_op) -> ()
    transform.air.hoist_static_alloc %arg0 : (!transform.any_op) -> ()
    // CHECK-NEXT: %26 = transform.air.fuse_into_containing_op %arg0 into %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %26 = transform.air.fuse_into_containing_op %arg0 into %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %27 = transform.air.fuse_multi_op_linalg %arg0, %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %27 = transform.air.fuse_multi_op_linalg %arg0, %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %28 = transform.air.fuse_truncf_linalg %arg0, %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %28 = transform.air.fuse_truncf_linalg %arg0, %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %29 = transform.air.hoist_loop_invariant_transfers %arg0, %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %29 = transform.air.hoist_loop_invariant_transfers %arg0, %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %30 = transform.air.hoist_cast_pair %arg0, %arg1, %arg2 : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    %30 = transform.air.hoist_cast_pair %arg0, %arg1, %arg2 : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.yield
    transform.yield
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
