#include "IndependentLoops.hpp"

#include "../hierarchy/Hierarchy.hpp"
#include "GpuModule.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace airlite::gpu {
namespace {

struct ElementAccess {
  Value memref;
  std::vector<Value> indices;
  bool isWrite = false;
};

/// In one dimension all have the number of the loop.
bool areOfOwnRounds(const std::vector<ElementAccess>& accesses, Value round) {
  if (std::ranges::none_of(accesses, &ElementAccess::isWrite)) return true;
  const ElementAccess& first = accesses.front();
  for (size_t dim = 0; dim < first.indices.size(); ++dim)
    if (std::ranges::all_of(accesses, [&](const ElementAccess& other) {
          return other.memref == first.memref && other.indices[dim] == round;
        }))
      return true;
  return false;
}

/// Whether each element has one place in it: a buffer of the function, or a view made outside of `loop` that leaves elements out.
bool isKnownOutside(Value memory, scf::ForOp loop) {
  if (loop->isAncestor(memory.parentBlock()->parentOp())) return false;
  Operation* made = memory.definingOp();
  const bool isBuffer = made ? made->is("memref.alloc") || made->is("memref.alloca")
                             : memory.parentBlock()->parentOp()->is("func.func");
  const auto type = memory.type().dynCast<MemRefType>();
  if (isBuffer) return type && type.hasIdentityLayout();
  const auto view = dynCast<memref::SubViewOp>(made);
  return view && std::ranges::all_of(view.staticStrides(), [](int64_t step) { return step > 0; }) &&
         isKnownOutside(view.source(), loop);
}

bool isIndependent(scf::ForOp loop) {
  if (loop.numIterArgs()) return false;
  bool isKnown = true;
  std::unordered_map<Value, std::vector<ElementAccess>> buffers;
  loop->walk([&](Operation& op) {
    isKnown = isKnown && isOfWorkItem(op) && !isa<scf::ParallelOp>(&op);
    if (const memref::LoadOp load = dynCast<memref::LoadOp>(&op))
      buffers[memref::viewSource(load.memref())].push_back(
          {load.memref(), load.indices().vec(), false});
    else if (const memref::StoreOp store = dynCast<memref::StoreOp>(&op))
      buffers[memref::viewSource(store.memref())].push_back(
          {store.memref(), store.indices().vec(), true});
    else
      isKnown = isKnown && op.def().dialect != "affine";  // lower-affine comes first
  });
  return isKnown && std::ranges::all_of(buffers, [&](const auto& entry) {
           const auto& accesses = entry.second;
           return std::ranges::all_of(accesses,
                                      [&](const ElementAccess& access) {
                                        return isKnownOutside(access.memref, loop);
                                      }) &&
                  areOfOwnRounds(accesses, loop.inductionVar());
         });
}

/// With a store somewhere: else there is nothing to do for a kernel.
bool writesElements(scf::ForOp loop) {
  bool writes = false;
  loop->walk([&](Operation& op) { writes = writes || op.is("memref.store"); });
  return writes;
}

/// The loop that is, beside constants, all there is in the body of `loop`, with bounds from outside; null: none.
Operation* onlyLoopIn(scf::ForOp loop, scf::ForOp outermost) {
  Operation* first = &loop.body().front();
  while (first->hasTrait(Trait::ConstantLike))
    first = first->next();
  const bool isOnly = isa<scf::ForOp>(first) && first->next() == &loop.body().back();
  if (!isOnly) return nullptr;
  for (unsigned i = 0; i < 3; ++i)
    if (!constantIntOf(first->operand(i)) &&
        outermost->isAncestor(first->operand(i).parentBlock()->parentOp()))
      return nullptr;
  return first;
}

/// A bound or step, in front of all loops.
Value outside(Builder& builder, Value value) {
  const auto number = constantIntOf(value);
  return number ? builder.constantIndex(value.location(), *number) : value;
}

/// The constants of a body that is left move into the loop that is all else in it.
void moveConstants(scf::ForOp from, scf::ForOp into) {
  while (from.body().front().hasTrait(Trait::ConstantLike))
    from.body().front().moveBefore(&into.body().front());
}

void makeParallel(scf::ForOp outermost) {
  Builder builder = Builder::before(*outermost.op());
  std::vector<Value> lower, upper, steps;
  std::vector<scf::ForOp> loops;
  for (Operation* at = outermost.op(); at; at = onlyLoopIn(scf::ForOp(at), outermost)) {
    const scf::ForOp loop(at);
    if (!isIndependent(loop)) break;
    loops.push_back(loop);
    lower.push_back(outside(builder, loop.lowerBound()));
    upper.push_back(outside(builder, loop.upperBound()));
    steps.push_back(outside(builder, loop.step()));
  }
  scf::ParallelOp made =
      scf::ParallelOp::create(builder, outermost->location(), lower, upper, steps);
  for (size_t i = 0; i + 1 < loops.size(); ++i)
    moveConstants(loops[i], loops[i + 1]);
  for (size_t i = 0; i < loops.size(); ++i)
    loops[i].inductionVar().replaceAllUsesWith(made.inductionVars()[i]);
  Block& body = loops.back().body();
  body.back().erase();
  if (!body.empty()) made.body().splice(&made.body().back(), body, &body.front());
  outermost->erase();
}

}  // namespace

bool isOfWorkItem(Operation& op) {
  if (op.hasTrait(Trait::Terminator) || op.def().dialect == "scf" || op.is("affine.for") ||
      op.is("affine.if"))
    return true;
  for (std::string_view access : {"memref.load", "memref.store", "affine.load", "affine.store"})
    if (op.is(access)) return true;
  std::vector<EffectInstance> effects;
  return op.numRegions() == 0 && effectsOf(op, effects) && effects.empty();
}

void makeIndependentLoopsParallel(Operation& module) {
  std::vector<scf::ForOp> loops;
  module.walkWith([&](Operation& op) {
    if (isa<scf::ParallelOp>(&op) || air::asHierarchy(&op)) return WalkResult::Skip;
    const scf::ForOp loop = dynCast<scf::ForOp>(&op);
    if (!loop || !isIndependent(loop) || !writesElements(loop)) return WalkResult::Advance;
    loops.push_back(loop);
    return WalkResult::Skip;
  });
  for (scf::ForOp loop : loops)
    makeParallel(loop);
}

}  // namespace airlite::gpu
