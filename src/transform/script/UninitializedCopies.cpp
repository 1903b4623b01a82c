// transform.air.remove_uninitialized_copy: copies of what nobody has put there.
//
// Matches memref.copy and linalg.copy out of an allocation, or a view of one. When nothing writes the
// allocation, the copy moves no number that is known, and goes away. When a linalg.fill of the whole
// allocation, before the copy, is all that writes it, the copy becomes a linalg.fill of its target.
//
// Declines, with a remark: anything else that may write the allocation, anywhere; calls and kernels
// that get it count as writers.
#include "ScriptRewrites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>

namespace airlite {

namespace {

bool isMemoryCopy(const Operation& op) { return op.is("memref.copy") || op.is("linalg.copy"); }

/// Whether others may get to know the memory through what `user` gives back or passes on.
bool passesOn(Operation& user) {
  if (user.hasTrait(Trait::Terminator) || user.numSuccessors() > 0) return true;
  const bool isLinalg = static_cast<bool>(linalg::asStructured(&user));
  if (user.numRegions() > 0 && !isLinalg) return true;
  return std::ranges::any_of(user.resultTypes(), [](Type type) { return type.isa<ShapedType>(); });
}

bool mayWrite(Operation& user, Value memory) {
  std::vector<EffectInstance> effects;
  if (passesOn(user) || !effectsOf(user, effects)) return true;
  const auto harms = [&](const EffectInstance& effect) {
    const bool isHarmless = effect.effect == Effect::Read || effect.effect == Effect::Allocate ||
                            effect.effect == Effect::Free;
    return !isHarmless && (!effect.value || effect.value == memory);
  };
  // What an op does with an operand that its effects do not name is not known.
  const bool isNamed = std::ranges::any_of(
      effects, [&](const EffectInstance& effect) { return effect.value == memory; });
  return (!isNamed && !isPure(user)) || std::ranges::any_of(effects, harms);
}

/// Ops that may write the memory of `root`, through views of it as well.
std::vector<Operation*> writersOf(Value root) {
  std::vector<Operation*> writers;
  std::vector<Value> views = {root};
  for (size_t i = 0; i < views.size(); ++i)
    for (OpOperand& use : views[i].uses()) {
      Operation* user = use.owner();
      if (user->hasTrait(Trait::ViewLike) && use.index() == 0)
        views.push_back(user->result());
      else if (mayWrite(*user, views[i]))
        writers.push_back(user);
    }
  return writers;
}

/// The op of `block` that `op` is, or is inside of; null when it is elsewhere.
Operation* inBlock(Block* block, Operation* op) {
  while (op && op->block() != block)
    op = op->parentOp();
  return op;
}

/// Runs before `op` each time, and is not run again in between.
bool isBefore(Operation& earlier, Operation& op) {
  Operation* place = inBlock(earlier.block(), &op);
  return place && earlier.isBeforeInBlock(place);
}

bool fillsAll(Operation& op, Value root) {
  return op.is("linalg.fill") && op.operand(1) == root && op.numResults() == 0;
}

/// What the copy becomes: nothing (where `drops`) or a fill, then true; false: it stays.
bool replaceCopy(Operation& copy, bool drops, PassContext& context) {
  const Value root = memref::viewSource(copy.operand(0));
  Operation* alloc = root.definingOp();
  const bool isOwn = alloc && (alloc->is("memref.alloc") || alloc->is("memref.alloca"));
  if (!isOwn || copy.numResults() > 0) return false;
  const std::vector<Operation*> writers = writersOf(root);
  if (writers.empty()) {
    if (!drops) return false;
    context.declareEffectChange(CountedEffect::Store, "copies of what nobody wrote go away");
    return true;
  }
  Operation& fill = *writers.front();
  if (writers.size() > 1 || !fillsAll(fill, root) || !isBefore(fill, copy)) {
    if (drops) context.remark(copy, "stays: the buffer that it reads is written");
    return false;
  }
  Builder builder = Builder::before(copy);
  const Value number = fill.operand(0), target = copy.operand(1);
  context.declareEffectChange(CountedEffect::Store, "copies of filled buffers become fills");
  linalg::createNamedOp(builder, copy.location(), "linalg.fill", std::span(&number, 1),
                        std::span(&target, 1));
  return true;
}

}  // namespace

static void replaceCopies(Operation& root, bool drops, PassContext& context,
                          std::unordered_set<Operation*>& erased) {
  std::vector<Operation*> copies;
  root.walk([&](Operation& op) {
    if (isMemoryCopy(op)) copies.push_back(&op);
  });
  for (Operation* copy : copies) {
    if (!replaceCopy(*copy, drops, context)) continue;
    erased.insert(copy);
    copy->erase();
  }
}

void removeUninitializedCopies(Operation& root, PassContext& context,
                               std::unordered_set<Operation*>& erased) {
  replaceCopies(root, true, context, erased);
}

void fillInsteadOfCopies(Operation& root, PassContext& context,
                         std::unordered_set<Operation*>& erased) {
  replaceCopies(root, false, context, erased);
}

}  // namespace airlite
