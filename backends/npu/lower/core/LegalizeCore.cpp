// air-aie-legalize-core: brings the programs of cores to docs/npu_core_ir.md. A recipe: the passes
// of this folder, with canonicalization between them.
#include "LegalizePasses.hpp"

namespace airlite::npu {

namespace {

class LegalizeCore : public Recipe {
 public:
  LegalizeCore()
      : Recipe("air-aie-legalize-core", "Brings cores to what code can be generated for") {
    option("functions", functions_, "also the functions of the module, as if cores called them");
    option("vectorize", vectorize_, "use vectors where they give the same results");
    example("airlite-opt --air-aie-legalize-core design.mlir");
  }

  std::string pipeline() const override {
    return (vectorize_ ? pass("air-aie-matrix-unit") : "") + pass("air-aie-core-loops") + pass("air-aie-scalarize-vectors") +
           pass("air-aie-flatten-memrefs") + cleanUp() + pass("air-aie-promote-accumulators") +
           (vectorize_ ? pass("air-aie-vectorize-core") : "") + pass("air-aie-soft-float") +
           pass("air-aie-expand-integers") + pass("air-aie-split-words") + cleanUp() +
           "air-aie-check-core" + options();
  }

 private:
  std::string options() const { return functions_ ? "{functions=true}" : ""; }
  std::string pass(std::string_view name) const { return std::string(name) + options() + ","; }

  /// Of programs only: what else stands in a device is none of ours.
  std::string cleanUp() const {
    constexpr std::string_view kPasses = "(canonicalize,loop-invariant-code-motion,cse),";
    std::string functions = "func.func" + std::string(kPasses);
    std::string device = "aie.device(aie.core" + std::string(kPasses) + functions;
    device.back() = ')';
    return device + "," + (functions_ ? functions : "");
  }

  bool functions_ = false, vectorize_ = false;
};

}  // namespace

void registerCoreLegalization(PassRegistry& registry) {
  registerMatrixUnit(registry);
  registerCoreLoops(registry);
  registerScalarizeVectors(registry);
  registerFlattenMemRefs(registry);
  registerPromoteAccumulators(registry);
  registerVectorizeCore(registry);
  registerSoftFloat(registry);
  registerExpandIntegers(registry);
  registerSplitWords(registry);
  registerCheckCore(registry);
  registry.addRecipe<LegalizeCore>();
}

}  // namespace airlite::npu
