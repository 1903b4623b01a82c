// Whether two ops may change places.
#include "UnitConflicts.hpp"

#include "airlite/dialect/Func.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

bool isOpaque(Operation& op) {
  if (!op.isRegistered() || op.is("func.call_indirect")) return true;
  if (!isa<func::CallOp>(&op)) return false;
  func::FuncOp callee = func::CallOp(&op).function();
  return !callee || !callee.isDeclaration();
}

}  // namespace

const UnitConflicts::Effects& UnitConflicts::of(Operation& op) {
  auto [known, isNew] = effects_.try_emplace(&op);
  if (!isNew) return known->second;
  Effects& effects = known->second;
  effects.accesses = reader_.all(op);
  op.walk([&](Operation& inner) {
    effects.isOpaque |= isOpaque(inner);
    if (!isa<ChannelPutOp>(&inner) && !isa<ChannelGetOp>(&inner)) return;
    ChannelAccessOp access(&inner);
    Place place{access.channelName(), access.isPut(), {}};
    for (Value index : access.indices())
      place.indices.push_back(constantIntOf(index));
    effects.places.push_back(std::move(place));
  });
  return effects;
}

bool UnitConflicts::sharePlace(const Place& a, const Place& b) {
  if (a.channel != b.channel || a.isPut != b.isPut) return false;
  for (size_t i = 0; i < std::min(a.indices.size(), b.indices.size()); ++i)
    if (a.indices[i] && b.indices[i] && *a.indices[i] != *b.indices[i]) return false;
  return true;
}

bool UnitConflicts::sharePlace(const Effects& a, const Effects& b) {
  return a.isOpaque || b.isOpaque ||
         std::any_of(a.places.begin(), a.places.end(), [&](const Place& first) {
           return std::any_of(b.places.begin(), b.places.end(),
                              [&](const Place& second) { return sharePlace(first, second); });
         });
}

bool UnitConflicts::conflict(Operation& a, Operation& b) {
  const Effects &first = of(a), &second = of(b);
  if (sharePlace(first, second)) return true;
  for (const analysis::BufferAccess& x : first.accesses)
    for (const analysis::BufferAccess& y : second.accesses)
      if (reader_.mayConflict(x, y)) return true;
  return false;
}

bool UnitConflicts::conflictAcross(Operation& later, Operation& earlier, Operation& loop) {
  const Effects &second = of(later), &first = of(earlier);
  if (sharePlace(second, first)) return true;
  for (const analysis::BufferAccess& x : second.accesses)
    for (const analysis::BufferAccess& y : first.accesses)
      if (reader_.mayConflictAcross(x, y, loop)) return true;
  return false;
}

bool UnitConflicts::mayWait(Operation& op) {
  const Effects& effects = of(op);
  return effects.isOpaque || !effects.places.empty();
}

}  // namespace airlite::air
