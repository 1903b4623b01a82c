// air-renumber-dma: numbers data movement.
//
// Matches air.dma_memcpy_nd, air.channel.put and air.channel.get, and gives them `id` = 1, 2, ...
// (i32) in the order of the program, replacing what was there. With mode "global" the count runs
// through the whole function; with "herd", "segment" or "launch" it starts again in each of these.
//
// Declines: movement outside of the ops that the mode names keeps its number, with a remark.
// Another mode is an error.
#include "Renumber.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

bool isMovement(const Operation& op) {
  return isa<air::DmaMemcpyNdOp>(&op) || isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
}

class RenumberDma : public Pass {
 public:
  RenumberDma() : Pass("air-renumber-dma", "Numbers DMAs, channel puts and gets") {
    anchor("func.func");
    option("mode", mode_, "where the count starts again: global, herd, segment or launch",
           {"global", "herd", "segment", "launch"});
    example("airlite-opt --air-renumber-dma='mode=herd' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (mode_ == "global") {
      air::renumberMovement(function);
      return PassResult::Changed;
    }
    std::string scope = "air." + mode_;
    function.walkWith([&](Operation& op) {
      if (isMovement(op)) context.remark(op, "keeps its number: not in an " + scope);
      if (!op.is(scope)) return WalkResult::Advance;
      air::renumberMovement(op);
      return WalkResult::Skip;
    });
    return PassResult::Changed;
  }

 private:
  std::string mode_ = "global";
};

}  // namespace

void air::renumberMovement(Operation& scope) {
  int64_t next = 1;
  Builder builder(scope.context());
  scope.walk(
      [&](Operation& op) {
        if (isMovement(op)) op.setAttr("id", builder.i32Attr(next++));
      },
      WalkOrder::PreOrder);
}

bool air::renumberAll(Operation& scope) {
  enum Kind { kMovement, kExecute, kHierarchy, kJoin, kNone };
  auto kindOf = [](Operation& op) {
    if (isMovement(op)) return kMovement;
    if (isa<ExecuteOp>(&op)) return kExecute;
    if (isa<WaitAllOp>(&op)) return kJoin;
    return asHierarchy(&op) ? kHierarchy : kNone;
  };
  int64_t counts[kNone] = {};
  Builder builder(scope.context());
  bool changed = false;
  scope.walk(
      [&](Operation& op) {
        Kind kind = kindOf(op);
        if (kind == kNone) return;
        Attribute id = builder.i32Attr(++counts[kind]);
        changed |= op.attr("id") != id;
        op.setAttr("id", id);
      },
      WalkOrder::PreOrder);
  return changed;
}

void registerRenumberDma(PassRegistry& registry) { registry.add<RenumberDma>(); }

}  // namespace airlite
