// The transform dialect: ops of the AIR tools. What they do to a program is told by the passes of
// the same names (docs/passes.md).
#include "TransformInternal.hpp"

#include <algorithm>

namespace airlite::transform {

namespace {

#define AIRLITE_AIR_OP(name, doc) \
  { "air." name, doc, "%0 = transform.air." name " %a : (!transform.any_op) -> !transform.any_op" }

/// One handle in, one out, no parameters.
constexpr OpRow kAirRewrites[] = {
    AIRLITE_AIR_OP("segment_to_aie", "Lowers air.segment to aie devices."),
    AIRLITE_AIR_OP("copy_to_dma", "Turns memref.copy into air.dma_memcpy_nd."),
    AIRLITE_AIR_OP("remove_uninitialized_copy",
                   "Removes copies out of buffers that nothing has written, and linalg.fill of "
                   "them when only copies read them."),
    AIRLITE_AIR_OP("eliminate_cascade_memcpy",
                   "Makes two copies through a buffer that nothing else uses one copy."),
    AIRLITE_AIR_OP("convert_memref_copy_to_linalg_copy", "Turns memref.copy into linalg.copy."),
    AIRLITE_AIR_OP("transpose_reduce",
                   "Transposes the inputs of linalg.reduce so that the reduced dimensions are the "
                   "innermost."),
    AIRLITE_AIR_OP("fuse_elementwise_linalg",
                   "Fuses elementwise linalg ops of a function into each other."),
    AIRLITE_AIR_OP("eliminate_redundant_vector_transfers",
                   "Removes a vector.transfer_read of what was read before and not written since."),
    AIRLITE_AIR_OP("flatten_for_iter_args",
                   "Gives the vectors that a loop carries a single dimension."),
    AIRLITE_AIR_OP("hoist_vector_transfer_pointers",
                   "Computes the addresses of vector transfers outside the loop, on a buffer of "
                   "one dimension."),
    AIRLITE_AIR_OP("convert_divf_sqrt_to_rsqrt", "Turns 1 / sqrt(x) into math.rsqrt."),
    AIRLITE_AIR_OP("normalize_for_bounds",
                   "Folds affine.apply of an induction variable into the bounds of its loop."),
    AIRLITE_AIR_OP("convert_size1_vector_to_scalar", "Makes vectors of one element scalars."),
    AIRLITE_AIR_OP("fold_unit_extent_dims", "Drops dimensions of size 1."),
};
#undef AIRLITE_AIR_OP

OpDef& rewrite(Dialect& d, std::string_view name) {
  return consuming(d.op(name).operand("target", kHandle).result("result", kHandle))
      .format(kFunctional);
}

void defineAirRewrites(Dialect& d) {
  for (const OpRow& row : kAirRewrites)
    rewrite(d, row.name).doc(row.doc).example(row.example);
  rewrite(d, "air.linalg_to_library_call")
      .doc("Turns a linalg op into a call of a function, by default of its `library_call`; "
           "`link_with` names the object file and is added to the herd around it.")
      .optionalAttr("function_name", attrs::string)
      .optionalAttr("link_with", attrs::string)
      .example("%0 = transform.air.linalg_to_library_call %a {function_name = \"my_matmul\", "
               "link_with = \"matmul.o\"} : (!transform.any_op) -> !transform.any_op");
  rewrite(d, "air.broadcast_before_unary")
      .doc("Moves vector.broadcast before elementwise ops of one operand, of all names or one.")
      .optionalAttr("op_name", attrs::string)
      .example("%0 = transform.air.broadcast_before_unary %a {op_name = \"math.rsqrt\"} : "
               "(!transform.any_op) -> !transform.any_op");
  rewrite(d, "air.override_memref_memory_space")
      .doc("Puts the allocations of a herd, segment, launch or function into a memory space.")
      .attr("memory_space", attrs::i32)
      .example("%0 = transform.air.override_memref_memory_space %a {memory_space = 1 : i32} : "
               "(!transform.any_op) -> !transform.any_op");
  rewrite(d, "air.vector_type_cast")
      .doc("Makes vector ops work on another element type, with casts around them. Which operands "
           "and results can be chosen; all by default.")
      .attr("target_element_type", attrs::typeAttr)
      .defaultAttr("input_indices", attrs::i64Array, "[]")
      .defaultAttr("output_indices", attrs::i64Array, "[]")
      .example("%0 = transform.air.vector_type_cast %a {target_element_type = bf16} : "
               "(!transform.any_op) -> !transform.any_op");
  rewrite(d, "air.herd_vectorize")
      .doc("Vectorizes the linalg ops inside herds.")
      .defaultAttr("vectorize_nd_extract", attrs::boolean, "false")
      .defaultAttr("flatten_1d_depthwise_conv", attrs::boolean, "false")
      .defaultAttr("disable_transfer_permutation_map_lowering_patterns", attrs::boolean, "false")
      .defaultAttr("disable_multi_reduction_to_contract_patterns", attrs::boolean, "false")
      .defaultAttr("vectorize_padding", attrs::boolean, "false")
      .example("%0 = transform.air.herd_vectorize %a : (!transform.any_op) -> !transform.any_op");
}

// -- Hierarchy -----------------------------------------------------------------------------------

void defineHierarchy(Dialect& d) {
  reading(d.op("air.get_segment_for").operand("target", kHandle).result("parent", kHandle))
      .doc("The air.segment around each payload op.")
      .format(kFunctional)
      .example("%0 = transform.air.get_segment_for %a : (!transform.any_op) -> "
               "!transform.any_op");
  rewrite(d, "air.par_to_herd")
      .doc("Turns scf.parallel into air.herd, dimension `first_dim` first. Of more than two "
           "dimensions the last two; the others stay in a loop around it.")
      .defaultAttr("first_dim", attrs::i64, "0 : i64")
      .example("%0 = transform.air.par_to_herd %a {first_dim = 1 : i64} : (!transform.any_op) -> "
               "!transform.any_op");
  constexpr OpRow kOuter[] = {
      {"air.par_to_launch", "Turns scf.parallel into air.launch.",
       "%0 = transform.air.par_to_launch %a {has_air_segment = true} : (!transform.any_op) -> "
       "!transform.any_op"},
      {"air.par_to_segment", "Turns scf.parallel into air.segment.",
       "%0 = transform.air.par_to_segment %a : (!transform.any_op) -> !transform.any_op"}};
  for (const OpRow& row : kOuter)
    rewrite(d, row.name)
        .doc(row.doc)
        .defaultAttr("has_air_segment", attrs::boolean, "false")
        .example(row.example);
  consuming(d.op("air.forall_with_reduce_to_parallel")
                .operand("target", kHandle)
                .variadicResult("transformed", kHandle))
      .doc("Turns scf.forall and the linalg.reduce of its result into scf.parallel.")
      .format(kFunctional)
      .example("%0 = transform.air.forall_with_reduce_to_parallel %a : (!transform.any_op) -> "
               "!transform.any_op");
}

// -- Tiling and buffers --------------------------------------------------------------------------

constexpr std::string_view kMemorySpaces[] = {"L1", "L2", "L3"};
constexpr std::string_view kDirections[] = {"horiz", "vert"};

template <const auto& Words> constexpr AttrConstraint oneOf(std::string_view summary) {
  return {summary, [](Attribute a) {
            auto text = a.dynCast<StringAttr>();
            return text && std::ranges::find(Words, text.value()) != std::end(Words);
          }};
}
constexpr AttrConstraint kMemorySpace =
    oneOf<kMemorySpaces>("a memory space, one of: \"L1\", \"L2\", \"L3\"");
constexpr AttrConstraint kDirection = oneOf<kDirections>("a direction, \"horiz\" or \"vert\"");

void defineAirBuffers(Dialect& d) {
  consuming(d.op("air.linalg_tile")
                .operand("target", kAnyOp)
                .variadicOperand("dynamic_sizes", kAnyOp)
                .result("tiled_linalg_op", kAnyOp)
                .result("loops", kAnyOp))
      .doc("Tiles a linalg op with one scf.forall where it can be parallel.")
      .defaultAttr("static_sizes", attrs::denseI64, "array<i64>")
      .format("$target `` custom<TransformSizes>($dynamic_sizes, $static_sizes) attr-dict")
      .verify(verifyLinalgTile)
      .example("%tiled_linalg_op, %loops = transform.air.linalg_tile %a[64, 64, 0]");
  modifying(d.op("air.linalg_promote").operand("target", kHandle).result("transformed", kHandle))
      .doc("Copies operands of linalg ops into new buffers of a memory space and uses these. "
           "`group_size`: the numbers of the operands count through that many ops at a time.")
      .defaultAttr("operands_to_promote", attrs::i64Array, "[]")
      .defaultAttr("group_size", attrs::i64, "1 : i64")
      .defaultAttr("use_full_tile_buffers", attrs::boolArray, "[]")
      .optionalAttr("use_full_tiles_by_default", attrs::unit)
      .optionalAttr("use_alloca", attrs::unit)
      .optionalAttr("alignment", attrs::i64)
      .defaultAttr("memory_space", kMemorySpace, "\"L1\"")
      .format(kFunctional)
      .example("%0 = transform.air.linalg_promote %a {memory_space = \"L2\", operands_to_promote "
               "= [0, 1]} : (!transform.any_op) -> !transform.any_op");
  consuming(d.op("air.pipeline_reduce").operand("target", kHandle).result("result", kHandle))
      .doc("Splits a reduction over a row or column of a herd that passes partial results on.")
      .defaultAttr("tile_size", attrs::i64Array, "[]")
      .defaultAttr("pipeline_depth", attrs::i64, "1 : i64")
      .defaultAttr("direction", kDirection, "\"horiz\"")
      .optionalAttr("promote", attrs::unit)
      .format(kFunctional)
      .example("%0 = transform.air.pipeline_reduce %a {pipeline_depth = 4 : i64, tile_size = "
               "[16, 32]} : (!transform.any_op) -> !transform.any_op");
  modifying(d.op("air.hoist_static_alloc").operand("target", kHandle))
      .doc("Moves allocations of known size to the top of a function.")
      .format(kFunctional)
      .example("transform.air.hoist_static_alloc %a : (!transform.any_op) -> ()");
}

// -- Several handles -----------------------------------------------------------------------------

void defineAirFusion(Dialect& d) {
  consuming(d.op("air.fuse_into_containing_op")
                .operand("producer_op", kHandle)
                .operand("containing_op", kHandle)
                .result("fused_op", kHandle),
            {"producer_op"})
      .doc("Computes the part of a producer that a loop over buffers needs inside that loop.")
      .format("$producer_op `into` $containing_op attr-dict `:` "
              "functional-type(operands, results)")
      .example("%0 = transform.air.fuse_into_containing_op %a into %b : (!transform.any_op, "
               "!transform.any_op) -> !transform.any_op");
  consuming(d.op("air.fuse_multi_op_linalg")
                .operand("first_op", kHandle)
                .operand("second_op", kHandle)
                .result("fused_op", kHandle),
            {"first_op"})
      .doc("Moves the elementwise ops of one linalg op into the one that reads its result.")
      .format("$first_op `,` $second_op attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.air.fuse_multi_op_linalg %a, %b : (!transform.any_op, "
               "!transform.any_op) -> !transform.any_op");
  consuming(d.op("air.fuse_truncf_linalg")
                .operand("truncf_op", kHandle)
                .operand("producer_op", kHandle)
                .result("fused_op", kHandle),
            {"truncf_op", "producer_op"})
      .doc("Moves an arith.truncf of a whole tensor into the linalg op that computes it.")
      .format("$truncf_op `,` $producer_op attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.air.fuse_truncf_linalg %a, %b : (!transform.any_op, "
               "!transform.any_op) -> !transform.any_op");
}

void defineHoisting(Dialect& d) {
  modifying(d.op("air.hoist_loop_invariant_transfers")
                .operand("scope_op", kHandle)
                .operand("loop_op", kHandle)
                .result("result", kHandle))
      .doc("Moves pairs of vector transfers of one place out of a loop, which carries the vector.")
      .format("$scope_op `,` $loop_op attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.air.hoist_loop_invariant_transfers %a, %b : (!transform.any_op, "
               "!transform.any_op) -> !transform.any_op");
  consuming(d.op("air.hoist_cast_pair")
                .operand("extension_op", kHandle)
                .operand("truncation_op", kHandle)
                .operand("loop_op", kHandle)
                .result("result", kHandle),
            {"extension_op", "truncation_op"})
      .doc("Moves an extension and a truncation of a value that a loop carries out of the loop, "
           "which then carries the wide value.")
      .format("$extension_op `,` $truncation_op `,` $loop_op attr-dict `:` "
              "functional-type(operands, results)")
      .example("%0 = transform.air.hoist_cast_pair %a, %b, %c : (!transform.any_op, "
               "!transform.any_op, !transform.any_op) -> !transform.any_op");
}

}  // namespace

void defineAir(Dialect& d) {
  defineAirRewrites(d);
  defineHierarchy(d);
  defineAirBuffers(d);
  defineAirFusion(d);
  defineHoisting(d);
}

}  // namespace airlite::transform
