// The transform dialect: ops on loops, buffers, tensors and kernels.
#include "TransformInternal.hpp"

namespace airlite::transform {

namespace {

constexpr auto& kAlloca =
    kHandleTo<"memref.alloca", "Transform IR handle to memref.alloca operations">;
constexpr auto& kAlloc =
    kHandleTo<"memref.alloc", "Transform IR handle to memref.alloc operations">;
constexpr auto& kEmpty =
    kHandleTo<"tensor.empty", "Transform IR handle to tensor.empty operations">;
constexpr auto& kAllocTensor =
    kHandleTo<"bufferization.alloc_tensor",
              "Transform IR handle to bufferization.alloc_tensor operations">;
constexpr auto& kFor = kHandleTo<"scf.for", "Transform IR handle to scf.for operations">;

// -- Loops ---------------------------------------------------------------------------------------

constexpr OpRow kLoopRewrites[] = {
    {"loop.coalesce", "Makes a nest of loops one loop.",
     "%0 = transform.loop.coalesce %a : (!transform.any_op) -> !transform.any_op"},
    {"loop.forall_to_for", "Turns scf.forall into a nest of scf.for.",
     "%0 = transform.loop.forall_to_for %a : (!transform.any_op) -> !transform.any_op"},
    {"loop.forall_to_parallel", "Turns scf.forall into scf.parallel.",
     "%0 = transform.loop.forall_to_parallel %a : (!transform.any_op) -> !transform.any_op"},
};

void defineLoopRewrites(Dialect& d) {
  for (const OpRow& row : kLoopRewrites)
    consuming(d.op(row.name).operand("target", kHandle).variadicResult("transformed", kHandle))
        .doc(row.doc)
        .format(kFunctional)
        .example(row.example);
  consuming(d.op("loop.fuse_sibling")
                .operand("target", kHandle)
                .operand("source", kHandle)
                .result("fused_loop", kHandle),
            {"target", "source"})
      .doc("Moves the body of one loop into another of the same bounds.")
      .format("$target `into` $source attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.loop.fuse_sibling %a into %b : (!transform.any_op, "
               "!transform.any_op) -> !transform.any_op");
  consuming(d.op("loop.outline")
                .operand("target", kHandle)
                .result("function", kHandle)
                .result("call", kHandle))
      .doc("Moves a loop into a function of its own.")
      .attr("func_name", attrs::string)
      .format(kFunctional)
      .example("%function, %call = transform.loop.outline %a {func_name = \"f\"} : "
               "(!transform.any_op) -> (!transform.any_op, !transform.any_op)");
  modifying(d.op("loop.hoist_loop_invariant_subsets").operand("target", kHandle))
      .doc("Moves pairs of extract and insert of one place out of a loop.")
      .format(kTyped)
      .example("transform.loop.hoist_loop_invariant_subsets %a : !transform.any_op");
  consuming(d.op("loop.promote_if_one_iteration").operand("target", kHandle))
      .doc("Replaces a loop of one iteration by its body.")
      .format(kTyped)
      .example("transform.loop.promote_if_one_iteration %a : !transform.any_op");
}

void defineForLoops(Dialect& d) {
  consuming(d.op("loop.peel")
                .operand("target", kFor)
                .result("peeled_loop", kHandle)
                .result("remainder_loop", kHandle))
      .doc("Splits a loop so that the step divides the range of the first part.")
      .defaultAttr("peel_front", attrs::boolean, "false")
      .defaultAttr("fail_if_already_divisible", attrs::boolean, "false")
      .format(kFunctional)
      .example("%peeled_loop, %remainder_loop = transform.loop.peel %for : "
               "(!transform.op<\"scf.for\">) -> (!transform.any_op, !transform.any_op)");
  consuming(d.op("loop.pipeline").operand("target", kFor).result("transformed", kHandle))
      .doc("Overlaps the iterations of a loop.")
      .defaultAttr("iteration_interval", attrs::i64, "1 : i64")
      .defaultAttr("read_latency", attrs::i64, "10 : i64")
      .format(kFunctional)
      .example("%0 = transform.loop.pipeline %for {read_latency = 5 : i64} : "
               "(!transform.op<\"scf.for\">) -> !transform.any_op");
  constexpr OpRow kUnrolls[] = {
      {"loop.unroll", "Repeats the body of a loop.",
       "transform.loop.unroll %a {factor = 4 : i64} : !transform.any_op"},
      {"loop.unroll_and_jam", "Repeats the body of a loop and merges the loops inside.",
       "transform.loop.unroll_and_jam %a {factor = 2 : i64} : !transform.any_op"}};
  for (const OpRow& row : kUnrolls)
    consuming(d.op(row.name).operand("target", kHandle))
        .doc(row.doc)
        .attr("factor", attrs::positiveI64)
        .format(kTyped)
        .example(row.example);
  modifying(d.op("scf.take_assumed_branch").operand("target", kHandle))
      .doc("Replaces scf.if by its then region, or by its else region.")
      .optionalAttr("take_else_branch", attrs::unit)
      .format("$target (`take_else_branch` $take_else_branch^)? attr-dict `:` "
              "functional-type(operands, results)")
      .example("transform.scf.take_assumed_branch %a take_else_branch : (!transform.any_op) -> "
               "()");
  consuming(d.op("affine.simplify_bounded_affine_ops")
                .operand("target", kHandle)
                .variadicOperand("bounded_values", kHandle))
      .doc("Simplifies affine min and max with known bounds of values.")
      .attr("lower_bounds", attrs::denseI64)
      .attr("upper_bounds", attrs::denseI64)
      .format("$target `with` `[` ($bounded_values^ `:` type($bounded_values))? `]` `within` "
              "custom<TransformIntegers>($lower_bounds) `and` "
              "custom<TransformIntegers>($upper_bounds) attr-dict `:` type($target)")
      .verify(verifySimplifyBounded)
      .example("transform.affine.simplify_bounded_affine_ops %a with[%b : !transform.any_op] "
               "within [0] and [20] : !transform.any_op");
}

// -- Bufferization -------------------------------------------------------------------------------

constexpr std::array<std::string_view, 3> kLayouts = {"InferLayoutMap", "IdentityLayoutMap",
                                                      "FullyDynamicLayoutMap"};
constexpr AttrConstraint kLayout = WordAsInteger<kLayouts>::constraint(
    "a layout, one of: InferLayoutMap, IdentityLayoutMap, FullyDynamicLayoutMap");

void defineBufferization(Dialect& d) {
  consuming(d.op("bufferization.one_shot_bufferize")
                .operand("target", kHandle)
                .result("transformed", kHandle))
      .doc("Bufferizes the payload as a whole, with as few copies as the analysis allows.")
      .optionalAttr("function_boundary_type_conversion", kLayout)
      .defaultAttr("allow_return_allocs_from_loops", attrs::boolean, "false")
      .defaultAttr("allow_unknown_ops", attrs::boolean, "false")
      .defaultAttr("bufferize_function_boundaries", attrs::boolean, "false")
      .defaultAttr("check_parallel_regions", attrs::boolean, "true")
      .defaultAttr("dump_alias_sets", attrs::boolean, "false")
      .defaultAttr("test_analysis_only", attrs::boolean, "false")
      .defaultAttr("print_conflicts", attrs::boolean, "false")
      .defaultAttr("memcpy_op", attrs::string, "\"memref.copy\"")
      .format("(`layout` `{` $function_boundary_type_conversion^ `}`)? $target attr-dict `:` "
              "functional-type($target, results)")
      .verify(verifyMemcpyOp)
      .example("%0 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %a "
               "{bufferize_function_boundaries = true} : (!transform.any_op) -> "
               "!transform.any_op");
  constexpr OpRow kInPlace[] = {
      {"bufferization.buffer_loop_hoisting", "Moves allocations out of loops.",
       "transform.bufferization.buffer_loop_hoisting %a : !transform.any_op"},
      {"bufferization.eliminate_empty_tensors",
       "Replaces tensor.empty ops by the slice that their result is inserted into.",
       "transform.bufferization.eliminate_empty_tensors %a : !transform.any_op"}};
  for (const OpRow& row : kInPlace)
    modifying(d.op(row.name).operand("target", kHandle))
        .doc(row.doc)
        .format(kTyped)
        .example(row.example);
  consuming(d.op("bufferization.empty_tensor_to_alloc_tensor")
                .operand("target", kEmpty)
                .result("transformed", kAllocTensor))
      .doc("Turns tensor.empty into bufferization.alloc_tensor.")
      .format(kFunctional)
      .example("%0 = transform.bufferization.empty_tensor_to_alloc_tensor %empty : "
               "(!transform.op<\"tensor.empty\">) -> "
               "!transform.op<\"bufferization.alloc_tensor\">");
}

// -- Memory --------------------------------------------------------------------------------------

void defineMemory(Dialect& d) {
  consuming(d.op("memref.alloca_to_global")
                .operand("alloca", kAlloca)
                .result("getGlobal", kHandle)
                .result("global", kHandle),
            {"alloca"})
      .doc("Turns stack allocations into globals.")
      .format("$alloca attr-dict `:` functional-type(operands, results)")
      .example("%getGlobal, %global = transform.memref.alloca_to_global %alloca : "
               "(!transform.op<\"memref.alloca\">) -> (!transform.any_op, !transform.any_op)");
  consuming(d.op("memref.multibuffer").operand("target", kAlloc).result("transformed", kHandle))
      .doc("Gives a buffer inside a loop several copies that the iterations take in turn.")
      .attr("factor", attrs::positiveI64)
      .optionalAttr("skip_analysis", attrs::unit)
      .format(kFunctional)
      .example("%0 = transform.memref.multibuffer %alloc {factor = 2 : i64} : "
               "(!transform.op<\"memref.alloc\">) -> !transform.any_op");
  modifying(d.op("memref.erase_dead_alloc_and_stores").operand("target", kHandle))
      .doc("Removes allocations that are only written.")
      .format(kFunctional)
      .example("transform.memref.erase_dead_alloc_and_stores %a : (!transform.any_op) -> ()");
  constexpr OpRow kIndependent[] = {
      {"memref.make_loop_independent", "Makes the size of an alloca independent of loops.",
       "%0 = transform.memref.make_loop_independent %a {num_loops = 1 : i64} : "
       "(!transform.any_op) -> !transform.any_op"},
      {"tensor.make_loop_independent", "Makes the size of a tensor independent of loops.",
       "%0 = transform.tensor.make_loop_independent %a {num_loops = 1 : i64} : "
       "(!transform.any_op) -> !transform.any_op"}};
  for (const OpRow& row : kIndependent)
    consuming(d.op(row.name).operand("target", kHandle).result("transformed", kHandle))
        .doc(row.doc)
        .attr("num_loops", attrs::i64)
        .format(kFunctional)
        .example(row.example);
}

// -- Kernels -------------------------------------------------------------------------------------

void defineKernels(Dialect& d) {
  consuming(d.op("gpu.map_forall_to_blocks").operand("target", kHandle).result("result", kHandle))
      .doc("Maps the forall loops that say so onto the blocks of a gpu.launch.")
      .defaultAttr("grid_dims", attrs::denseI64, "array<i64>")
      .optionalAttr("generate_gpu_launch", attrs::unit)
      .format("$target (`generate_gpu_launch` $generate_gpu_launch^)? (`grid_dims` `=` "
              "custom<TransformIntegers>($grid_dims)^)? attr-dict `:` "
              "functional-type($target, results)")
      .verify(verifyGridDims)
      .example("%0 = transform.gpu.map_forall_to_blocks %a generate_gpu_launch grid_dims = "
               "[4, 2, 1] : (!transform.any_op) -> !transform.any_op");
  consuming(
      d.op("gpu.map_nested_forall_to_threads").operand("target", kHandle).result("result", kHandle))
      .doc("Maps the forall loops inside a gpu.launch that say so onto its threads.")
      .defaultAttr("block_dims", attrs::denseI64, "array<i64>")
      .defaultAttr("sync_after_distribute", attrs::boolean, "true")
      .defaultAttr("warp_size", attrs::i64, "32 : i64")
      .format("$target `block_dims` `=` custom<TransformIntegers>($block_dims) "
              "(`sync_after_distribute` `=` $sync_after_distribute^)? "
              "(`warp_size` `=` $warp_size^)? attr-dict `:` functional-type($target, results)")
      .example("%0 = transform.gpu.map_nested_forall_to_threads %a block_dims = [32, 4, 1] : "
               "(!transform.any_op) -> !transform.any_op");
}

}  // namespace

void defineLoops(Dialect& d) {
  defineLoopRewrites(d);
  defineForLoops(d);
  defineBufferization(d);
  defineMemory(d);
  defineKernels(d);
}

}  // namespace airlite::transform
