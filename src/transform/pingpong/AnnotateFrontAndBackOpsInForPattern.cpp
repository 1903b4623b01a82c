// air-annotate-front-and-back-ops-in-for-pattern: where an iteration begins and ends.
//
// Matches scf.for with `unroll`. Ops of the body that wait for nothing else in it but allocations
// get `async_front = true`, those whose tokens the loop yields `async_back = true`. The marks are
// for readers: air-construct-ping-pong-dependency-pattern looks for itself, and removes them.
//
// Declines, with a remark: a body that blocks, or whose tokens do not cover what is done.
#include "PingPong.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace pingpong {

namespace {

class Annotate : public Pass {
 public:
  Annotate()
      : Pass("air-annotate-front-and-back-ops-in-for-pattern",
             "Marks where the iterations of labelled loops begin and end") {
    anchor("builtin.module");
    example("airlite-opt --air-annotate-front-and-back-ops-in-for-pattern in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false;
    module.walk([&](Operation& op) {
      if (!isa<scf::ForOp>(&op) || !op.hasAttr(kUnroll)) return;
      LoopBody body{scf::ForOp(&op)};
      if (!body.obstacle().empty()) return context.remark(op, body.obstacle());
      mark(scf::ForOp(&op), body);
      changed = true;
    });
    return changedIf(changed);
  }

 private:
  static void mark(scf::ForOp loop, LoopBody& body) {
    Attribute yes = IntegerAttr::getBool(loop->context(), true);
    std::vector<Unit>& units = body.units();
    for (Unit& unit : units) {
      bool isFront = std::all_of(unit.before.begin(), unit.before.end(),
                                 [&](unsigned before) { return units[before].isAlloc; });
      if (isFront && !unit.isAlloc) unit.op->setAttr(kFront, yes);
    }
    for (Value end : loop.yield().values())
      if (Operation* op = end.definingOp(); op && air::isTokenType(end.type()))
        op->setAttr(kBack, yes);
  }
};

}  // namespace

}  // namespace pingpong

void registerAnnotatePingPong(PassRegistry& registry) { registry.add<pingpong::Annotate>(); }

}  // namespace airlite
