// Sets of patterns.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --emit=json | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
  transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_op, %arg3: !transform.any_value, %arg4: !transform.param<i64>, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloca">, %arg7: !transform.op<"memref.alloc">, %arg8: !transform.op<"tensor.empty">, %arg9: !transform.op<"tensor.pack">, %arg10: !transform.op<"tensor.unpack">) {
    // CHECK-NEXT: transform.apply_patterns to %arg0 {
    transform.apply_patterns to %arg0 {
      // CHECK-NEXT: transform.apply_patterns.canonicalization
      transform.apply_patterns.canonicalization
      // CHECK-NEXT: transform.apply_patterns.gpu.eliminate_barriers
      transform.apply_patterns.gpu.eliminate_barriers
      // CHECK-NEXT: transform.apply_patterns.gpu.gpu_rewrite_patterns
      transform.apply_patterns.gpu.gpu_rewrite_patterns
      // CHECK-NEXT: transform.apply_patterns.linalg.erase_unnecessary_inputs
      transform.apply_patterns.linalg.erase_unnecessary_inputs
      // CHECK-NEXT: transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
      // CHECK-NEXT: transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      // CHECK-NEXT: transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.linalg.tiling_canonicalization
      // CHECK-NEXT: transform.apply_patterns.memref.expand_ops
      transform.apply_patterns.memref.expand_ops
      // CHECK-NEXT: transform.apply_patterns.memref.expand_strided_metadata
      transform.apply_patterns.memref.expand_strided_metadata
      // CHECK-NEXT: transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.memref.extract_address_computations
      // CHECK-NEXT: transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.memref.fold_memref_alias_ops
      // CHECK-NEXT: transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
      transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
      // CHECK-NEXT: transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      // CHECK-NEXT: transform.apply_patterns.tensor.decompose_concat
      transform.apply_patterns.tensor.decompose_concat
      // CHECK-NEXT: transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
      transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
      // CHECK-NEXT: transform.apply_patterns.tensor.fold_into_pack_and_unpack
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
      // CHECK-NEXT: transform.apply_patterns.tensor.fold_tensor_subset_ops
      transform.apply_patterns.tensor.fold_tensor_subset_ops
      // CHECK-NEXT: transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      // CHECK-NEXT: transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
      transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
      // CHECK-NEXT: transform.apply_patterns.tensor.reassociative_reshape_folding
      transform.apply_patterns.tensor.reassociative_reshape_folding
      // CHECK-NEXT: transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      // CHECK-NEXT: transform.apply_patterns.vector.elementwise_to_vector
      transform.apply_patterns.vector.elementwise_to_vector
      // CHECK-NEXT: transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.fold_arith_extension
      // CHECK-NEXT: transform.apply_patterns.vector.interleave_to_shuffle
      transform.apply_patterns.vector.interleave_to_shuffle
      // CHECK-NEXT: transform.apply_patterns.vector.lower_bitcast
      transform.apply_patterns.vector.lower_bitcast
      // CHECK-NEXT: transform.apply_patterns.vector.lower_broadcast
      transform.apply_patterns.vector.lower_broadcast
      // CHECK-NEXT: transform.apply_patterns.vector.lower_create_mask
      transform.apply_patterns.vector.lower_create_mask
      // CHECK-NEXT: transform.apply_patterns.vector.lower_gather
      transform.apply_patterns.vector.lower_gather
      // CHECK-NEXT: transform.apply_patterns.vector.lower_interleave
      transform.apply_patterns.vector.lower_interleave
      // CHECK-NEXT: transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.lower_masked_transfers
      // CHECK-NEXT: transform.apply_patterns.vector.lower_masks
      transform.apply_patterns.vector.lower_masks
      // CHECK-NEXT: transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.vector.lower_outerproduct
      // CHECK-NEXT: transform.apply_patterns.vector.lower_scan
      transform.apply_patterns.vector.lower_scan
      // CHECK-NEXT: transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.lower_shape_cast
      // CHECK-NEXT: transform.apply_patterns.vector.materialize_masks
      transform.apply_patterns.vector.materialize_masks
      // CHECK-NEXT: transform.apply_patterns.vector.rank_reducing_subview_patterns
      transform.apply_patterns.vector.rank_reducing_subview_patterns
      // CHECK-NEXT: transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.reduction_to_contract
      // CHECK-NEXT: transform.apply_patterns.vector.rewrite_narrow_types
      transform.apply_patterns.vector.rewrite_narrow_types
      // CHECK-NEXT: transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.transfer_permutation_patterns
      // CHECK-NEXT: transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction
      // CHECK-NEXT: transform.apply_patterns.vector.reorder_multi_reduction_dims lowering_strategy = innerreduction
      transform.apply_patterns.vector.reorder_multi_reduction_dims lowering_strategy = innerreduction
      // CHECK-NEXT: transform.apply_patterns.vector.multi_reduction_flattening lowering_strategy = innerreduction
      transform.apply_patterns.vector.multi_reduction_flattening lowering_strategy = innerreduction
      // CHECK-NEXT: transform.apply_patterns.vector.multi_reduction_unrolling lowering_strategy = innerreduction
      transform.apply_patterns.vector.multi_reduction_unrolling lowering_strategy = innerreduction
      // CHECK-NEXT: transform.apply_patterns.vector.lower_contraction lowering_strategy = dot
      transform.apply_patterns.vector.lower_contraction lowering_strategy = dot
      // CHECK-NEXT: transform.apply_patterns.vector.lower_transpose lowering_strategy = shuffle_1d
      transform.apply_patterns.vector.lower_transpose lowering_strategy = shuffle_1d
      // CHECK-NEXT: transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2
      // CHECK-NEXT: transform.apply_patterns.vector.transfer_to_scf full_unroll = true
      transform.apply_patterns.vector.transfer_to_scf full_unroll = true
      // CHECK-NEXT: transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
      // CHECK-NEXT: transform.apply_patterns.memref.alloc_to_alloca size_limit(32)
      transform.apply_patterns.memref.alloc_to_alloca size_limit(32)
      // CHECK-NEXT: transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}
      transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}
      // CHECK-NEXT: transform.apply_patterns.tensor.rewrite_as_constant aggressive
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
      // CHECK-NEXT: transform.apply_patterns.gpu.unroll_vectors_subgroup_mma[16, 16, 8]
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma[16, 16, 8]
    // CHECK-NEXT: } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
    } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
    // CHECK-NEXT: transform.yield
    transform.yield
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
