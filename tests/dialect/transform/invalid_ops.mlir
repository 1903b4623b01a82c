// Every message of ops inside a sequence.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.merge_handles' op expected 1 or more operands, but found 0}}
  %0 = transform.merge_handles : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.split_handle' op overflow_result is not a valid result index}}
  %0:2 = transform.split_handle %a {overflow_result = 2} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.split_handle' op operand #0 must be TransformHandleTypeInterface instance, but got '!transform.any_value'}}
  %0:2 = transform.split_handle %v : (!transform.any_value) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.get_defining_op' op operand #0 must be TransformValueHandleTypeInterface instance, but got '!transform.any_op'}}
  %0 = transform.get_defining_op %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.param.constant' op result #0 must be TransformParamTypeInterface instance, but got '!transform.any_op'}}
  %0 = transform.param.constant "x" -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.debug.emit_remark_at' op operand #0 must be any transform handle, but got '!transform.param<i64>'}}
  transform.debug.emit_remark_at %p, "x" : !transform.param<i64>
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.loop.peel' op operand #0 must be Transform IR handle to scf.for operations, but got '!transform.any_op'}}
  %0, %1 = transform.loop.peel %a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.get_operand' op expected the listed values to be unique}}
  %0 = transform.get_operand %a[0, 0] : (!transform.any_op) -> !transform.any_value
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.get_operand' op cannot request both 'all' and 'inverted' values in the list}}
  %0 = "transform.get_operand"(%a) <{is_all, is_inverted, raw_position_list = array<i64>}> : (!transform.any_op) -> !transform.any_value
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.get_operand' op cannot both specify positions and 'all' values in the list}}
  %0 = "transform.get_operand"(%a) <{is_all, raw_position_list = array<i64: 1>}> : (!transform.any_op) -> !transform.any_value
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.get_operand' op must request specific values in the list if 'all' is not specified}}
  %0 = "transform.get_operand"(%a) <{raw_position_list = array<i64>}> : (!transform.any_op) -> !transform.any_value
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.match' op attribute 'ops' failed to satisfy constraint: string array attribute}}
  %0 = transform.structured.match ops{[1]} in %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'interface' [LinalgOp, TilingInterface, LoopLikeInterface], found 'LinalgOps'; did you mean 'LinalgOp'?}}
  %0 = transform.structured.match interface{LinalgOps} in %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.apply_patterns' op expected children ops to implement PatternDescriptorOpInterface}}
  transform.apply_patterns to %a {
    // expected-note@+1 {{op without interface}}
    transform.annotate %a "x" : !transform.any_op
  } : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.replace' op expected one operation in block}}
  %0 = transform.structured.replace %a {
  } : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.replace' op expected replacement without operands}}
  %0 = transform.structured.replace %a {
  ^bb0(%x: i32):
    // expected-note@+1 {{replacement}}
    arith.addi %x, %x : i32
  } : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_for' op expected number of loops to tile (1) to match number of `loops` results (2)}}
  %0, %1:2 = transform.structured.tile_using_for %a tile_sizes [4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_for' op 'static_sizes' asks for 1 dynamic sizes, found 0}}
  %0, %1 = "transform.structured.tile_using_for"(%a) <{static_sizes = array<i64: -9223372036854775808>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_for' op expected as many 'scalable_sizes' as 'static_sizes'}}
  %0, %1 = "transform.structured.tile_using_for"(%a) <{scalable_sizes = array<i1: true, false>, static_sizes = array<i64: 4>}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{number of operands and types do not match: got 2 operands and 1 types}}
  %0, %1 = transform.structured.tile_using_for %a tile_sizes [%b] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_for' op operand #1 must be variadic of transform any param type or any handle type, but got '!transform.any_value'}}
  %0, %1 = transform.structured.tile_using_for %a tile_sizes [%v] : (!transform.any_op, !transform.any_value) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{scalable sizes are not allowed here}}
  %0 = transform.structured.pack %a packed_sizes = [[4]] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_forall' op either (packed_)num_threads or (packed_)tile_sizes must be specified}}
  %0, %1 = transform.structured.tile_using_forall %a num_threads [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_forall' op num_threads and packed_num_threads are mutually exclusive}}
  %0, %1 = "transform.structured.tile_using_forall"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>, static_num_threads = array<i64: 4>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.tile_using_forall' op tile_sizes and packed_tile_sizes are mutually exclusive}}
  %0, %1 = "transform.structured.tile_using_forall"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>, static_tile_sizes = array<i64: 4>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.fuse' op expects interchange to be a permutation, found [1]}}
  %0, %1 = transform.structured.fuse %a [4] interchange [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.fuse' op expects 2 loop results}}
  %0, %1 = transform.structured.fuse %a {tile_sizes = [4, 8]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.interchange' op expects iterator_interchange to be a permutation, found 1, 1}}
  %0 = transform.structured.interchange %a iterator_interchange = [1, 1] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.hoist_pad' op expects transpose to be a permutation, found 0, 2}}
  %0 = transform.structured.hoist_pad %a by 2 loops, transpose by [0, 2] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pack_transpose' op  at least one of "inner_perm" or "outer_perm" must be specified}}
  %0, %1, %2 = transform.structured.pack_transpose %a with_compute_op(%b) : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pack_transpose' op "outer_perm" is not a valid permutation}}
  %0, %1, %2 = transform.structured.pack_transpose %a with_compute_op(%b) outer_perm = [1, 1] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pack_greedily' op "matmul_inner_dims_order" is not a valid permutation}}
  %0 = transform.structured.pack_greedily %a matmul_inner_dims_order = [1, 2, 1] : (!transform.any_op) -> !transform.op<"linalg.generic">
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pack_greedily' op at most one of the packed_size and the padded_sizes_next_multiple_of can be nonzero for the matmul strategy}}
  %0 = transform.structured.pack_greedily %a matmul_packed_sizes = [8, 0, 32] matmul_padded_sizes_next_multiple_of = [0, 0, 10] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op) -> !transform.op<"linalg.generic">
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pack_greedily' op attribute 'matmul_padded_sizes_next_multiple_of' failed to satisfy constraint: i64 dense array attribute with 0 or 3 elements}}
  %0 = transform.structured.pack_greedily %a matmul_padded_sizes_next_multiple_of = [1] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op) -> !transform.op<"linalg.generic">
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pad' op expects pack_paddings to contain booleans (0/1), found [2]}}
  %0, %1, %2 = transform.structured.pad %a {pack_paddings = [2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pad' op expects padding_dimensions to contain positive integers, found [-1]}}
  %0, %1, %2 = transform.structured.pad %a {padding_dimensions = [-1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pad' op expects as many multiples as padding_dimensions}}
  %0, %1, %2 = transform.structured.pad %a pad_to_multiple_of [2] {padding_dimensions = [0, 1]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pad' op expects transpose_paddings to be a permutation, found [1]}}
  %0, %1, %2 = transform.structured.pad %a {transpose_paddings = [[1]]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.pad' op invalid copy_back_op}}
  %0, %1, %2 = transform.structured.pad %a {copy_back_op = "memcpy"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.split' op expects either a dynamic or a static split point to be provided}}
  %0, %1 = "transform.structured.split"(%a) <{dimension = 1 : i64, static_chunk_sizes = -9223372036854775808 : i64}> : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.bufferize_to_allocation' op unsupported memcpy op}}
  %0, %1 = transform.structured.bufferize_to_allocation %a {memcpy_op = "memcpy"} : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.structured.bufferize_to_allocation' op unsupported alloc op}}
  %0, %1 = transform.structured.bufferize_to_allocation %a {alloc_op = "malloc"} : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.bufferization.one_shot_bufferize' op unsupported memcpy op}}
  %0 = transform.bufferization.one_shot_bufferize %a {memcpy_op = "memcpy"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.affine.simplify_bounded_affine_ops' op incorrect number of lower bounds, expected 1 but found 2}}
  transform.affine.simplify_bounded_affine_ops %a with [%b : !transform.any_op] within [0, 1] and [20] : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.affine.simplify_bounded_affine_ops' op incorrect number of upper bounds, expected 1 but found 0}}
  transform.affine.simplify_bounded_affine_ops %a with [%b : !transform.any_op] within [0] and [] : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.loop.unroll' op attribute 'factor' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  transform.loop.unroll %a {factor = 0} : !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.gpu.map_forall_to_blocks' op transform requires empty or size-3 grid_dims}}
  %0 = transform.gpu.map_forall_to_blocks %a grid_dims = [1, 2] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.air.linalg_tile' op 'static_sizes' asks for 0 dynamic sizes, found 1}}
  %0, %1 = "transform.air.linalg_tile"(%a, %b) <{static_sizes = array<i64: 4>}> : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.air.linalg_promote' op attribute 'memory_space' failed to satisfy constraint: a memory space, one of: "L1", "L2", "L3"}}
  %0 = transform.air.linalg_promote %a {memory_space = "L4"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.air.pipeline_reduce' op attribute 'direction' failed to satisfy constraint: a direction, "horiz" or "vert"}}
  %0 = transform.air.pipeline_reduce %a {direction = "up"} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.air.vector_type_cast' op requires attribute 'target_element_type'}}
  %0 = transform.air.vector_type_cast %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.include' op does not reference a named transform sequence}}
  transform.include @nothing failures(propagate) (%a) : (!transform.any_op) -> ()
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'failure_propagation_mode' [propagate, suppress], found 'hide'}}
  transform.include @nothing failures(hide) (%a) : (!transform.any_op) -> ()
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.foreach' op expects the same number of targets as the body has block arguments}}
  transform.foreach %a : !transform.any_op {
  ^bb0(%x: !transform.any_op, %y: !transform.any_op):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.foreach' op expects co-indexed targets and the body's block arguments to have the same op/value/param type}}
  transform.foreach %a : !transform.any_op {
  ^bb0(%x: !transform.any_value):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.foreach' op expects the same number of results as the yield terminator has operands}}
  %0 = transform.foreach %a : !transform.any_op -> !transform.any_op {
  ^bb0(%x: !transform.any_op):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.foreach' op expects co-indexed results and yield operands to have the same op/value/param type}}
  %0 = transform.foreach %a : !transform.any_op -> !transform.any_value {
  ^bb0(%x: !transform.any_op):
    transform.yield %x : !transform.any_op
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.foreach' op expects a body}}
  "transform.foreach"(%a) ({
  }) : (!transform.any_op) -> ()
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.alternatives' op expects at least one region}}
  "transform.alternatives"(%a) : (!transform.any_op) -> ()
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.alternatives' op expects the entry block to have at least one argument}}
  transform.alternatives %a : !transform.any_op {
    transform.yield
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.alternatives' op expects the first entry block argument to be of type implementing TransformHandleTypeInterface}}
  transform.alternatives %a : !transform.any_op {
  ^bb0(%x: !transform.any_value):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @t(%a: !transform.any_op, %b: !transform.any_op, %v: !transform.any_value, %p: !transform.param<i64>) {
  // expected-error@+1 {{'transform.alternatives' op expects terminator operands to have the same type as results of the operation}}
  transform.alternatives %a : !transform.any_op {
  ^bb0(%x: !transform.any_op):
    // expected-note@+1 {{terminator}}
    transform.yield %x : !transform.any_op
  }
  transform.yield
}
}
