// Ops on structured payload.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
  transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
    // CHECK-NEXT: %0 = transform.structured.match ops{["scf.for"]} attributes {outer} in %arg0 : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["scf.for"]} attributes {outer} in %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %1 = transform.structured.convert_to_loops %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.convert_to_loops %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %2 = transform.structured.decompose %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.decompose %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %3 = transform.structured.decompose_interface %arg0 : (!transform.any_op) -> !transform.any_op
    %3 = transform.structured.decompose_interface %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %4 = transform.structured.flatten_elementwise %arg0 : (!transform.any_op) -> !transform.any_op
    %4 = transform.structured.flatten_elementwise %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %5 = transform.structured.generalize %arg0 : (!transform.any_op) -> !transform.any_op
    %5 = transform.structured.generalize %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %6 = transform.structured.hoist_redundant_vector_broadcasts %arg0 : (!transform.any_op) -> !transform.any_op
    %6 = transform.structured.hoist_redundant_vector_broadcasts %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %7 = transform.structured.insert_slice_to_copy %arg0 : (!transform.any_op) -> !transform.any_op
    %7 = transform.structured.insert_slice_to_copy %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %8 = transform.structured.linalg_copy_to_memref %arg0 : (!transform.any_op) -> !transform.any_op
    %8 = transform.structured.linalg_copy_to_memref %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %9 = transform.structured.rewrite_in_destination_passing_style %arg0 : (!transform.any_op) -> !transform.any_op
    %9 = transform.structured.rewrite_in_destination_passing_style %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %10 = transform.structured.scalarize %arg0 : (!transform.any_op) -> !transform.any_op
    %10 = transform.structured.scalarize %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %11 = transform.structured.specialize %arg0 : (!transform.any_op) -> !transform.any_op
    %11 = transform.structured.specialize %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %12 = transform.structured.hoist_redundant_vector_transfers %arg0 : (!transform.any_op) -> !transform.any_op
    %12 = transform.structured.hoist_redundant_vector_transfers %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %13 = transform.structured.interchange %arg0 iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    %13 = transform.structured.interchange %arg0 iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %14 = transform.structured.transpose_matmul %arg0<rhs> : (!transform.any_op) -> !transform.any_op
    %14 = transform.structured.transpose_matmul %arg0<rhs> : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.structured.eliminate_empty_tensors %arg0 : !transform.any_op
    transform.structured.eliminate_empty_tensors %arg0 : !transform.any_op
    // CHECK-NEXT: %15 = transform.structured.replace %arg0 {
    %15 = transform.structured.replace %arg0 {
      // CHECK-NEXT: builtin.module {
      builtin.module {
      // CHECK-NEXT: }
      }
    // CHECK-NEXT: } : (!transform.any_op) -> !transform.any_op
    } : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %arg0 {memory_space = 1 : i64} : !transform.any_op
    %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %arg0 {memory_space = 1 : i64} : !transform.any_op
    // CHECK-NEXT: %16 = transform.structured.promote %arg0 {operands_to_promote = [0, 1]} : (!transform.any_op) -> !transform.any_op
    %16 = transform.structured.promote %arg0 {operands_to_promote = [0, 1]} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %17 = transform.structured.promote_tensor to 1 : i64 %arg3 : !transform.any_value
    %17 = transform.structured.promote_tensor to 1 : i64 %arg3 : !transform.any_value
    // CHECK-NEXT: %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %arg0 tile_sizes [4, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %arg0 tile_sizes [4, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %tiled_op, %forall_op = transform.structured.tile_using_forall %arg0 tile_sizes [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled_op, %forall_op = transform.structured.tile_using_forall %arg0 tile_sizes [4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %fill_op, %split_linalg_op, %combining_linalg_op, %for_op = transform.structured.tile_reduction_using_for %arg0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fill_op, %split_linalg_op, %combining_linalg_op, %for_op = transform.structured.tile_reduction_using_for %arg0 by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %fill_op_0, %split_linalg_op_1, %combining_linalg_op_2, %forall_op_3 = transform.structured.tile_reduction_using_forall %arg0 by num_threads = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fill_op_0, %split_linalg_op_1, %combining_linalg_op_2, %forall_op_3 = transform.structured.tile_reduction_using_forall %arg0 by num_threads = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %transformed, %loops_4:2 = transform.structured.fuse %arg0 [4, 8] interchange [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %transformed, %loops_4:2 = transform.structured.fuse %arg0 [4, 8] interchange [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %arg0 into %arg1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %arg0 into %arg1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %low_size, %high_size, %split_point = transform.structured.multitile_sizes %arg0 {dimension = 1 : i64, target_size = 10 : i64} : (!transform.any_op) -> !transform.param<i64>
    %low_size, %high_size, %split_point = transform.structured.multitile_sizes %arg0 {dimension = 1 : i64, target_size = 10 : i64} : (!transform.any_op) -> !transform.param<i64>
    // CHECK-NEXT: %tile_sizes, %chunk_sizes = transform.structured.continuous_tile_sizes %arg0 {dimension = 0 : i64, target_size = 9 : i64} : (!transform.any_op) -> !transform.any_op
    %tile_sizes, %chunk_sizes = transform.structured.continuous_tile_sizes %arg0 {dimension = 0 : i64, target_size = 9 : i64} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %first, %second = transform.structured.split %arg0 after 16  {dimension = 1 : i64} : !transform.any_op
    %first, %second = transform.structured.split %arg0 after 16  {dimension = 1 : i64} : !transform.any_op
    // CHECK-NEXT: %init_or_alloc_op, %fill_op_5, %split_linalg_op_6, %combining_linalg_op_7 = transform.structured.split_reduction %arg0 {split_factor = 4 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %init_or_alloc_op, %fill_op_5, %split_linalg_op_6, %combining_linalg_op_7 = transform.structured.split_reduction %arg0 {split_factor = 4 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %forall_op_8, %tiled_op_9 = transform.structured.gpu.map_copy_to_threads %arg0 total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %forall_op_8, %tiled_op_9 = transform.structured.gpu.map_copy_to_threads %arg0 total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: transform.structured.vectorize %arg0 vector_sizes [4, [8]] : !transform.any_op
    transform.structured.vectorize %arg0 vector_sizes [4, [8]] : !transform.any_op
    // CHECK-NEXT: %18 = transform.structured.vectorize_children_and_apply_patterns %arg0 : (!transform.any_op) -> !transform.any_op
    %18 = transform.structured.vectorize_children_and_apply_patterns %arg0 : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %19 = transform.structured.pack %arg0 packed_sizes = [4, 5, 6] : (!transform.any_op) -> !transform.any_op
    %19 = transform.structured.pack %arg0 packed_sizes = [4, 5, 6] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %20 = transform.structured.pack_greedily %arg0 matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %20 = transform.structured.pack_greedily %arg0 matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    // CHECK-NEXT: %packed_op, %pack_op, %un_pack_op = transform.structured.pack_transpose %arg0 with_compute_op(%arg1) outer_perm = [1, 0] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %packed_op, %pack_op, %un_pack_op = transform.structured.pack_transpose %arg0 with_compute_op(%arg1) outer_perm = [1, 0] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %pad_op, %expand_shape_op, %transpose_op = transform.structured.lower_pack %arg9 : (!transform.op<"tensor.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %pad_op, %expand_shape_op, %transpose_op = transform.structured.lower_pack %arg9 : (!transform.op<"tensor.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    // CHECK-NEXT: %empty_op, %transpose_op_10, %collapse_shape_op, %extract_slice_op = transform.structured.lower_unpack %arg10 : (!transform.op<"tensor.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    %empty_op, %transpose_op_10, %collapse_shape_op, %extract_slice_op = transform.structured.lower_unpack %arg10 : (!transform.op<"tensor.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    // CHECK-NEXT: %padded, %pad, %copy = transform.structured.pad %arg0 {padding_dimensions = [0, 1], padding_values = [0.000000e+00 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %padded, %pad, %copy = transform.structured.pad %arg0 {padding_dimensions = [0, 1], padding_values = [0.000000e+00 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %21 = transform.structured.hoist_pad %arg0 by 2 loops, transpose by [1, 0] : (!transform.any_op) -> !transform.any_op
    %21 = transform.structured.hoist_pad %arg0 by 2 loops, transpose by [1, 0] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %22 = transform.structured.hoist_pad.build_packing_loop_nest %arg0 above %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %22 = transform.structured.hoist_pad.build_packing_loop_nest %arg0 above %arg1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.yield
    transform.yield
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
