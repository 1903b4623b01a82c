// The transform dialect: ops on structured (linalg) payload.
#include "TransformInternal.hpp"

namespace airlite::transform {

namespace {

constexpr std::array<std::string_view, 3> kInterfaces = {"LinalgOp", "TilingInterface",
                                                         "LoopLikeInterface"};
constexpr AttrConstraint kInterface = WordAsInteger<kInterfaces>::constraint(
    "an interface, one of: LinalgOp, TilingInterface, LoopLikeInterface");
constexpr std::array<std::string_view, 2> kMatmulInputs = {"lhs", "rhs"};
constexpr AttrConstraint kMatmulInput =
    WordAsInteger<kMatmulInputs>::constraint("an input, one of: lhs, rhs");

/// i64 dense array attribute of `N` elements, or none.
template <size_t N> constexpr AttrConstraint noneOr(std::string_view summary) {
  return {summary, [](Attribute a) {
            return attrs::denseI64.accepts(a) &&
                   (a.cast<DenseArrayAttr>().size() == 0 || a.cast<DenseArrayAttr>().size() == N);
          }};
}
constexpr AttrConstraint kNoneOrThree = noneOr<3>("i64 dense array attribute with 0 or 3 elements");

constexpr auto& kGeneric =
    kHandleTo<"linalg.generic", "Transform IR handle to linalg.generic operations">;
constexpr auto& kTensorPack =
    kHandleTo<"tensor.pack", "Transform IR handle to tensor.pack operations">;
constexpr auto& kTensorUnpack =
    kHandleTo<"tensor.unpack", "Transform IR handle to tensor.unpack operations">;
constexpr auto& kTensorPad =
    kHandleTo<"tensor.pad", "Transform IR handle to tensor.pad operations">;
constexpr auto& kTensorEmpty =
    kHandleTo<"tensor.empty", "Transform IR handle to tensor.empty operations">;
constexpr auto& kExpandShape =
    kHandleTo<"tensor.expand_shape", "Transform IR handle to tensor.expand_shape operations">;
constexpr auto& kCollapseShape =
    kHandleTo<"tensor.collapse_shape", "Transform IR handle to tensor.collapse_shape operations">;
constexpr auto& kExtractSlice =
    kHandleTo<"tensor.extract_slice", "Transform IR handle to tensor.extract_slice operations">;
constexpr auto& kTranspose =
    kHandleTo<"linalg.transpose", "Transform IR handle to linalg.transpose operations">;

// -- Finding -------------------------------------------------------------------------------------

void defineMatch(Dialect& d) {
  reading(d.op("structured.match").operand("target", kHandle).result("results", kHandle))
      .doc("The ops inside the payload that have one of the names, an interface, attributes and "
           "types: all that are asked for.")
      .optionalAttr("ops", attrs::stringArray)
      .optionalAttr("interface", kInterface)
      .optionalAttr("op_attrs", attrs::dictionary)
      .optionalAttr("filter_result_type", attrs::typeAttr)
      .optionalAttr("filter_operand_types", attrs::typeArray)
      .format("(`ops` `{` $ops^ `}`)? (`interface` `{` $interface^ `}`)? "
              "(`attributes` $op_attrs^)? (`filter_result_type` `=` $filter_result_type^)? "
              "(`filter_operand_types` `=` $filter_operand_types^)? `in` $target attr-dict `:` "
              "functional-type($target, results)")
      .example("%0 = transform.structured.match ops{[\"scf.for\"]} attributes {outer} in %a : "
               "(!transform.any_op) -> !transform.any_op");
}

// -- One op in, one op out -----------------------------------------------------------------------

constexpr OpRow kRewrites[] = {
    {"structured.convert_to_loops", "Turns ops into loops over scalars.",
     "%0 = transform.structured.convert_to_loops %a : (!transform.any_op) -> !transform.any_op"},
    {"structured.decompose", "Turns an op into several of fewer dimensions.",
     "%0 = transform.structured.decompose %a : (!transform.any_op) -> !transform.any_op"},
    {"structured.decompose_interface", "Turns an op into the ops that it says it consists of.",
     "%0 = transform.structured.decompose_interface %a : (!transform.any_op) -> "
     "!transform.any_op"},
    {"structured.flatten_elementwise", "Makes an elementwise op one of a single dimension.",
     "%0 = transform.structured.flatten_elementwise %a : (!transform.any_op) -> "
     "!transform.any_op"},
    {"structured.generalize", "Turns a named op into linalg.generic.",
     "%0 = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op"},
    {"structured.hoist_redundant_vector_broadcasts",
     "Moves pairs of vector extract and broadcast out of loops.",
     "%0 = transform.structured.hoist_redundant_vector_broadcasts %a : (!transform.any_op) -> "
     "!transform.any_op"},
    {"structured.insert_slice_to_copy", "Turns a slice that is inserted into a copy.",
     "%0 = transform.structured.insert_slice_to_copy %a : (!transform.any_op) -> "
     "!transform.any_op"},
    {"structured.linalg_copy_to_memref", "Turns linalg.copy into memref.copy.",
     "%0 = transform.structured.linalg_copy_to_memref %a : (!transform.any_op) -> "
     "!transform.any_op"},
    {"structured.rewrite_in_destination_passing_style",
     "Makes an op that creates a tensor write into one that it is given.",
     "%0 = transform.structured.rewrite_in_destination_passing_style %a : (!transform.any_op) -> "
     "!transform.any_op"},
    {"structured.scalarize", "Tiles the dynamic dimensions by 1.",
     "%0 = transform.structured.scalarize %a : (!transform.any_op) -> !transform.any_op"},
    {"structured.specialize", "Turns linalg.generic into a named op where it is one.",
     "%0 = transform.structured.specialize %a : (!transform.any_op) -> !transform.any_op"},
};

void defineRewrites(Dialect& d) {
  for (const OpRow& row : kRewrites)
    consuming(d.op(row.name).operand("target", kHandle).result("transformed", kHandle))
        .doc(row.doc)
        .format(kFunctional)
        .example(row.example);
  consuming(d.op("structured.hoist_redundant_vector_transfers")
                .operand("target", kHandle)
                .result("transformed", kHandle))
      .doc("Moves pairs of vector transfers of one place out of loops.")
      .optionalAttr("verify_non_zero_trip", attrs::unit)
      .format(kFunctional)
      .example("%0 = transform.structured.hoist_redundant_vector_transfers %a : "
               "(!transform.any_op) -> !transform.any_op");
  consuming(
      d.op("structured.interchange").operand("target", kHandle).result("transformed", kHandle))
      .doc("Reorders the loops of an op.")
      .defaultAttr("iterator_interchange", attrs::denseI64, "array<i64>")
      .format("$target (`iterator_interchange` `=` "
              "custom<TransformIntegers>($iterator_interchange)^)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyInterchange)
      .example("%0 = transform.structured.interchange %a iterator_interchange = [1, 0] : "
               "(!transform.any_op) -> !transform.any_op");
  consuming(
      d.op("structured.transpose_matmul").operand("target", kHandle).result("transformed", kHandle))
      .doc("Transposes one input of a matrix product and reads it transposed.")
      .defaultAttr("inputToTranspose", kMatmulInput, "0 : i32")
      .format("$target (`<` $inputToTranspose^ `>`)? attr-dict `:` "
              "functional-type(operands, results)")
      .example("%0 = transform.structured.transpose_matmul %a<rhs> : (!transform.any_op) -> "
               "!transform.any_op");
  modifying(d.op("structured.eliminate_empty_tensors").operand("target", kHandle))
      .doc("Replaces tensor.empty ops by the slice that their result is inserted into.")
      .format(kTyped)
      .example("transform.structured.eliminate_empty_tensors %a : !transform.any_op");
  consuming(d.op("structured.replace").operand("target", kHandle).result("replacement", kHandle))
      .doc("Replaces each payload op by a copy of the op in the body.")
      .region("bodyRegion")
      .traits(Trait::IsolatedFromAbove | Trait::NoTerminator | Trait::SingleBlock)
      .format("$target attr-dict-with-keyword $bodyRegion `:` "
              "functional-type(operands, results)")
      .verify(verifyReplace)
      .example("%0 = transform.structured.replace %a {\n  builtin.module {\n  }\n} : "
               "(!transform.any_op) -> !transform.any_op");
}

// -- Buffers -------------------------------------------------------------------------------------

void defineBuffers(Dialect& d) {
  OpDef& bufferize = d.op("structured.bufferize_to_allocation")
                         .operand("target", kHandle)
                         .result("allocated_buffer", kAnyValue)
                         .result("new_ops", kAnyOp)
                         .nameResults(nameByDefinition);
  // Only the destination: the op stays and its handle with it.
  bufferize
      .effects([](Operation& op, std::vector<EffectInstance>& effects) {
        bool stays = op.hasAttr("bufferize_destination_only");
        effects.push_back({stays ? Effect::Read : Effect::Free, op.operand(0)});
        effects.push_back({Effect::Write, Value()});
        return true;
      })
      .doc("Bufferizes an op (or only its destination) into a new allocation.")
      .optionalAttr("memory_space", attrs::any)
      .defaultAttr("memcpy_op", attrs::string, "\"bufferization.materialize_in_destination\"")
      .defaultAttr("alloc_op", attrs::string, "\"memref.alloc\"")
      .optionalAttr("bufferize_destination_only", attrs::unit)
      .optionalAttr("emit_dealloc", attrs::unit)
      .format(kTyped)
      .verify(verifyBufferizeToAllocation)
      .example("%allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %a "
               "{memory_space = 1 : i64} : !transform.any_op");
  consuming(d.op("structured.promote").operand("target", kHandle).result("transformed", kHandle))
      .doc("Copies operands of an op into new buffers and uses these.")
      .defaultAttr("operands_to_promote", attrs::i64Array, "[]")
      .defaultAttr("use_full_tile_buffers", attrs::boolArray, "[]")
      .optionalAttr("use_full_tiles_by_default", attrs::unit)
      .optionalAttr("use_original_subview_size", attrs::unit)
      .optionalAttr("use_alloca", attrs::unit)
      .optionalAttr("memory_space", attrs::any)
      .optionalAttr("mapping", attrs::array)
      .optionalAttr("alignment", attrs::i64)
      .format(kFunctional)
      .example("%0 = transform.structured.promote %a {operands_to_promote = [0, 1]} : "
               "(!transform.any_op) -> !transform.any_op");
  modifying(d.op("structured.promote_tensor")
                .operand("tensor", kValueHandle)
                .result("promoted", kValueHandle))
      .doc("Copies a tensor into an allocation of a memory space and uses the copy.")
      .optionalAttr("memory_space", attrs::any)
      .sameType({"tensor", "promoted"})
      .format("(`to` $memory_space^)? $tensor attr-dict `:` type($tensor)")
      .example("%0 = transform.structured.promote_tensor to 1 %v : !transform.any_value");
}

// -- Tiling --------------------------------------------------------------------------------------

void defineTiling(Dialect& d) {
  consuming(d.op("structured.tile_using_for")
                .operand("target", kHandle)
                .variadicOperand("dynamic_sizes", kParamOrHandle)
                .result("tiled_linalg_op", kHandle)
                .variadicResult("loops", kHandle))
      .doc("Tiles an op with one loop per size that is not 0. A size is a number, a handle or "
           "parameter, or a multiple of the vector scale.")
      .defaultAttr("static_sizes", attrs::denseI64, "array<i64>")
      .optionalAttr("interchange", attrs::denseI64)
      .optionalAttr("scalable_sizes", attrs::denseBool)
      .format("$target `tile_sizes` custom<TransformSizes>($dynamic_sizes, $static_sizes, "
              "$scalable_sizes) (`interchange` `=` custom<TransformIntegers>($interchange)^)? "
              "attr-dict `:` functional-type(operands, results)")
      .verify(verifyTileUsingFor)
      .example("%tiled_linalg_op, %loops:2 = transform.structured.tile_using_for %a tile_sizes "
               "[4, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, "
               "!transform.any_op)");
  consuming(d.op("structured.tile_using_forall")
                .operand("target", kHandle)
                .variadicOperand("num_threads", kParamOrHandle)
                .variadicOperand("tile_sizes", kParamOrHandle)
                .optionalOperand("packed_num_threads", kParamOrHandle)
                .optionalOperand("packed_tile_sizes", kParamOrHandle)
                .result("tiled_op", kHandle)
                .result("forall_op", kHandle))
      .doc("Tiles an op with one scf.forall, by the number of threads or the size of tiles; "
           "`*(%h)`: one handle or parameter holds all of them.")
      .defaultAttr("static_num_threads", attrs::denseI64, "array<i64>")
      .defaultAttr("static_tile_sizes", attrs::denseI64, "array<i64>")
      .optionalAttr("mapping", attrs::array)
      .traits(Trait::AttrSizedOperandSegments)
      .format("$target (`num_threads` custom<TransformPackedSizes>($packed_num_threads, "
              "$num_threads, $static_num_threads)^)? (`tile_sizes` "
              "custom<TransformPackedSizes>($packed_tile_sizes, $tile_sizes, "
              "$static_tile_sizes)^)? (`(` `mapping` `=` $mapping^ `)`)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyTileUsingForall)
      .example("%tiled_op, %forall_op = transform.structured.tile_using_forall %a tile_sizes "
               "[4, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)");
}

void defineReductionTiling(Dialect& d) {
  consuming(d.op("structured.tile_reduction_using_for")
                .operand("target", kHandle)
                .variadicResult("fill_op", kHandle)
                .result("split_linalg_op", kHandle)
                .result("combining_linalg_op", kHandle)
                .result("for_op", kHandle))
      .doc("Tiles a reduction into partial results and an op that combines them.")
      .defaultAttr("tile_sizes", attrs::denseI64, "array<i64>")
      .format("$target `by` `tile_sizes` `=` custom<TransformIntegers>($tile_sizes) attr-dict "
              "`:` functional-type(operands, results)")
      .example("%fill_op, %split_linalg_op, %combining_linalg_op, %for_op = "
               "transform.structured.tile_reduction_using_for %a by tile_sizes = [0, 5] : "
               "(!transform.any_op) -> (!transform.any_op, !transform.any_op, "
               "!transform.any_op, !transform.any_op)");
  consuming(d.op("structured.tile_reduction_using_forall")
                .operand("target", kHandle)
                .variadicResult("fill_op", kHandle)
                .result("split_linalg_op", kHandle)
                .result("combining_linalg_op", kHandle)
                .result("forall_op", kHandle))
      .doc("The same with one scf.forall.")
      .defaultAttr("num_threads", attrs::denseI64, "array<i64>")
      .defaultAttr("tile_sizes", attrs::denseI64, "array<i64>")
      .optionalAttr("mapping", attrs::array)
      .format("$target `by` (`num_threads` `=` custom<TransformIntegers>($num_threads)^)? `` "
              "custom<TransformReductionTail>($tile_sizes, $mapping) attr-dict `:` "
              "functional-type(operands, results)")
      .example("%fill_op, %split_linalg_op, %combining_linalg_op, %forall_op = "
               "transform.structured.tile_reduction_using_forall %a by num_threads = [0, 5] : "
               "(!transform.any_op) -> (!transform.any_op, !transform.any_op, "
               "!transform.any_op, !transform.any_op)");
}

void defineFusion(Dialect& d) {
  consuming(d.op("structured.fuse")
                .operand("target", kHandle)
                .result("transformed", kHandle)
                .variadicResult("loops", kHandle))
      .doc("Tiles an op and fuses its producers into the loops.")
      .defaultAttr("tile_sizes", attrs::i64Array, "[]")
      .defaultAttr("tile_interchange", attrs::i64Array, "[]")
      .defaultAttr("apply_cleanup", attrs::boolean, "false")
      .format("$target ($tile_sizes^)? (`interchange` $tile_interchange^)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyFuse)
      .example("%transformed, %loops:2 = transform.structured.fuse %a [4, 8] interchange [1, 0] "
               ": (!transform.any_op) -> (!transform.any_op, !transform.any_op, "
               "!transform.any_op)");
  consuming(d.op("structured.fuse_into_containing_op")
                .operand("producer_op", kHandle)
                .operand("containing_op", kHandle)
                .result("fused_op", kHandle)
                .result("new_containing_op", kHandle),
            {"producer_op"})
      .doc("Computes the part of a producer that a loop needs inside that loop.")
      .format("$producer_op `into` $containing_op attr-dict `:` "
              "functional-type(operands, results)")
      .example("%fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %a "
               "into %b : (!transform.any_op, !transform.any_op) -> (!transform.any_op, "
               "!transform.any_op)");
}

void defineTileSizes(Dialect& d) {
  reading(d.op("structured.multitile_sizes")
              .operand("target", kHandle)
              .result("low_size", kParamOrHandle)
              .result("high_size", kParamOrHandle)
              .result("split_point", kParamOrHandle))
      .doc("Two tile sizes, and where to split a dimension so that both divide their part.")
      .attr("dimension", attrs::i64)
      .attr("target_size", attrs::i64)
      .defaultAttr("divisor", attrs::i64, "1 : i64")
      .format("$target attr-dict `:` custom<TransformUniformResults>(type($target), "
              "type($low_size), type($high_size), type($split_point))")
      .example("%low_size, %high_size, %split_point = transform.structured.multitile_sizes %a "
               "{dimension = 1 : i64, target_size = 10 : i64} : (!transform.any_op) -> "
               "!transform.param<i64>");
  reading(d.op("structured.continuous_tile_sizes")
              .operand("target", kHandle)
              .result("tile_sizes", kParamOrHandle)
              .result("chunk_sizes", kParamOrHandle))
      .doc("Falling tile sizes that cover a dimension without a rest.")
      .attr("dimension", attrs::i64)
      .attr("target_size", attrs::i64)
      .format("$target attr-dict `:` custom<TransformUniformResults>(type($target), "
              "type($tile_sizes), type($chunk_sizes))")
      .example("%tile_sizes, %chunk_sizes = transform.structured.continuous_tile_sizes %a "
               "{dimension = 0 : i64, target_size = 9 : i64} : (!transform.any_op) -> "
               "!transform.any_op");
}

void defineSplitting(Dialect& d) {
  consuming(d.op("structured.split")
                .operand("target", kHandle)
                .optionalOperand("dynamic_chunk_sizes", kParamOrHandle)
                .result("first", kHandle)
                .result("second", kHandle))
      .doc("Splits an op into two along a dimension.")
      .attr("dimension", attrs::i64)
      .attr("static_chunk_sizes", attrs::i64)
      .sameType({"target", "first", "second"})
      .format("$target `after` custom<TransformIndex>($dynamic_chunk_sizes, $static_chunk_sizes) "
              "attr-dict `:` type($target) (`,` type($dynamic_chunk_sizes)^)?")
      .verify(verifySplit)
      .example("%first, %second = transform.structured.split %a after 16 {dimension = 1 : i64} : "
               "!transform.any_op");
  consuming(d.op("structured.split_reduction")
                .operand("target", kHandle)
                .result("init_or_alloc_op", kHandle)
                .result("fill_op", kHandle)
                .result("split_linalg_op", kHandle)
                .result("combining_linalg_op", kHandle))
      .doc("Splits a reduction into partial reductions along a new dimension.")
      .defaultAttr("split_factor", attrs::i64, "0 : i64")
      .defaultAttr("insert_split_dimension", attrs::i64, "0 : i64")
      .optionalAttr("inner_parallel", attrs::unit)
      .optionalAttr("use_scaling_algorithm", attrs::unit)
      .optionalAttr("use_alloc", attrs::unit)
      .format(kFunctional)
      .example("%init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op = "
               "transform.structured.split_reduction %a {split_factor = 4 : i64} : "
               "(!transform.any_op) -> (!transform.any_op, !transform.any_op, "
               "!transform.any_op, !transform.any_op)");
  consuming(d.op("structured.gpu.map_copy_to_threads")
                .operand("target", kHandle)
                .result("forall_op", kHandle)
                .result("tiled_op", kHandle))
      .doc("Tiles a copy onto the threads of a GPU block.")
      .attr("total_num_threads", attrs::i64)
      .attr("desired_bit_alignment", attrs::i64)
      .format("$target `total_num_threads` `=` $total_num_threads `desired_bit_alignment` `=` "
              "$desired_bit_alignment attr-dict `:` functional-type(operands, results)")
      .example("%forall_op, %tiled_op = transform.structured.gpu.map_copy_to_threads %a "
               "total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> "
               "(!transform.any_op, !transform.any_op)");
}

// -- Vectors -------------------------------------------------------------------------------------

void defineVectorize(Dialect& d) {
  consuming(d.op("structured.vectorize")
                .operand("target", kHandle)
                .variadicOperand("vector_sizes", kParamOrHandle))
      .doc("Turns an op into vector ops, of the sizes given or of its static shape.")
      .optionalAttr("static_vector_sizes", attrs::denseI64)
      .optionalAttr("scalable_sizes", attrs::denseBool)
      .optionalAttr("vectorize_nd_extract", attrs::unit)
      .format("$target (`vector_sizes` custom<TransformSizes>($vector_sizes, "
              "$static_vector_sizes, $scalable_sizes)^)? attr-dict `:` type($target) "
              "(`,` type($vector_sizes)^)?")
      .verify(verifyVectorSizes)
      .example("transform.structured.vectorize %a vector_sizes [4, [8]] : !transform.any_op");
  consuming(d.op("structured.vectorize_children_and_apply_patterns")
                .operand("target", kHandle)
                .result("transformed", kHandle))
      .doc("Vectorizes all ops inside the payload and simplifies the result.")
      .optionalAttr("vectorize_padding", attrs::unit)
      .optionalAttr("vectorize_nd_extract", attrs::unit)
      .optionalAttr("flatten_1d_depthwise_conv", attrs::unit)
      .optionalAttr("disable_multi_reduction_to_contract_patterns", attrs::unit)
      .optionalAttr("disable_transfer_permutation_map_lowering_patterns", attrs::unit)
      .format(kFunctional)
      .example("%0 = transform.structured.vectorize_children_and_apply_patterns %a : "
               "(!transform.any_op) -> !transform.any_op");
}

// -- Packing and padding -------------------------------------------------------------------------

void definePacking(Dialect& d) {
  consuming(d.op("structured.pack")
                .operand("target", kHandle)
                .variadicOperand("packed_sizes", kParamOrHandle)
                .result("packed_op", kHandle))
      .doc("Packs the operands of an op into tiles of the sizes, one per loop.")
      .defaultAttr("static_packed_sizes", attrs::denseI64, "array<i64>")
      .format("$target `packed_sizes` `=` custom<TransformSizes>($packed_sizes, "
              "$static_packed_sizes) attr-dict `:` functional-type(operands, results)")
      .verify(verifyPack)
      .example("%0 = transform.structured.pack %a packed_sizes = [4, 5, 6] : "
               "(!transform.any_op) -> !transform.any_op");
  consuming(d.op("structured.pack_greedily")
                .operand("target", kHandle)
                .variadicOperand("matmul_packed_sizes", kParamOrHandle)
                .result("packed_op", kGeneric))
      .doc("Finds a matrix product in an op and packs its three dimensions.")
      .defaultAttr("static_matmul_packed_sizes", attrs::denseI64, "array<i64>")
      .defaultAttr("matmul_padded_sizes_next_multiple_of", kNoneOrThree, "array<i64>")
      .defaultAttr("matmul_inner_dims_order", kNoneOrThree, "array<i64>")
      .format("$target (`matmul_packed_sizes` `=` custom<TransformSizes>($matmul_packed_sizes, "
              "$static_matmul_packed_sizes)^)? (`matmul_padded_sizes_next_multiple_of` `=` "
              "custom<TransformIntegers>($matmul_padded_sizes_next_multiple_of)^)? "
              "`matmul_inner_dims_order` `=` "
              "custom<TransformIntegers>($matmul_inner_dims_order) attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyPackGreedily)
      .example("%0 = transform.structured.pack_greedily %a matmul_packed_sizes = [8, 16, 32] "
               "matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> "
               "!transform.op<\"linalg.generic\">");
  consuming(d.op("structured.pack_transpose")
                .operand("target_pack_or_un_pack_op", kHandle)
                .operand("target_linalg_op", kHandle)
                .result("packed_op", kHandle)
                .result("pack_op", kHandle)
                .result("un_pack_op", kHandle),
            {"target_pack_or_un_pack_op", "target_linalg_op"})
      .doc("Transposes the tiles of a pack or unpack op and the op that works on them.")
      .optionalAttr("outer_perm", attrs::denseI64)
      .optionalAttr("inner_perm", attrs::denseI64)
      .format("$target_pack_or_un_pack_op `with_compute_op` `(` $target_linalg_op `)` "
              "(`outer_perm` `=` custom<TransformIntegers>($outer_perm)^)? "
              "(`inner_perm` `=` custom<TransformIntegers>($inner_perm)^)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyPackTranspose)
      .example("%packed_op, %pack_op, %un_pack_op = transform.structured.pack_transpose %a "
               "with_compute_op(%b) outer_perm = [1, 0] : (!transform.any_op, "
               "!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)");
}

void definePackLowering(Dialect& d) {
  consuming(d.op("structured.lower_pack")
                .operand("target", kTensorPack)
                .result("pad_op", kTensorPad)
                .result("expand_shape_op", kExpandShape)
                .result("transpose_op", kTranspose))
      .doc("Turns a pack into pad, expand_shape and transpose.")
      .format(kFunctional)
      .example("%pad_op, %expand_shape_op, %transpose_op = transform.structured.lower_pack %pack "
               ": (!transform.op<\"tensor.pack\">) -> (!transform.op<\"tensor.pad\">, "
               "!transform.op<\"tensor.expand_shape\">, !transform.op<\"linalg.transpose\">)");
  consuming(d.op("structured.lower_unpack")
                .operand("target", kTensorUnpack)
                .result("empty_op", kTensorEmpty)
                .result("transpose_op", kTranspose)
                .result("collapse_shape_op", kCollapseShape)
                .result("extract_slice_op", kExtractSlice))
      .doc("Turns an unpack into empty, transpose, collapse_shape and extract_slice.")
      .format(kFunctional)
      .example("%empty_op, %transpose_op, %collapse_shape_op, %extract_slice_op = "
               "transform.structured.lower_unpack %unpack : (!transform.op<\"tensor.unpack\">) "
               "-> (!transform.op<\"tensor.empty\">, !transform.op<\"linalg.transpose\">, "
               "!transform.op<\"tensor.collapse_shape\">, "
               "!transform.op<\"tensor.extract_slice\">)");
}

void definePadding(Dialect& d) {
  consuming(d.op("structured.pad")
                .operand("target", kHandle)
                .variadicOperand("pad_to_multiple_of", kParamOrHandle)
                .result("padded", kHandle)
                .result("pad", kHandle)
                .result("copy", kHandle))
      .doc("Pads the operands of an op so that the dimensions are multiples, and copies the "
           "result back.")
      .defaultAttr("padding_values", attrs::array, "[]")
      .defaultAttr("padding_dimensions", attrs::i64Array, "[]")
      .optionalAttr("static_pad_to_multiple_of", attrs::denseI64)
      .defaultAttr("pack_paddings", attrs::i64Array, "[]")
      .defaultAttr("nofold_flags", attrs::i64Array, "[]")
      .defaultAttr("transpose_paddings", attrs::array, "[]")
      .defaultAttr("copy_back_op", attrs::string, "\"bufferization.materialize_in_destination\"")
      .optionalAttr("use_prescribed_tensor_shapes", attrs::unit)
      .format("$target (`pad_to_multiple_of` custom<TransformSizes>($pad_to_multiple_of, "
              "$static_pad_to_multiple_of)^)? "
              "(`use_prescribed_tensor_shapes` $use_prescribed_tensor_shapes^)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyPad)
      .example("%padded, %pad, %copy = transform.structured.pad %a {padding_dimensions = [0, 1], "
               "padding_values = [0.000000e+00 : f32]} : (!transform.any_op) -> "
               "(!transform.any_op, !transform.any_op, !transform.any_op)");
  consuming(d.op("structured.hoist_pad").operand("target", kHandle).result("transformed", kHandle))
      .doc("Moves a pad out of loops, so that all tiles are padded at once.")
      .attr("num_loops", attrs::i64)
      .defaultAttr("transpose", attrs::denseI64, "array<i64>")
      .format("$target `by` $num_loops `loops` (`,` `transpose` `by` "
              "custom<TransformIntegers>($transpose)^)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyTranspose)
      .example("%0 = transform.structured.hoist_pad %a by 2 loops, transpose by [1, 0] : "
               "(!transform.any_op) -> !transform.any_op");
  modifying(d.op("structured.hoist_pad.build_packing_loop_nest")
                .operand("target", kHandle)
                .operand("loop", kHandle)
                .result("packing_loop", kHandle))
      .doc("Builds the loops that such a pad needs above a loop.")
      .defaultAttr("transpose", attrs::denseI64, "array<i64>")
      .format("$target `above` $loop (`,` `transpose` `by` "
              "custom<TransformIntegers>($transpose)^)? attr-dict `:` "
              "functional-type(operands, results)")
      .verify(verifyTranspose)
      .example("%0 = transform.structured.hoist_pad.build_packing_loop_nest %a above %b : "
               "(!transform.any_op, !transform.any_op) -> !transform.any_op");
}

}  // namespace

void defineStructured(Dialect& d) {
  defineMatch(d);
  defineRewrites(d);
  defineBuffers(d);
  defineTiling(d);
  defineReductionTiling(d);
  defineFusion(d);
  defineTileSizes(d);
  defineSplitting(d);
  defineVectorize(d);
  definePacking(d);
  definePackLowering(d);
  definePadding(d);
}

}  // namespace airlite::transform
