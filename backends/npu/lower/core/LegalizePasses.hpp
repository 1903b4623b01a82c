// The passes that bring cores to docs/npu_core_ir.md, in the order in which they run; each
// registers itself at the end of its file.
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite::npu {

void registerMatrixUnit(PassRegistry& registry);
void registerTurnedCopies(PassRegistry& registry);
void registerRowValues(PassRegistry& registry);
void registerCoreLoops(PassRegistry& registry);
void registerScalarizeVectors(PassRegistry& registry);
void registerFlattenMemRefs(PassRegistry& registry);
void registerUnalignedVectors(PassRegistry& registry);
void registerPromoteAccumulators(PassRegistry& registry);
void registerNarrowIntegers(PassRegistry& registry);
void registerConstantDivisions(PassRegistry& registry);
void registerVectorizeCore(PassRegistry& registry);
void registerSoftFloat(PassRegistry& registry);
void registerExpandIntegers(PassRegistry& registry);
void registerSplitWords(PassRegistry& registry);
void registerSinkBroadcasts(PassRegistry& registry);
void registerCheckCore(PassRegistry& registry);

/// All of them, and the recipe `air-aie-legalize-core`.
void registerCoreLegalization(PassRegistry& registry);

}  // namespace airlite::npu
