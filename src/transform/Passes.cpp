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
  registerLowerHerdParallel(registry);
  registerBroadcastDetection(registry);
  registerUnrollForPipelining(registry);
  registerHoistAllocInFor(registry);
  registerDependency(registry);
}

}  // namespace airlite
