// air-to-aie: turns segments and herds into designs for the tiles of an NPU.
//
// Each segment, and each herd outside of one, becomes an aie.device at the start of the module:
// tiles, cores with the program of their place in the herd, and buffers for the L1 memory. Ids and
// sizes are constants in a core, conditionals on them are decided, tokens go, since a core runs in
// order. Scalars that a herd is given stand in a buffer that the host fills. What the host has to
// know is written down in airrt.module_metadata. The AIR program itself stays for the host side.
//
// L1 memory that a segment or launch allocates is a buffer of each core that uses it, or one buffer
// with locks where cores share it (analysis/HandOver.hpp says when, SharedL1.hpp how).
//
// L2 memory goes to memory tiles. Channels become descriptors and locks of the tiles at their ends
// and flows between them, or from and to the shims, where the host side finds them by name
// (Transfers.hpp). With use-objectfifo they become object FIFOs, links of them on memory tiles, and
// copies into and out of their objects (ChannelFifos.hpp); packets, padding and L2 memory that is read in
// another order than it lies are errors there.
//
// Each instance of a segment with an iteration space is a design, `SEGMENT_X_Y`; its device says which
// one (`segment_unroll_x`, `segment_unroll_y`).
//
// Not supported so far, each an error at the op: DMAs of cores, L1 memory of cores that reach no
// common tile, calls of functions that have a body, and
// orders of transfers that no DMA can follow (DescriptorOrder.hpp).
#include "ChannelBundles.hpp"
#include "ChannelFifos.hpp"
#include "Design.hpp"
#include "MmioChannels.hpp"
#include "Sites.hpp"
#include "Transfers.hpp"
#include "WholeWords.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/transform/DropTokens.hpp"
#include "airlite/transform/UnrollSegments.hpp"
#include "lower/core/LegalizePasses.hpp"

namespace airlite::npu {

namespace {

class AirToAie : public Pass {
 public:
  AirToAie() : Pass("air-to-aie", "Puts segments and herds on the tiles of a device") {
    anchor("builtin.module");
    option("device", device_, "the device that the design is for");
    option("row-offset", rowOffset_, "row of the first core of a herd without a place");
    option("col-offset", colOffset_, "column of the first core of a herd without a place");
    option("emit-while-loop", emitWhileLoop_, "cores begin again at their end");
    option("emit-herd-lock", emitHerdLock_, "cores wait for the host before each run");
    option(
        "lock-parameters", lockParameters_,
        "cores that take numbers from the host wait for it before each run, so that each run has "
        "its own");
    option("stack-size", stackBytes_, "bytes of the stack of a core");
    option("test-patterns", testPatterns_,
           "only these steps: to-aie-mlir, specialize-affine-if, specialize-channel-bundle, "
           "lower-air-execute, lower-air-ping-pong, lower-air-channels, lower-scf-tokens");
    option("overlap-l2", overlapsL2_,
           "let transfers of one L2 buffer overlap: those of parts of it by locks of their own, "
           "others "
           "by a second copy where memory allows");
    option("use-lock-race-condition-fix-v2", twinL2_,
           "L2 memory that more than two transfers share is there twice, so that it fills while it "
           "drains; its transfers take turns either way");
    option("use-objectfifo", useObjectFifo_,
           "transfers by object FIFOs, for aie-objectfifo-to-locks");
    example("airlite-opt --air-to-aie='device=npu1 row-offset=2 col-offset=0' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    const aie::Device* device = aie::findDevice(device_);
    if (!device) return unknownDevice(module);
    if (rowOffset_ < 0 || colOffset_ < 0 || stackBytes_ <= 0)
      return module.emitError() << "air-to-aie: offsets must not be negative, the stack not empty",
             PassResult::Failed;
    for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                                 CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "the program of each core is written out");
    if (!testPatterns_.empty()) return runPatterns(module, *device);
    if (failed(unrollAll(module)) || failed(checkWholeWords(module))) return PassResult::Failed;
    std::vector<Design> designs;
    HostSide host(module);
    MmioChannels mmio;
    if (failed(mmio.read(module))) return PassResult::Failed;
    std::erase_if(host.channels, [&](const auto& entry) { return mmio.isOne(entry.first); });
    if (failed(outlineCores(module, options(*device), host, designs))) return PassResult::Failed;
    for (Design& design : designs) {
      if (failed(makeSequential(design)) || failed(mmio.lower(design)) ||
          failed(lowerCascades(design)) || failed(transfer(design, options(*device), host)) ||
          failed(finishCores(design)))
        return PassResult::Failed;
    }
    if (failed(mmio.finish(module))) return PassResult::Failed;
    // Limits of descriptors: the messages stand at the transfers.
    for (Design& design : designs)
      if (failed(verify(*design.device))) return PassResult::Failed;
    describeDesigns(module, designs);
    return changedIf(!designs.empty());
  }

 private:
  DesignOptions options(const aie::Device& device) const {
    return {&device,
            colOffset_,
            rowOffset_,
            emitWhileLoop_,
            emitHerdLock_,
            lockParameters_,
            static_cast<uint64_t>(stackBytes_),
            twinL2_,
            overlapsL2_};
  }

  /// Each instance of a segment is a design; its device says which one it is.
  static LogicalResult unrollAll(Operation& module) {
    std::vector<air::SegmentOp> segments;
    module.walk(
        [&](Operation& op) {
          if (isa<air::SegmentOp>(&op) && air::SegmentOp(&op).numDims())
            segments.push_back(air::SegmentOp(&op));
        },
        WalkOrder::PostOrder);
    for (air::SegmentOp segment : segments) {
      const std::string_view obstacle = air::obstacleToUnroll(segment);
      if (!obstacle.empty())
        return segment->emitOpError()
               << "not supported: a segment with an iteration space, " << obstacle;
      for (const air::SegmentInstance& instance : air::unrollSegment(segment)) {
        decideConditionals(*instance.segment.op());
        markInstance(instance);
      }
    }
    return success();
  }

  static void markInstance(const air::SegmentInstance& instance) {
    Operation& op = *instance.segment.op();
    for (size_t i = 0; i < std::size(kInstanceAttributes); ++i) {
      const int64_t id = i < instance.ids.size() ? instance.ids[i] : 0;
      op.setAttr(kInstanceAttributes[i], IntegerAttr::get(IntegerType::get(op.context(), 64), id));
    }
  }

  LogicalResult transfer(Design& design, const DesignOptions& options, const HostSide& host) const {
    if (!useObjectFifo_) return lowerTransfers(design, options, host);
    bool changed = false;
    if (failed(deepenLabelledChannels(*design.device, changed))) return failure();
    return lowerToFifos(design, host);
  }

  PassResult unknownDevice(Operation& module) const {
    module.emitError() << "air-to-aie: unknown device '" << device_ << "'"
                       << didYouMean(device_, aie::kDeviceNames);
    return PassResult::Failed;
  }

  PassResult runPatterns(Operation& module, const aie::Device& device) const {
    bool changed = false;
    for (std::string_view name : split(testPatterns_, ',')) {
      if (name == "to-aie-mlir") {
        std::vector<Design> designs;
        if (failed(unrollAll(module)) ||
            failed(outlineCores(module, options(device), HostSide(module), designs)))
          return PassResult::Failed;
        changed |= !designs.empty();
      } else if (name == "specialize-affine-if") {
        decideConditionals(module);
        changed = true;
      } else if (name == "specialize-channel-bundle") {
        changed |= splitChannelBundles(module);
      } else if (name == "lower-air-execute") {
        changed |= inlineExecutes(module);
      } else if (name == "lower-air-ping-pong") {
        if (failed(deepenLabelledChannels(module, changed))) return PassResult::Failed;
      } else if (name == "lower-air-channels") {
        if (failed(lowerDevices(module, changed))) return PassResult::Failed;
      } else if (name == "lower-scf-tokens") {
        if (failed(air::dropTokens(module, changed))) return PassResult::Failed;
      } else {
        module.emitError() << "air-to-aie: not supported: test pattern '" << name << "'";
        return PassResult::Failed;
      }
    }
    return changedIf(changed);
  }

  /// The channels inside of devices that are there.
  static LogicalResult lowerDevices(Operation& module, bool& changed) {
    for (Operation& op : module.region().front().ops()) {
      auto found = dynCast<aie::DeviceOp>(&op);
      if (!found) continue;
      markAsynchronous(op);
      if (failed(air::dropTokens(op, changed)) || failed(lowerDeviceToFifos(found)))
        return failure();
      changed = true;
    }
    return success();
  }

  std::string device_ = "xcvc1902", testPatterns_;
  int64_t rowOffset_ = 1, colOffset_ = 1, stackBytes_ = aie::CoreOp::kDefaultStackBytes;
  bool emitWhileLoop_ = false, emitHerdLock_ = false, lockParameters_ = false;
  bool useObjectFifo_ = false, twinL2_ = false, overlapsL2_ = false;
};

}  // namespace

void registerNpuPasses(PassRegistry& registry) {
  registry.add<AirToAie>();
  registerObjectFifos(registry);
  registerSendInParts(registry);
  registerCoreLegalization(registry);
  registerAirToStd(registry);
  registerAirrtToNpu(registry);
  registerAirrtToLlvm(registry);
  registerMergeUnrolledDevices(registry);
  registerVerifyProgress(registry);
}

}  // namespace airlite::npu
