// Registration of the passes of the core.
#include "airlite/transform/Passes.hpp"

// Each is registered by a function of its own file, `registerNAME`. They are declared here and nowhere
// else, so that a new pass is a new line here and compiles no other pass again.
#define AIRLITE_PASSES(PASS)           \
  PASS(Canonicalize)                   \
  PASS(Cse)                            \
  PASS(LoopInvariantCodeMotion)        \
  PASS(SymbolDce)                      \
  PASS(Inline)                         \
  PASS(BufferizeLinalg)                \
  PASS(LowerAffine)                    \
  PASS(LinalgToLoops)                  \
  PASS(ScfToCf)                        \
  PASS(AirVerifyProgram)               \
  PASS(AirResourceReport)              \
  PASS(PlaceHerds)                     \
  PASS(ParallelToHierarchy)            \
  PASS(InsertLaunch)                   \
  PASS(LaunchToLinalg)                 \
  PASS(FitHerds)                       \
  PASS(CopyToDma)                      \
  PASS(ChannelsLast)                   \
  PASS(CollapseRows)                   \
  PASS(VectorProducts)                 \
  PASS(ConvolutionToMatmul)            \
  PASS(CopyToLinalg)                   \
  PASS(NarrowSums)                     \
  PASS(FlattenLoops)                   \
  PASS(FoldBroadcasts)                 \
  PASS(FoldMoves)                      \
  PASS(ShapeArguments)                 \
  PASS(FuseRows)                       \
  PASS(RenumberDma)                    \
  PASS(RankToLaunch)                   \
  PASS(UnrollSegments)                 \
  PASS(SegmentsToGrid)                 \
  PASS(MergeSegments)                  \
  PASS(SinkLoopsIntoHerds)             \
  PASS(LinalgToFunc)                   \
  PASS(SpecializeDmaBroadcast)         \
  PASS(LabelPingPong)                  \
  PASS(VerifyHierarchyLocality)        \
  PASS(WrapFuncWithParallel)           \
  PASS(AnnotatePacketIds)              \
  PASS(DependencyCanonicalize)         \
  PASS(DmaToChannel)                   \
  PASS(ChannelToDma)                   \
  PASS(ChannelToL2)                    \
  PASS(FuseChannels)                   \
  PASS(GroupHostPlaces)                \
  PASS(RelayGets)                      \
  PASS(SplitChannelsByLaunch)          \
  PASS(SplitDecidedRounds)             \
  PASS(DependencyParseGraph)           \
  PASS(EnforceChannelFifo)             \
  PASS(LabelSegmentLoops)              \
  PASS(LinalgName)                     \
  PASS(LinalgCodegen)                  \
  PASS(TileLinalg)                     \
  PASS(LoopsToCores)                   \
  PASS(ShareLoops)                     \
  PASS(ZeroPoints)                     \
  PASS(SplitDividedLoops)              \
  PASS(LoopsToLinalg)                  \
  PASS(SegmentWorkToHerds)             \
  PASS(DecomposePacks)                 \
  PASS(DecomposeSoftmax)               \
  PASS(NpuRecipe)                      \
  PASS(GpuAttention)                   \
  PASS(GpuProducts)                    \
  PASS(GpuLoops)                       \
  PASS(GpuPoints)                      \
  PASS(GpuRows)                        \
  PASS(GpuRecipe)                      \
  PASS(LowerHerdParallel)              \
  PASS(JamRows)                        \
  PASS(MergeRowLoops)                  \
  PASS(JoinWindowRows)                 \
  PASS(AlignRows)                      \
  PASS(SplitLongOps)                   \
  PASS(SplitColumns)                   \
  PASS(SplitOutputs)                   \
  PASS(SplitReductions)                \
  PASS(SplitArgExtremes)               \
  PASS(BytesOfBools)                   \
  PASS(PadOnCores)                     \
  PASS(ViewsInWords)                   \
  PASS(FastFloats)                     \
  PASS(VectorizeReductions)            \
  PASS(BroadcastDetection)             \
  PASS(UnrollForPipelining)            \
  PASS(HoistAllocInFor)                \
  PASS(Dependency)                     \
  PASS(HoistDmaInAccum)                \
  PASS(PruneDeadDma)                   \
  PASS(DependencyScheduleOpt)          \
  PASS(SpecializeChannelWrapAndStride) \
  PASS(AnnotatePingPong)               \
  PASS(ConstructPingPong)              \
  PASS(IsolatePingPong)                \
  PASS(IsolateLoopNests)               \
  PASS(PingPongTransform)              \
  PASS(CollapseHerd)                   \
  PASS(BufferResultsToOutParams)       \
  PASS(AffineLoopOpt)                  \
  PASS(UnrollOuterAffineLoops)         \
  PASS(AffineExpandIndexOps)           \
  PASS(AffineSimplifyStructures)       \
  PASS(LoopMerging)                    \
  PASS(LoopPermutation)                \
  PASS(RegularizeLoop)                 \
  PASS(AutomaticTiling)                \
  PASS(HerdVectorize)                  \
  PASS(ResolveTensorConflicts)         \
  PASS(AirTransform)                   \
  PASS(ForallLoops)                    \
  PASS(HoistSegmentTransfers)          \
  PASS(ShrinkCoreSlabs)                \
  PASS(SplitLaunchForPadding)          \
  PASS(SplitL2Memref)                  \
  PASS(OptMemtileDmaBds)               \
  PASS(OptShimDmaBds)                  \
  PASS(AnnotateAppendBarrier)          \
  PASS(FuseNestedHerd)                 \
  PASS(OverrideMemorySpace)            \
  PASS(FuseAllocDealloc)               \
  PASS(AnnotateRefeed)                 \
  PASS(PipelineReduce)                 \
  PASS(LoopFusion)                     \
  PASS(ShrinkMemrefs)

namespace airlite {

#define AIRLITE_DECLARE(name) void register##name(PassRegistry& registry);
AIRLITE_PASSES(AIRLITE_DECLARE)

void registerAllPasses(PassRegistry& registry) {
#define AIRLITE_REGISTER(name) register##name(registry);
  AIRLITE_PASSES(AIRLITE_REGISTER)
}

}  // namespace airlite
