// The table of ScriptSteps.hpp: transform.air.linalg_tile, fuse_into_containing_op, linalg_promote,
// copy_to_dma, hoist_cast_pair, vector_type_cast, herd_vectorize, fuse_multi_op_linalg, fuse_truncf_linalg,
// transform.structured.generalize, transform.loop.forall_to_parallel and forall_to_for,
// transform.split_handle.
#include "ScriptSteps.hpp"

#include "ScriptRewrites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/transform/Vectorize.hpp"
#include "transform/dma/CopyToDma.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite {

namespace {

/// Takes `op` out of the program; false, with an error, when the step was given it twice.
bool claim(ScriptStep& step, Operation& op) {
  if (step.erased.insert(&op).second) return true;
  step.script.emitOpError() << "is given one op twice";
  return false;
}

LogicalResult stepTile(ScriptStep& step) {
  if (step.script.numOperands() != 1)
    return step.script.emitOpError() << "not supported: tile sizes from handles";
  auto sizes = step.script.attrOf<DenseArrayAttr>("static_sizes");
  for (Operation* op : step.operands[0]) {
    if (!claim(step, *op)) return failure();
    const TiledLinalg tiled = tileLinalg(*op, sizes ? sizes.values() : std::span<const int64_t>());
    if (!tiled.op) return failure();
    step.results[0].push_back(tiled.op);
    step.results[1].insert(step.results[1].end(), tiled.loops.begin(), tiled.loops.end());
  }
  return success();
}

LogicalResult stepFuse(ScriptStep& step) {
  if (step.operands[1].size() != 1)
    return step.script.emitOpError() << "expected one loop, got " << step.operands[1].size();
  for (Operation* producer : step.operands[0]) {
    if (!claim(step, *producer)) return failure();
    Operation* fused = fuseIntoLoop(*producer, *step.operands[1].front());
    if (!fused) return failure();
    step.results[0].push_back(fused);
  }
  return success();
}

LogicalResult stepPromote(ScriptStep& step) {
  Operation& script = step.script;
  for (std::string_view option :
       {"use_full_tile_buffers", "use_full_tiles_by_default", "use_alloca", "alignment"}) {
    auto list = script.attrOf<ArrayAttr>(option);
    if (script.hasAttr(option) && !(list && list.size() == 0))
      return script.emitOpError() << "not supported: '" << option << "'";
  }
  Promotion how;
  auto space = script.attrOf<StringAttr>("memory_space");
  how.space = space && space.value() == "L2" ? 1 : 2;
  auto group = script.attrOf<IntegerAttr>("group_size");
  how.groupSize = group ? group.value() : 1;
  if (how.groupSize < 1) return script.emitOpError() << "group_size must be positive";
  auto numbers = script.attrOf<ArrayAttr>("operands_to_promote");
  for (size_t i = 0; numbers && i < numbers.size(); ++i)
    how.operands.push_back(numbers[i].cast<IntegerAttr>().value());
  step.context.declareEffectChange(CountedEffect::Store, "operands get buffers of their own");
  if (failed(promoteLinalg(step.operands[0], how, step.erased))) return failure();
  if (!step.results.empty()) step.results[0] = step.operands[0];
  return success();
}

LogicalResult stepCopyToDma(ScriptStep& step) {
  for (CountedEffect effect : {CountedEffect::Store, CountedEffect::Dma})
    step.context.declareEffectChange(effect, "copies become DMAs");
  for (Operation* copy : step.operands[0]) {
    if (!copy->is("memref.copy"))
      return copy->emitOpError() << "is not 'memref.copy', as '" << step.script.name() << "' wants";
    if (!claim(step, *copy)) return failure();
    Operation* dma = copyToDma(*copy, step.context);
    if (!dma) step.erased.erase(copy);  // it stays a copy: both sides are in one memory space
    if (dma && !step.results.empty()) step.results[0].push_back(dma);
  }
  return success();
}

/// One op in each handle.
LogicalResult expectOneEach(const ScriptStep& step) {
  for (const PayloadOps& handle : step.operands)
    if (handle.size() != 1)
      return step.script.emitOpError() << "expected one op in each handle, got " << handle.size();
  return success();
}

LogicalResult stepHoistCasts(ScriptStep& step) {
  if (failed(expectOneEach(step))) return failure();
  Operation* loop = step.operands[2].front();
  hoistCastPair(*step.operands[0].front(), *step.operands[1].front(), *loop, step.context,
                step.erased);
  step.results[0].push_back(loop);
  return success();
}

/// The elementwise linalg ops in a herd; those that stay say why in a remark.
LogicalResult stepVectorize(ScriptStep& step) {
  for (const NamedAttribute& option : step.script.attributes().value())
    if (auto flag = option.value.dynCast<IntegerAttr>(); flag && flag.value() != 0)
      return step.script.emitOpError() << "not supported: '" << option.name.str() << "'";
  step.context.declareEffectChange(CountedEffect::Store, "linalg ops become writes of vectors");
  for (Operation* root : step.operands[0]) {
    std::vector<Operation*> ops;
    root->walk([&](Operation& op) {
      if (linalg::asStructured(&op)) ops.push_back(&op);
    });
    for (Operation* op : ops) {
      const std::string_view why = vectorizeElementwise(*op);
      if (why.empty())
        step.erased.insert(op);
      else
        step.context.remark(*op, why);
    }
    if (!step.erased.contains(root)) step.results[0].push_back(root);
  }
  return success();
}

std::vector<int64_t> numbersOf(const Operation& script, std::string_view name) {
  std::vector<int64_t> numbers;
  auto list = script.attrOf<ArrayAttr>(name);
  for (size_t i = 0; list && i < list.size(); ++i)
    numbers.push_back(list[i].cast<IntegerAttr>().value());
  return numbers;
}

LogicalResult stepCastVectors(ScriptStep& step) {
  VectorCast how;
  how.element = step.script.attrOf<TypeAttr>("target_element_type").value();
  how.inputs = numbersOf(step.script, "input_indices");
  how.outputs = numbersOf(step.script, "output_indices");
  for (Operation* op : step.operands[0]) {
    if (failed(castVectorTypes(*op, how))) return failure();
    if (!step.results.empty()) step.results[0].push_back(op);
  }
  return success();
}

LogicalResult stepFuseTwo(ScriptStep& step) {
  if (failed(expectOneEach(step))) return failure();
  Operation& second = *step.operands[1].front();
  if (!claim(step, second)) return failure();
  Operation* fused = fuseTwo(*step.operands[0].front(), second);
  if (!fused) return failure();
  step.results[0] = {fused};
  return success();
}

LogicalResult stepFuseTruncation(ScriptStep& step) {
  if (failed(expectOneEach(step))) return failure();
  for (const PayloadOps& handle : step.operands)
    if (!claim(step, *handle.front())) return failure();
  Operation* fused = fuseTruncation(*step.operands[0].front(), *step.operands[1].front());
  if (!fused) return failure();
  step.results[0] = {fused};
  return success();
}

template <Operation* (*Convert)(Operation&)> LogicalResult stepReplace(ScriptStep& step) {
  for (Operation* loop : step.operands[0]) {
    if (!claim(step, *loop)) return failure();
    Operation* made = Convert(*loop);
    if (!made) return failure();
    if (made == loop) step.erased.erase(loop);
    if (!step.results.empty()) step.results[0].push_back(made);
  }
  return success();
}

/// An op for each result; what is left over is for `overflow_result`.
LogicalResult stepSplit(ScriptStep& step) {
  const auto flag = [&](std::string_view name) {
    auto attr = step.script.attrOf<IntegerAttr>(name);
    return !attr || attr.value() != 0;
  };
  const PayloadOps& target = step.operands[0];
  const size_t numResults = step.results.size();
  auto overflow = step.script.attrOf<IntegerAttr>("overflow_result");
  const bool isEmpty = target.empty() && flag("pass_through_empty_handle");
  const bool isTooSmall = target.size() < numResults && !isEmpty;
  const bool isTooLarge = target.size() > numResults && !overflow;
  if (isTooLarge || (isTooSmall && flag("fail_on_payload_too_small")))
    return step.script.emitOpError()
           << "gets " << target.size() << " ops for " << numResults << " results";
  const size_t rest = overflow ? static_cast<size_t>(overflow.value()) : numResults;
  const size_t extra = target.size() > numResults ? target.size() - numResults : 0;
  for (size_t i = 0, at = 0; i < numResults && at < target.size(); ++i)
    for (size_t count = i == rest ? 1 + extra : 1; count > 0 && at < target.size(); --count)
      step.results[i].push_back(target[at++]);
  return success();
}

}  // namespace

ScriptStepFn findScriptStep(std::string_view name) {
  static const std::unordered_map<std::string_view, ScriptStepFn> kSteps = {
      {"transform.air.linalg_tile", stepTile},
      {"transform.air.fuse_into_containing_op", stepFuse},
      {"transform.air.linalg_promote", stepPromote},
      {"transform.air.copy_to_dma", stepCopyToDma},
      {"transform.air.hoist_cast_pair", stepHoistCasts},
      {"transform.air.fuse_multi_op_linalg", stepFuseTwo},
      {"transform.air.fuse_truncf_linalg", stepFuseTruncation},
      {"transform.air.vector_type_cast", stepCastVectors},
      {"transform.air.herd_vectorize", stepVectorize},
      {"transform.structured.generalize", stepReplace<generalize>},
      {"transform.loop.forall_to_parallel", stepReplace<forallToParallel>},
      {"transform.loop.forall_to_for", stepReplace<forallToFor>},
      {"transform.split_handle", stepSplit},
  };
  const auto found = kSteps.find(name);
  return found == kSteps.end() ? nullptr : found->second;
}

}  // namespace airlite
