// air-dependency-schedule-opt: the old name of four passes in a row.
//
// Runs air-hoist-dma-in-accum-pattern, air-broadcast-detection and
// air-prune-linalg-generic-input-dma, and numbers the data movement of each function again.
// Declines what they decline.
#include "Renumber.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

class DependencyScheduleOpt : public Pass {
 public:
  DependencyScheduleOpt()
      : Pass("air-dependency-schedule-opt", "Hoists, detects broadcasts, prunes and renumbers") {
    anchor("builtin.module");
    example("airlite-opt --air-dependency --air-dependency-schedule-opt in.mlir");
    registerHoistDmaInAccum(passes_);
    registerBroadcastDetection(passes_);
    registerPruneDeadDma(passes_);
  }

  PassResult run(Operation& module, PassContext& context) override {
    for (std::string_view name : {"air-hoist-dma-in-accum-pattern", "air-broadcast-detection",
                                  "air-prune-linalg-generic-input-dma"})
      if (passes_.create(name)->run(module, context) == PassResult::Failed)
        return PassResult::Failed;
    module.walk([](Operation& op) {
      if (isa<func::FuncOp>(&op)) air::renumberMovement(op);
    });
    return PassResult::Changed;
  }

 private:
  PassRegistry passes_;
};

}  // namespace

void registerDependencyScheduleOpt(PassRegistry& registry) {
  registry.add<DependencyScheduleOpt>();
}

}  // namespace airlite
