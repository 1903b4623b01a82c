#include "ScalarChoice.hpp"

#include "VectorLanes.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace airlite::npu {

bool isCarriedInBuffer(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.hasStaticShape() && !isUnitVector(type);
}

namespace {

/// Ops that give vectors to their regions and take them from there.
bool mayCarry(Operation& op) {
  return op.is("scf.for") || op.is("scf.if") || op.is("scf.while") || op.is("scf.yield") ||
         op.is("scf.condition");
}

bool onlyReads(Operation& op) {
  if (isMemoryEffectFree(op)) return true;
  std::vector<EffectInstance> effects;
  return op.numRegions() == 0 && effectsOf(op, effects) &&
         std::all_of(effects.begin(), effects.end(),
                     [](const EffectInstance& e) { return e.effect == Effect::Read; });
}

bool isMaskedWrite(Operation& op) {
  return op.is("vector.maskedstore") || op.is("vector.scatter") || op.is("vector.compressstore");
}

bool isTurned(Operation& op) {
  bool isTransfer = op.is("vector.transfer_read") || op.is("vector.transfer_write");
  return isTransfer && !vector::TransferOp(&op).isMinorIdentity();
}

}  // namespace

bool ScalarChoice::isScalarized(Operation& op) {
  auto [place, isNew] = decided_.try_emplace(&op, false);
  if (!isNew) return place->second;
  bool answer = laneRuleOf(op) && (!unit_.has(op) || isBetterByScalars(op));
  return decided_[&op] = answer;
}

/// An access whose vector only scalars see.
bool ScalarChoice::isBetterByScalars(Operation& op) {
  if (!vectorAccessOf(op)) return false;
  if (op.numResults() == 1) {
    bool all = op.hasResultUses();
    for (OpOperand& use : op.result().uses())
      all = all && !vectorAccessOf(*use.owner()) && isScalarized(*use.owner());
    return all;
  }
  Operation* made = op.operand(0).definingOp();
  return made && op.operand(0).hasOneUse() && !vectorAccessOf(*made) && isScalarized(*made);
}

Operation* ScalarChoice::onlyScalarUser(Operation& op) {
  if (op.numResults() != 1 || !op.result().hasOneUse()) return nullptr;
  Operation* user = (*op.result().uses().begin()).owner();
  return user->block() == op.block() && isScalarized(*user) ? user : nullptr;
}

bool ScalarChoice::mayDefer(Operation& op) {
  const LaneRule* rule = laneRuleOf(op);
  Operation* user = onlyScalarUser(op);
  if (!user || !rule->lane) return false;
  bool isPure = isMemoryEffectFree(op);
  if (!laneRuleOf(*user)->readsOnce && isPure) return false;
  return isPure || readsTheSameThere(op);
}

/// Nothing changes what `read` reads until its elements are used.
bool ScalarChoice::readsTheSameThere(Operation& read) {
  Operation* end = onlyScalarUser(read);
  bool lanewise = laneRuleOf(*end)->isLanewise || end->is("vector.transfer_write");
  while (laneRuleOf(*end)->lane && mayDefer(*end)) {
    end = onlyScalarUser(*end);
    lanewise = lanewise && (laneRuleOf(*end)->isLanewise || end->is("vector.transfer_write"));
  }
  for (Operation* op = read.next(); op != end; op = op->next())
    if (!onlyReads(*op)) return false;
  return end->numResults() != 0 || !mayMeet(read, *end, lanewise);
}

/// May a store write what the loop that stores has not read yet?
bool ScalarChoice::mayMeet(Operation& read, Operation& write, bool lanewise) {
  Value from = read.operand(0), to = write.operand(isMaskedWrite(write) ? 0 : 1);
  std::string why;
  const Place* source = places_.find(from, why);
  Value sourceBase = source ? source->base : Value();
  const Place* target = places_.find(to, why);
  if (!sourceBase || !target) return true;
  if (sourceBase != target->base) return !isOwnMemory(sourceBase) || !isOwnMemory(target->base);
  auto one = vectorAccessOf(read), other = vectorAccessOf(write);
  return !lanewise || !one || !other || one->memory != other->memory ||
         one->indices != other->indices || one->type != other->type || isTurned(read) ||
         isTurned(write);
}

bool ScalarChoice::isWholeUse(OpOperand& use) {
  Operation& user = *use.owner();
  if (isScalarized(user)) return false;
  return !(mayCarry(user) && isCarriedInBuffer(use.get().type()));
}

bool ScalarChoice::isNeededWhole(Operation& op) {
  for (Value result : op.resultValues())
    for (OpOperand& use : result.uses())
      if (isWholeUse(use)) return true;
  return false;
}

}  // namespace airlite::npu
