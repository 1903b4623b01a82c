// air-dependency-schedule-opt: the old name of four passes in a row.
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

class DependencyScheduleOpt : public Recipe {
 public:
  DependencyScheduleOpt()
      : Recipe("air-dependency-schedule-opt", "Hoists, detects broadcasts, prunes and renumbers") {
    example("airlite-opt --air-dependency --air-dependency-schedule-opt in.mlir");
  }
  PassList passes() const override {
    return {{"air-hoist-dma-in-accum-pattern"},
            {"air-broadcast-detection"},
            {"air-prune-linalg-generic-input-dma"},
            {"air-renumber-dma"}};
  }
};

}  // namespace

void registerDependencyScheduleOpt(PassRegistry& registry) {
  registry.addRecipe<DependencyScheduleOpt>();
}

}  // namespace airlite
