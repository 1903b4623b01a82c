// Perfect nests of affine.for.
#include "AffineBand.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::affine {

std::vector<ForOp> bandOf(ForOp root) {
  std::vector<ForOp> band{root};
  while (band.back()->numResults() == 0) {
    Operation& only = band.back().body().front();
    bool isAlone = isa<ForOp>(&only) && only.next() == &band.back().body().back();
    if (!isAlone || only.numResults() > 0) break;
    band.push_back(ForOp(&only));
  }
  return band;
}

std::optional<int64_t> knownTripCount(ForOp loop) {
  if (std::optional<int64_t> count = loop.tripCount()) return count;
  Application lower = loop.lowerBound(), upper = loop.upperBound();
  bool isOnePair = lower.map.numResults() == 1 && upper.map.numResults() == 1;
  if (!isOnePair || lower.operands != upper.operands || lower.map.numDims() != upper.map.numDims())
    return std::nullopt;
  AffineExpr range = upper.map.result(0) - lower.map.result(0);
  range = simplifyExpr(range, lower.map.numDims(), lower.map.numSymbols());
  std::optional<int64_t> distance = range.constantValue();
  return distance ? scf::constantTripCount(0, *distance, loop.step()) : std::nullopt;
}

namespace {

/// What may do more than access memory.
bool hasOtherEffects(Operation& op) {
  if (op.numRegions() > 0 && !op.def().hasEffectInfo) return false;  // what is inside is asked
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return true;
  return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
    bool isMemory = effect.effect == Effect::Read || effect.effect == Effect::Write;
    return !isMemory || !effect.value;
  });
}

}  // namespace

bool areIndependent(const std::vector<ForOp>& band) {
  WalkResult result = band.back()->walkWith([](Operation& op) {
    return hasOtherEffects(op) ? WalkResult::Interrupt : WalkResult::Advance;
  });
  if (result == WalkResult::Interrupt) return false;
  analysis::AccessReader reader;
  std::vector<analysis::BufferAccess> accesses;
  for (Operation& op : band.back().body().ops())
    for (analysis::BufferAccess& access : reader.all(op))
      accesses.push_back(std::move(access));
  analysis::compact(accesses);
  for (ForOp loop : band)
    for (const analysis::BufferAccess& later : accesses)
      for (const analysis::BufferAccess& earlier : accesses)
        if (reader.mayConflictAcross(later, earlier, *loop)) return false;
  return true;
}

PassResult rewriteLabelledNests(Operation& function, std::string_view label, PassContext& context,
                                FunctionRef<std::string_view(ForOp)> rewrite) {
  std::vector<ForOp> roots;
  function.walk([&](Operation& op) {
    auto found = isa<ForOp>(&op) ? op.attrOf<StringAttr>(kNestLabel) : StringAttr();
    if (found && (label.empty() || found.value() == label)) roots.push_back(ForOp(&op));
  });
  bool changed = false;
  for (ForOp root : roots) {
    std::string_view obstacle = rewrite(root);
    if (!obstacle.empty()) context.remark(*root, obstacle);
    changed |= obstacle.empty();
  }
  return changedIf(changed);
}

}  // namespace airlite::affine
