// Registration of the passes of the core.
#pragma once

#include "airlite/pass/Pass.hpp"

namespace airlite {

void registerCanonicalize(PassRegistry& registry);
void registerCse(PassRegistry& registry);
void registerSymbolDce(PassRegistry& registry);
void registerLowerAffine(PassRegistry& registry);
void registerLinalgToLoops(PassRegistry& registry);
void registerScfToCf(PassRegistry& registry);
void registerAirVerifyProgram(PassRegistry& registry);
void registerAirResourceReport(PassRegistry& registry);
void registerPlaceHerds(PassRegistry& registry);
void registerParallelToHierarchy(PassRegistry& registry);
void registerInsertLaunch(PassRegistry& registry);
void registerCopyToDma(PassRegistry& registry);
void registerRenumberDma(PassRegistry& registry);
void registerRankToLaunch(PassRegistry& registry);
void registerLinalgToFunc(PassRegistry& registry);
void registerSpecializeDmaBroadcast(PassRegistry& registry);
void registerLabelPingPong(PassRegistry& registry);
void registerVerifyHierarchyLocality(PassRegistry& registry);
void registerWrapFuncWithParallel(PassRegistry& registry);
void registerAnnotatePacketIds(PassRegistry& registry);
void registerLabelSegmentLoops(PassRegistry& registry);
void registerLinalgName(PassRegistry& registry);
void registerTileLinalg(PassRegistry& registry);
void registerNpuRecipe(PassRegistry& registry);
void registerLowerHerdParallel(PassRegistry& registry);
void registerBroadcastDetection(PassRegistry& registry);
void registerUnrollForPipelining(PassRegistry& registry);
void registerHoistAllocInFor(PassRegistry& registry);
void registerDependency(PassRegistry& registry);
void registerHoistDmaInAccum(PassRegistry& registry);
void registerPruneDeadDma(PassRegistry& registry);
void registerDependencyScheduleOpt(PassRegistry& registry);
void registerCollapseHerd(PassRegistry& registry);
void registerBufferResultsToOutParams(PassRegistry& registry);
void registerAffineLoopOpt(PassRegistry& registry);
void registerUnrollOuterAffineLoops(PassRegistry& registry);
void registerAffineExpandIndexOps(PassRegistry& registry);
void registerAirTransform(PassRegistry& registry);
void registerSplitLaunchForPadding(PassRegistry& registry);
void registerDependencyCanonicalize(PassRegistry& registry);
void registerDmaToChannel(PassRegistry& registry);
void registerFuseChannels(PassRegistry& registry);
void registerDependencyParseGraph(PassRegistry& registry);
void registerEnforceChannelFifo(PassRegistry& registry);
void registerSpecializeChannelWrapAndStride(PassRegistry& registry);
void registerSplitL2Memref(PassRegistry& registry);
void registerOptMemtileDmaBds(PassRegistry& registry);
void registerOptShimDmaBds(PassRegistry& registry);

void registerAnnotatePingPong(PassRegistry& registry);
void registerConstructPingPong(PassRegistry& registry);
void registerIsolatePingPong(PassRegistry& registry);
void registerIsolateLoopNests(PassRegistry& registry);
void registerPingPongTransform(PassRegistry& registry);

void registerAllPasses(PassRegistry& registry);

}  // namespace airlite
