// air-label-scf-for-in-segment: marks loops of data movement to be unrolled whole.
//
// Matches scf.for in an air.segment, at any depth, outside of herds, without a herd inside. A loop
// with a constant trip count gets `unroll = <trip count> : i32`, which
// air-unroll-loop-for-pipelining-pattern reads.
//
// Declines, with a remark: a loop that has `unroll`, one with a herd inside (its cores would be
// programmed once for each copy), one whose trip count is not constant, is 0, or is not an i32.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <limits>

namespace airlite {

namespace {

/// The nearest hierarchy op around is a segment.
bool isInSegment(Operation& op) {
  for (Operation* up = op.parentOp(); up; up = up->parentOp())
    if (air::asHierarchy(up)) return isa<air::SegmentOp>(up);
  return false;
}

bool hasHerdInside(Operation& loop) {
  WalkResult result = loop.walkWith([](Operation& op) {
    return isa<air::HerdOp>(&op) ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

/// Why the loop is not marked; empty when it may be.
std::string_view obstacle(scf::ForOp loop) {
  if (loop->hasAttr("unroll")) return "it has an unroll factor";
  if (hasHerdInside(*loop)) return "a herd is inside";
  std::optional<int64_t> trips = loop.tripCount();
  if (!trips) return "its trip count is not constant";
  if (*trips == 0) return "it never runs";
  if (*trips > std::numeric_limits<int32_t>::max()) return "its trip count is too large";
  return {};
}

class LabelSegmentLoops : public Pass {
 public:
  LabelSegmentLoops()
      : Pass("air-label-scf-for-in-segment", "Marks loops of segments to be unrolled whole") {
    anchor("builtin.module");
    example("airlite-opt --air-label-scf-for-in-segment in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false;
    module.walk([&](Operation& op) {
      if (!isa<scf::ForOp>(&op) || !isInSegment(op)) return;
      scf::ForOp loop(&op);
      std::string_view why = obstacle(loop);
      if (!why.empty()) return context.remark(op, why);
      op.setAttr("unroll", Builder(op.context()).i32Attr(*loop.tripCount()));
      changed = true;
    });
    return changedIf(changed);
  }
};

}  // namespace

void registerLabelSegmentLoops(PassRegistry& registry) { registry.add<LabelSegmentLoops>(); }

}  // namespace airlite
