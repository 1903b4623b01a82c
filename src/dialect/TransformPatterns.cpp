// The transform dialect: apply_patterns, and the sets of patterns that may stand in it.
#include "TransformInternal.hpp"

namespace airlite::transform {

namespace {

#define AIRLITE_PATTERN(name, doc) \
  { name, doc, "transform." name }

/// Sets of patterns without parameters.
constexpr OpRow kPatterns[] = {
    AIRLITE_PATTERN("apply_patterns.canonicalization",
                    "The canonicalizations of all ops that are loaded."),
    AIRLITE_PATTERN("apply_patterns.gpu.eliminate_barriers", "Removes barriers without effect."),
    AIRLITE_PATTERN("apply_patterns.gpu.gpu_rewrite_patterns", "Expands gpu ops."),
    AIRLITE_PATTERN("apply_patterns.linalg.erase_unnecessary_inputs",
                    "Removes inputs that are not read or given twice."),
    AIRLITE_PATTERN("apply_patterns.linalg.fold_unit_extent_dims_via_reshapes",
                    "Drops dimensions of size 1 by reshapes."),
    AIRLITE_PATTERN("apply_patterns.linalg.fold_unit_extent_dims_via_slices",
                    "Drops dimensions of size 1 by slices that lower the rank."),
    AIRLITE_PATTERN("apply_patterns.linalg.tiling_canonicalization",
                    "Simplifies what tiling leaves."),
    AIRLITE_PATTERN("apply_patterns.memref.expand_ops", "Expands memref ops into simpler ones."),
    AIRLITE_PATTERN("apply_patterns.memref.expand_strided_metadata",
                    "Computes offsets and strides of views explicitly."),
    AIRLITE_PATTERN("apply_patterns.memref.extract_address_computations",
                    "Moves indices of accesses into subviews."),
    AIRLITE_PATTERN("apply_patterns.memref.fold_memref_alias_ops",
                    "Makes accesses of views accesses of what they view."),
    AIRLITE_PATTERN("apply_patterns.memref.resolve_ranked_shaped_type_result_dims",
                    "Replaces the sizes of results by sizes of operands."),
    AIRLITE_PATTERN("apply_patterns.scf.for_loop_canonicalization",
                    "Simplifies with the bounds of loops."),
    AIRLITE_PATTERN("apply_patterns.tensor.decompose_concat", "Turns concat into insert_slice."),
    AIRLITE_PATTERN("apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion",
                    "Removes reshapes before insert_slice."),
    AIRLITE_PATTERN("apply_patterns.tensor.fold_into_pack_and_unpack",
                    "Folds pads and slices into pack and unpack."),
    AIRLITE_PATTERN("apply_patterns.tensor.fold_tensor_subset_ops",
                    "Folds slices into each other."),
    AIRLITE_PATTERN("apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers",
                    "Folds slices into vector transfers."),
    AIRLITE_PATTERN("apply_patterns.tensor.merge_consecutive_insert_extract_slice",
                    "Merges slices of slices."),
    AIRLITE_PATTERN("apply_patterns.tensor.reassociative_reshape_folding",
                    "Folds reshapes into the slices that they follow."),
    AIRLITE_PATTERN("apply_patterns.vector.cast_away_vector_leading_one_dim",
                    "Drops leading vector dimensions of size 1."),
    AIRLITE_PATTERN("apply_patterns.vector.elementwise_to_vector",
                    "Makes elementwise ops on vectors of one dimension."),
    AIRLITE_PATTERN("apply_patterns.vector.fold_arith_extension",
                    "Folds extensions into contractions."),
    AIRLITE_PATTERN("apply_patterns.vector.interleave_to_shuffle",
                    "Turns interleave into shuffle."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_bitcast", "Lowers vector.bitcast."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_broadcast", "Lowers vector.broadcast."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_create_mask", "Lowers vector.create_mask."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_gather", "Lowers vector.gather."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_interleave", "Lowers vector.interleave."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_masked_transfers",
                    "Lowers masked vector transfers."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_masks", "Lowers vector masks."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_outerproduct", "Lowers vector.outerproduct."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_scan", "Lowers vector.scan."),
    AIRLITE_PATTERN("apply_patterns.vector.lower_shape_cast", "Lowers vector.shape_cast."),
    AIRLITE_PATTERN("apply_patterns.vector.materialize_masks", "Makes masks of comparisons."),
    AIRLITE_PATTERN("apply_patterns.vector.rank_reducing_subview_patterns",
                    "Drops dimensions of size 1 of transfers by subviews."),
    AIRLITE_PATTERN("apply_patterns.vector.reduction_to_contract",
                    "Turns reductions of products into contractions."),
    AIRLITE_PATTERN("apply_patterns.vector.rewrite_narrow_types",
                    "Rewrites conversions of narrow element types."),
    AIRLITE_PATTERN("apply_patterns.vector.transfer_permutation_patterns",
                    "Lowers permutations of vector transfers."),
};
#undef AIRLITE_PATTERN

void definePlainPatterns(Dialect& d) {
  for (const OpRow& row : kPatterns)
    d.op(row.name).doc(row.doc).effects({}).format("attr-dict").example(row.example);
}

// -- Patterns with parameters --------------------------------------------------------------------

constexpr std::array<std::string_view, 4> kContractions = {"dot", "matmulintrinsics",
                                                           "outerproduct", "parallelarith"};
constexpr AttrConstraint kContraction = WordAsInteger<kContractions>::constraint(
    "a lowering, one of: dot, matmulintrinsics, outerproduct, parallelarith");
constexpr std::array<std::string_view, 2> kReductions = {"innerparallel", "innerreduction"};
constexpr AttrConstraint kReduction =
    WordAsInteger<kReductions>::constraint("a lowering, one of: innerparallel, innerreduction");
constexpr std::array<std::string_view, 4> kTransposes = {"eltwise", "flat_transpose", "shuffle_1d",
                                                         "shuffle_16x16"};
constexpr AttrConstraint kTransposeStrategy = WordAsInteger<kTransposes>::constraint(
    "a lowering, one of: eltwise, flat_transpose, shuffle_1d, shuffle_16x16");
constexpr std::array<std::string_view, 4> kSplits = {"none", "vector-transfer", "linalg-copy",
                                                     "force-in-bounds"};
constexpr AttrConstraint kSplit = WordAsInteger<kSplits>::constraint(
    "a split, one of: none, vector-transfer, linalg-copy, force-in-bounds");

/// `reorder_multi_reduction_dims`, `multi_reduction_flattening` and `multi_reduction_unrolling` are
/// the parts that later tools split `lower_multi_reduction` into.
constexpr OpRow kReductionPatterns[] = {
    {"apply_patterns.vector.lower_multi_reduction", "Lowers vector.multi_reduction.",
     "transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction"},
    {"apply_patterns.vector.reorder_multi_reduction_dims",
     "Moves the reduced dimensions to the front or the back.",
     "transform.apply_patterns.vector.reorder_multi_reduction_dims lowering_strategy = "
     "innerreduction"},
    {"apply_patterns.vector.multi_reduction_flattening",
     "Makes one dimension of the reduced ones and one of the others.",
     "transform.apply_patterns.vector.multi_reduction_flattening lowering_strategy = "
     "innerreduction"},
    {"apply_patterns.vector.multi_reduction_unrolling",
     "Turns a reduction of two dimensions into ones of one dimension.",
     "transform.apply_patterns.vector.multi_reduction_unrolling lowering_strategy = "
     "innerreduction"},
};

void defineVectorPatterns(Dialect& d) {
  for (const OpRow& row : kReductionPatterns)
    d.op(row.name)
        .doc(row.doc)
        .defaultAttr("lowering_strategy", kReduction, "0 : i32")
        .effects({})
        .format("(`lowering_strategy` `=` $lowering_strategy^)? attr-dict")
        .example(row.example);
  d.op("apply_patterns.vector.lower_contraction")
      .doc("Lowers vector.contract.")
      .defaultAttr("lowering_strategy", kContraction, "2 : i32")
      .effects({})
      .format("(`lowering_strategy` `=` $lowering_strategy^)? attr-dict")
      .example("transform.apply_patterns.vector.lower_contraction lowering_strategy = dot");
  d.op("apply_patterns.vector.lower_transpose")
      .doc("Lowers vector.transpose.")
      .defaultAttr("lowering_strategy", kTransposeStrategy, "0 : i32")
      .defaultAttr("avx2_lowering_strategy", attrs::boolean, "false")
      .effects({})
      .format("(`lowering_strategy` `=` $lowering_strategy^)? "
              "(`avx2_lowering_strategy` `=` $avx2_lowering_strategy^)? attr-dict")
      .example("transform.apply_patterns.vector.lower_transpose lowering_strategy = shuffle_1d");
  d.op("apply_patterns.vector.lower_transfer")
      .doc("Lowers vector transfers of more dimensions than the limit.")
      .defaultAttr("max_transfer_rank", attrs::i64, "1 : i64")
      .effects({})
      .format("(`max_transfer_rank` `=` $max_transfer_rank^)? attr-dict")
      .example("transform.apply_patterns.vector.lower_transfer max_transfer_rank = 2");
  d.op("apply_patterns.vector.transfer_to_scf")
      .doc("Turns vector transfers of more dimensions than the limit into loops.")
      .defaultAttr("max_transfer_rank", attrs::i64, "1 : i64")
      .defaultAttr("full_unroll", attrs::boolean, "false")
      .effects({})
      .format("(`max_transfer_rank` `=` $max_transfer_rank^)? (`full_unroll` `=` "
              "$full_unroll^)? attr-dict")
      .example("transform.apply_patterns.vector.transfer_to_scf full_unroll = true");
  d.op("apply_patterns.vector.split_transfer_full_partial")
      .doc("Splits vector transfers into a part inside the bounds and the rest.")
      .defaultAttr("split_transfer_strategy", kSplit, "2 : i32")
      .effects({})
      .format("(`split_transfer_strategy` `=` $split_transfer_strategy^)? attr-dict")
      .example("transform.apply_patterns.vector.split_transfer_full_partial "
               "split_transfer_strategy = \"vector-transfer\"");
}

void defineOtherPatterns(Dialect& d) {
  d.op("apply_patterns.memref.alloc_to_alloca")
      .doc("Makes allocations up to a size allocations on the stack.")
      .optionalAttr("size_limit", attrs::i64)
      .effects({})
      .format("(`size_limit` `(` $size_limit^ `)`)? attr-dict")
      .example("transform.apply_patterns.memref.alloc_to_alloca size_limit(32)");
  d.op("apply_patterns.tensor.fold_tensor_empty")
      .doc("Folds slices and reshapes of tensor.empty.")
      .defaultAttr("fold_single_use_only", attrs::boolean, "false")
      .effects({})
      .format("attr-dict")
      .example("transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}");
  d.op("apply_patterns.tensor.rewrite_as_constant")
      .doc("Replaces tensors of known elements by constants.")
      .optionalAttr("aggressive", attrs::unit)
      .effects({})
      .format("(`aggressive` $aggressive^)? attr-dict")
      .example("transform.apply_patterns.tensor.rewrite_as_constant aggressive");
  d.op("apply_patterns.gpu.unroll_vectors_subgroup_mma")
      .doc("Cuts contractions into pieces that a matrix unit takes.")
      .attr("m", attrs::i64)
      .attr("n", attrs::i64)
      .attr("k", attrs::i64)
      .effects({})
      .format("`[` $m `,` $n `,` $k `]` attr-dict")
      .example("transform.apply_patterns.gpu.unroll_vectors_subgroup_mma[16, 16, 8]");
}

}  // namespace

void definePatterns(Dialect& d) {
  modifying(d.op("apply_patterns").operand("target", kHandle))
      .doc("Applies the sets of patterns in its body to the inside of the payload ops until "
           "nothing changes.")
      .optionalAttr("apply_cse", attrs::unit)
      .defaultAttr("max_iterations", attrs::i64, "-1 : i64")
      .defaultAttr("max_num_rewrites", attrs::i64, "-1 : i64")
      .region("patterns")
      .traits(Trait::NoTerminator | Trait::SingleBlock)
      .format("`to` $target $patterns attr-dict `:` type($target)")
      .verify(verifyApplyPatterns)
      .example("transform.apply_patterns to %a {\n"
               "  transform.apply_patterns.canonicalization\n} {apply_cse} : !transform.any_op");
  definePlainPatterns(d);
  defineVectorPatterns(d);
  defineOtherPatterns(d);
}

}  // namespace airlite::transform
