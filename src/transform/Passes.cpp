// Registration of the passes of the core.
#include "airlite/transform/Passes.hpp"

namespace airlite {

void registerAllPasses(PassRegistry& registry) {
  registerCanonicalize(registry);
  registerCse(registry);
  registerSymbolDce(registry);
  registerLowerAffine(registry);
  registerLinalgToLoops(registry);
  registerScfToCf(registry);
  registerAirVerifyProgram(registry);
  registerAirResourceReport(registry);
  registerPlaceHerds(registry);
  registerParallelToHierarchy(registry);
  registerInsertLaunch(registry);
  registerCopyToDma(registry);
  registerRenumberDma(registry);
  registerRankToLaunch(registry);
  registerLinalgToFunc(registry);
  registerSpecializeDmaBroadcast(registry);
  registerLabelPingPong(registry);
  registerVerifyHierarchyLocality(registry);
  registerWrapFuncWithParallel(registry);
  registerAnnotatePacketIds(registry);
  registerDependencyCanonicalize(registry);
  registerDmaToChannel(registry);
  registerFuseChannels(registry);
  registerDependencyParseGraph(registry);
  registerEnforceChannelFifo(registry);
  registerLabelSegmentLoops(registry);
  registerLinalgName(registry);
  registerTileLinalg(registry);
  registerNpuRecipe(registry);
  registerLowerHerdParallel(registry);
  registerBroadcastDetection(registry);
  registerUnrollForPipelining(registry);
  registerHoistAllocInFor(registry);
  registerDependency(registry);
  registerHoistDmaInAccum(registry);
  registerPruneDeadDma(registry);
  registerDependencyScheduleOpt(registry);
  registerSpecializeChannelWrapAndStride(registry);
  registerAnnotatePingPong(registry);
  registerConstructPingPong(registry);
  registerIsolatePingPong(registry);
  registerIsolateLoopNests(registry);
  registerPingPongTransform(registry);
  registerCollapseHerd(registry);
  registerBufferResultsToOutParams(registry);
  registerAffineLoopOpt(registry);
  registerUnrollOuterAffineLoops(registry);
  registerAffineExpandIndexOps(registry);
  registerAirTransform(registry);
  registerSplitLaunchForPadding(registry);
  registerSplitL2Memref(registry);
  registerOptMemtileDmaBds(registry);
  registerOptShimDmaBds(registry);
}

}  // namespace airlite
