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

  PassList passes() const override {
    PassList list;
    if (vectorize_)
      for (const char* name :
           {"air-aie-matrix-unit", "air-aie-turned-copies", "air-aie-row-values"})
        list.push_back(pass(name));
    for (const char* name : {"air-aie-core-loops", "air-aie-scalarize-vectors",
                             "air-aie-flatten-memrefs", "air-aie-unaligned-vectors"})
      list.push_back(pass(name));
    cleanUp(list);
    for (const char* name :
         {"air-aie-promote-accumulators", "air-aie-narrow-integers", "air-aie-constant-divisions"})
      list.push_back(pass(name));
    cleanUp(list);
    if (vectorize_) {
      list.push_back(pass("air-aie-vectorize-core"));
      inPrograms(list, {{"air-merge-row-loops"}, {"air-jam-rows"}});
      list.push_back(pass("air-aie-unaligned-vectors"));
    }
    for (const char* name :
         {"air-aie-soft-float", "air-aie-expand-integers", "air-aie-split-words"})
      list.push_back(pass(name));
    cleanUp(list);
    if (vectorize_) list.push_back(pass("air-aie-sink-broadcasts"));
    list.push_back(pass("air-aie-check-core"));
    return list;
  }

 private:
  PassUse pass(const char* name) const {
    PassUse use = {name};
    if (functions_) use.options.push_back({"functions", true});
    return use;
  }

  /// Of programs only: what else stands in a device is none of ours.
  void cleanUp(PassList& list) const {
    inPrograms(list, {{"canonicalize"}, {"loop-invariant-code-motion"}, {"cse"}});
  }
  void inPrograms(PassList& list, const PassList& passes) const {
    const PassUse functions = {"func.func", {}, passes};
    list.push_back({"aie.device", {}, {{"aie.core", {}, passes}, functions}});
    if (functions_) list.push_back(functions);
  }

  bool functions_ = false, vectorize_ = false;
};

}  // namespace

void registerCoreLegalization(PassRegistry& registry) {
  registerMatrixUnit(registry);
  registerTurnedCopies(registry);
  registerRowValues(registry);
  registerCoreLoops(registry);
  registerScalarizeVectors(registry);
  registerFlattenMemRefs(registry);
  registerUnalignedVectors(registry);
  registerPromoteAccumulators(registry);
  registerNarrowIntegers(registry);
  registerConstantDivisions(registry);
  registerVectorizeCore(registry);
  registerSoftFloat(registry);
  registerExpandIntegers(registry);
  registerSplitWords(registry);
  registerSinkBroadcasts(registry);
  registerCheckCore(registry);
  registry.addRecipe<LegalizeCore>();
}

}  // namespace airlite::npu
