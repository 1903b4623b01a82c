// Optional parts, mixed sizes and spellings beside those of the examples.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt | FileCheck %s

// CHECK: module attributes {transform.with_named_sequence} {
module attributes {transform.with_named_sequence} {
  // CHECK-NEXT: transform.named_sequence @t(%arg0: !transform.any_op, %arg1: !transform.any_op, %arg2: !transform.any_value, %arg3: !transform.param<i64>, %arg4: !transform.any_param, %arg5: !transform.op<"scf.for">, %arg6: !transform.op<"memref.alloc">) {
  transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>, %q: !transform.any_param, %o: !transform.op<"scf.for">, %ob: !transform.op<"memref.alloc">) {
    // CHECK-NEXT: transform.annotate %arg0 "x" : !transform.any_op
    transform.annotate %a "x" : !transform.any_op
    // CHECK-NEXT: transform.apply_cse to %arg0 {foo} : !transform.any_op
    transform.apply_cse to %a {foo} : !transform.any_op
    // CHECK-NEXT: %0 = transform.apply_registered_pass "canonicalize" to %arg0 {options = "top-down=false"} : (!transform.any_op) -> !transform.any_op
    %r1_0 = transform.apply_registered_pass "canonicalize" to %a {options = "top-down=false"} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %1 = transform.get_operand %arg0[0] : (!transform.any_op) -> !transform.any_value
    %r2_0 = transform.get_operand %a[0] : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %2 = transform.get_operand %arg0[0, -1] : (!transform.any_op) -> !transform.any_value
    %r3_0 = transform.get_operand %a[0, -1] : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %3 = transform.get_operand %arg0[all] : (!transform.any_op) -> !transform.any_value
    %r4_0 = transform.get_operand %a[all] : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %4 = transform.get_operand %arg0[except(0, 1)] : (!transform.any_op) -> !transform.any_value
    %r5_0 = transform.get_operand %a[except(0, 1)] : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %5 = transform.get_result %arg0[0] {foo} : (!transform.any_op) -> !transform.any_value
    %r6_0 = transform.get_result %a[0] {foo} : (!transform.any_op) -> !transform.any_value
    // CHECK-NEXT: %6 = transform.get_parent_op %arg0 : (!transform.any_op) -> !transform.any_op
    %r7_0 = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %7 = transform.get_parent_op %arg0 {allow_empty_results, deduplicate, isolated_from_above, nth_parent = 2 : i64, op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
    %r8_0 = transform.get_parent_op %a {op_name = "scf.for", deduplicate, isolated_from_above, nth_parent = 2 : i64, allow_empty_results} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %8 = transform.get_type %arg2 : (!transform.any_value) -> !transform.type
    %r9_0 = transform.get_type %v : (!transform.any_value) -> !transform.type
    // CHECK-NEXT: transform.match.operation_name %arg0 ["scf.for", "scf.if"] : !transform.any_op
    transform.match.operation_name %a ["scf.for", "scf.if"] : !transform.any_op
    // CHECK-NEXT: %9 = transform.merge_handles %arg0 : !transform.any_op
    %r10_0 = transform.merge_handles %a : !transform.any_op
    // CHECK-NEXT: %10 = transform.merge_handles deduplicate %arg0, %arg1 {x} : !transform.any_op
    %r11_0 = transform.merge_handles deduplicate %a, %b {x} : !transform.any_op
    // CHECK-NEXT: %11 = transform.param.constant "x" -> !transform.any_param
    %r12_0 = transform.param.constant "x" -> !transform.any_param
    // CHECK-NEXT: %12 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %r13_0 = transform.param.constant 1 : i64 -> !transform.param<i64>
    // CHECK-NEXT: transform.print %arg0 : !transform.any_op
    transform.print %a : !transform.any_op
    // CHECK-NEXT: transform.print  {name = "x"}
    transform.print {name = "x"}
    // CHECK-NEXT: transform.print
    transform.print
    // CHECK-NEXT: transform.print %arg0 {assume_verified, name = "x", skip_regions, use_local_scope} : !transform.any_op
    transform.print %a {name = "x", assume_verified, skip_regions, use_local_scope} : !transform.any_op
    // CHECK-NEXT: %13:2 = transform.replicate num(%arg0) %arg1, %arg3 : !transform.any_op, !transform.any_op, !transform.param<i64>
    %r14_0:2 = transform.replicate num(%a) %b, %p : !transform.any_op, !transform.any_op, !transform.param<i64>
    // CHECK-NEXT: transform.debug.emit_remark_at %arg0, "x" : !transform.any_op
    transform.debug.emit_remark_at %a, "x" : !transform.any_op
    // CHECK-NEXT: transform.debug.emit_param_as_remark %arg3 : !transform.param<i64>
    transform.debug.emit_param_as_remark %p : !transform.param<i64>
    // CHECK-NEXT: transform.debug.emit_param_as_remark %arg3, "x" at %arg0 : !transform.param<i64>, !transform.any_op
    transform.debug.emit_param_as_remark %p, "x" at %a : !transform.param<i64>, !transform.any_op
    // CHECK-NEXT: transform.debug.emit_param_as_remark %arg3, "x" : !transform.param<i64>
    transform.debug.emit_param_as_remark %p, "x" : !transform.param<i64>
    // CHECK-NEXT: transform.annotate %arg0 "x" = %arg3 : !transform.any_op, !transform.param<i64>
    transform.annotate %a "x" = %p : !transform.any_op, !transform.param<i64>
    // CHECK-NEXT: transform.annotate %arg0 "x" {foo} = %arg3 : !transform.any_op, !transform.param<i64>
    transform.annotate %a "x" {foo} = %p : !transform.any_op, !transform.param<i64>
    // CHECK-NEXT: %14 = transform.loop.fuse_sibling %arg0 into %arg1 {foo} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %r15_0 = transform.loop.fuse_sibling %a into %b {foo} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %15 = transform.loop.pipeline %arg5 : (!transform.op<"scf.for">) -> !transform.any_op
    %r16_0 = transform.loop.pipeline %o : (!transform.op<"scf.for">) -> !transform.any_op
    // CHECK-NEXT: transform.loop.unroll_and_jam %arg0 {factor = 4 : i64} : !transform.any_op
    transform.loop.unroll_and_jam %a {factor = 4} : !transform.any_op
    // CHECK-NEXT: %16 = transform.bufferization.one_shot_bufferize %arg0 : (!transform.any_op) -> !transform.any_op
    %r17_0 = transform.bufferization.one_shot_bufferize %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %17 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %arg0 : (!transform.any_op) -> !transform.any_op
    %r18_0 = transform.bufferization.one_shot_bufferize layout{FullyDynamicLayoutMap} %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %18 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [1, 2] : (!transform.any_op) -> !transform.any_op
    %r19_0 = transform.gpu.map_nested_forall_to_threads %a block_dims = [1, 2] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %19 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [1, 2] sync_after_distribute = false warp_size = 64 {foo} : (!transform.any_op) -> !transform.any_op
    %r20_0 = transform.gpu.map_nested_forall_to_threads %a block_dims = [1, 2] sync_after_distribute = false warp_size = 64 {foo} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %arg0 : !transform.any_op
    %r21_0, %r21_1 = transform.structured.bufferize_to_allocation %a : !transform.any_op
    // CHECK-NEXT: %allocated_buffer_0, %new_ops_1 = transform.structured.bufferize_to_allocation %arg0 {bufferize_destination_only, emit_dealloc, memory_space = 1 : i64} : !transform.any_op
    %r22_0, %r22_1 = transform.structured.bufferize_to_allocation %a {memory_space = 1, bufferize_destination_only, emit_dealloc} : !transform.any_op
    // CHECK-NEXT: %allocated_buffer_2, %new_ops_3 = transform.structured.bufferize_to_allocation %arg0 {alloc_op = "memref.alloca", memcpy_op = "linalg.copy", memory_space = 1 : i64} : !transform.any_op
    %r23_0, %r23_1 = transform.structured.bufferize_to_allocation %a {memory_space = 1, memcpy_op = "linalg.copy", alloc_op = "memref.alloca"} : !transform.any_op
    // CHECK-NEXT: %allocated_buffer_4, %new_ops_5 = transform.structured.bufferize_to_allocation %arg0 {mempcy = "linalg.copy"} : !transform.any_op
    %r24_0, %r24_1 = transform.structured.bufferize_to_allocation %a {mempcy = "linalg.copy"} : !transform.any_op
    // CHECK-NEXT: %20 = transform.structured.hoist_pad %arg0 by 2 loops : (!transform.any_op) -> !transform.any_op
    %r25_0 = transform.structured.hoist_pad %a by 2 loops : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %21 = transform.structured.hoist_pad.build_packing_loop_nest %arg0 above %arg1, transpose by [1, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %r26_0 = transform.structured.hoist_pad.build_packing_loop_nest %a above %b, transpose by [1, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %22 = transform.structured.hoist_redundant_vector_transfers %arg0 {verify_non_zero_trip} : (!transform.any_op) -> !transform.any_op
    %r27_0 = transform.structured.hoist_redundant_vector_transfers %a {verify_non_zero_trip} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %23 = transform.structured.interchange %arg0 : (!transform.any_op) -> !transform.any_op
    %r28_0 = transform.structured.interchange %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %24 = transform.structured.interchange %arg0 iterator_interchange = [1, 0] {foo} : (!transform.any_op) -> !transform.any_op
    %r29_0 = transform.structured.interchange %a iterator_interchange = [1, 0] {foo} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %25 = transform.structured.match ops{["a"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %r30_0 = transform.structured.match ops{["a"]} in %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %26 = transform.structured.match interface{TilingInterface} in %arg0 : (!transform.any_op) -> !transform.any_op
    %r31_0 = transform.structured.match interface{TilingInterface} in %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %27 = transform.structured.match interface{LoopLikeInterface} in %arg0 : (!transform.any_op) -> !transform.any_op
    %r32_0 = transform.structured.match interface{LoopLikeInterface} in %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %28 = transform.structured.match ops{["a"]} filter_operand_types = [f32, i32] in %arg0 {foo} : (!transform.any_op) -> !transform.any_op
    %r33_0 = transform.structured.match ops{["a"]} filter_operand_types = [f32, i32] in %a {foo} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %29 = transform.structured.match ops{["a"]} attributes {x} in %arg0 : (!transform.any_op) -> !transform.any_op
    %r34_0 = transform.structured.match ops{["a"]} attributes{x} in %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %low_size, %high_size, %split_point = transform.structured.multitile_sizes %arg0 {dimension = 1 : i64, divisor = 2 : i64, target_size = 10 : i64} : (!transform.any_op) -> !transform.any_op
    %r35_0, %r35_1, %r35_2 = transform.structured.multitile_sizes %a {target_size = 10, dimension = 1, divisor = 2} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %30 = transform.structured.pack %arg0 packed_sizes = [4, %arg1, 6] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %r36_0 = transform.structured.pack %a packed_sizes = [4, %b, 6] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %packed_op, %pack_op, %un_pack_op = transform.structured.pack_transpose %arg0 with_compute_op(%arg1) outer_perm = [1, 0] inner_perm = [1, 0] {foo} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %r37_0, %r37_1, %r37_2 = transform.structured.pack_transpose %a with_compute_op(%b) outer_perm = [1, 0] inner_perm = [1, 0] {foo} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %padded, %pad, %copy = transform.structured.pad %arg0 {copy_back_op = "linalg.copy", pack_paddings = [1, 0], padding_dimensions = [0, 1], padding_values = [0.000000e+00 : f32], transpose_paddings = {{\[\[}}0, 1]]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %r38_0, %r38_1, %r38_2 = transform.structured.pad %a {padding_values = [0.0 : f32], padding_dimensions = [0, 1], pack_paddings = [1, 0], transpose_paddings = [[0, 1]], copy_back_op = "linalg.copy"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %padded_6, %pad_7, %copy_8 = transform.structured.pad %arg0 {pad_to_multiple_of = [1, 1], padding_dimensions = [0, 1], padding_values = [0.000000e+00 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %r39_0, %r39_1, %r39_2 = transform.structured.pad %a {padding_values = [0.0 : f32], padding_dimensions = [0, 1], pad_to_multiple_of = [1, 1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %padded_9, %pad_10, %copy_11 = transform.structured.pad %arg0 pad_to_multiple_of [2, 2] {padding_dimensions = [0, 1], padding_values = [0.000000e+00 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %r40_0, %r40_1, %r40_2 = transform.structured.pad %a pad_to_multiple_of [2, 2] {padding_values = [0.0 : f32], padding_dimensions = [0, 1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %first, %second = transform.structured.split %arg0 after %arg1  {dimension = 1 : i64} : !transform.any_op, !transform.any_op
    %r41_0, %r41_1 = transform.structured.split %a after %b {dimension = 1} : !transform.any_op, !transform.any_op
    // CHECK-NEXT: %first_12, %second_13 = transform.structured.split %arg0 after 16  {dimension = 1 : i64, foo} : !transform.any_op
    %r42_0, %r42_1 = transform.structured.split %a after 16 {dimension = 1, foo} : !transform.any_op
    // CHECK-NEXT: %init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op = transform.structured.split_reduction %arg0 {inner_parallel, insert_split_dimension = 2 : i64, split_factor = 4 : i64, use_alloc, use_scaling_algorithm} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %r43_0, %r43_1, %r43_2, %r43_3 = transform.structured.split_reduction %a {split_factor = 4, insert_split_dimension = 2, inner_parallel, use_scaling_algorithm, use_alloc} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %fill_op_14, %split_linalg_op_15, %combining_linalg_op_16, %forall_op = transform.structured.tile_reduction_using_forall %arg0 by num_threads = [0, 5], tile_sizes = [0, 3], mapping = [#gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %r44_0, %r44_1, %r44_2, %r44_3 = transform.structured.tile_reduction_using_forall %a by num_threads = [0, 5], tile_sizes = [0, 3], mapping = [#gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %arg0 tile_sizes [4, %arg1] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %r45_0, %r45_1:2 = transform.structured.tile_using_for %a tile_sizes [4, %b] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %tiled_linalg_op_17, %loops_18:2 = transform.structured.tile_using_for %arg0 tile_sizes [4, [8], 0] interchange = [1, 0, 2] {foo} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %r46_0, %r46_1:2 = transform.structured.tile_using_for %a tile_sizes [4, [8], 0] interchange = [1, 0, 2] {foo} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CHECK-NEXT: %tiled_linalg_op_19 = transform.structured.tile_using_for %arg0 tile_sizes [0, 0] : (!transform.any_op) -> !transform.any_op
    %r47_0 = transform.structured.tile_using_for %a tile_sizes [0, 0] : (!transform.any_op) -> (!transform.any_op)
    // CHECK-NEXT: %tiled_op, %forall_op_20 = transform.structured.tile_using_forall %arg0 num_threads [4, %arg1] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %r48_0, %r48_1 = transform.structured.tile_using_forall %a num_threads [4, %b] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %tiled_op_21, %forall_op_22 = transform.structured.tile_using_forall %arg0 num_threads *(%arg1) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %r49_0, %r49_1 = transform.structured.tile_using_forall %a num_threads *(%b) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %tiled_op_23, %forall_op_24 = transform.structured.tile_using_forall %arg0 tile_sizes *(%arg1)(mapping = [#gpu.thread<x>]) {foo} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %r50_0, %r50_1 = transform.structured.tile_using_forall %a tile_sizes *(%b) (mapping = [#gpu.thread<x>]) {foo} : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %31 = transform.structured.transpose_matmul %arg0 : (!transform.any_op) -> !transform.any_op
    %r51_0 = transform.structured.transpose_matmul %a : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.structured.vectorize %arg0 : !transform.any_op
    transform.structured.vectorize %a : !transform.any_op
    // CHECK-NEXT: transform.structured.vectorize %arg0 vector_sizes [4, [8], %arg1] : !transform.any_op, !transform.any_op
    transform.structured.vectorize %a vector_sizes [4, [8], %b] : !transform.any_op, !transform.any_op
    // CHECK-NEXT: transform.structured.vectorize %arg0 vector_sizes [4, 8] {vectorize_nd_extract} : !transform.any_op
    transform.structured.vectorize %a vector_sizes [4, 8] {vectorize_nd_extract} : !transform.any_op
    // CHECK-NEXT: transform.structured.vectorize %arg0 {vectorize_nd_extract} : !transform.any_op
    transform.structured.vectorize %a {vectorize_nd_extract} : !transform.any_op
    // CHECK-NEXT: %32 = transform.structured.vectorize_children_and_apply_patterns %arg0 {disable_multi_reduction_to_contract_patterns, disable_transfer_permutation_map_lowering_patterns, flatten_1d_depthwise_conv, vectorize_nd_extract, vectorize_padding} : (!transform.any_op) -> !transform.any_op
    %r52_0 = transform.structured.vectorize_children_and_apply_patterns %a {vectorize_padding, vectorize_nd_extract, disable_multi_reduction_to_contract_patterns, disable_transfer_permutation_map_lowering_patterns, flatten_1d_depthwise_conv} : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: %peeled_loop, %remainder_loop = transform.loop.peel %arg5 {fail_if_already_divisible = true, peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    %r53_0, %r53_1 = transform.loop.peel %o {fail_if_already_divisible = true, peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    // CHECK-NEXT: %33 = transform.gpu.map_forall_to_blocks %arg0 generate_gpu_launch grid_dims = [1, 2, 3] : (!transform.any_op) -> !transform.any_op
    %r54_0 = transform.gpu.map_forall_to_blocks %a generate_gpu_launch grid_dims = [1, 2, 3] : (!transform.any_op) -> !transform.any_op
    // CHECK-NEXT: transform.yield
    transform.yield
  // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
