// air-opt-memtile-dma-bds: the transfers of segments as buffer descriptors of a memory tile say them.
//
// Does in each segment what air-specialize-channel-wrap-and-stride does, as far as a descriptor of a
// memory tile of `device` goes: so many dimensions, so large sizes and strides, nothing that repeats.
// A dimension that is too large becomes two. Loops that do not fit are unrolled, a chain of
// descriptors. The body of a segment that is asynchronous ends with an air.wait_all with
// `air.segment_end` for all that is under way.
//
// A device of the first generation has no memory tiles: an error. Remarks are those of
// air-specialize-channel-wrap-and-stride.
#include "EndWaits.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/channels/ChannelSpecializer.hpp"

namespace airlite {

namespace {

class OptMemtileDmaBds : public Pass {
 public:
  OptMemtileDmaBds()
      : Pass("air-opt-memtile-dma-bds", "Makes transfers of segments for memory tiles") {
    anchor("func.func");
    option("device", device_, "the device of which the descriptors are");
    example("airlite-opt --air-opt-memtile-dma-bds=device=npu1 in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    const aie::Device* device = aie::findDevice(device_);
    if (!device) {
      function.emitOpError() << "unknown device '" << device_ << "'";
      return PassResult::Failed;
    }
    if (device->generation == aie::Generation::Aie1) {
      function.emitOpError() << "AIE1 architecture does not come with memtiles.";
      return PassResult::Failed;
    }
    const aie::BdLimits& bd = device->limits(aie::TileKind::Mem).bd;
    air::ListLimits limits{bd.numDimensions, bd.dimensions[0].maxWrap, bd.dimensions[0].maxStep,
                           true, air::Repeats::Nowhere};
    std::vector<Operation*> segments;
    function.walk([&](Operation& op) {
      if (isa<air::SegmentOp>(&op)) segments.push_back(&op);
    });
    bool changed = false;
    for (Operation* segment : segments)
      changed |= runOn(*segment, limits, context);
    if (changed) air::declareCopies(context);
    return changedIf(changed);
  }

 private:
  static bool runOn(Operation& segment, const air::ListLimits& limits, PassContext& context) {
    bool changed = air::specializeChannels(segment, limits, true, context);
    if (changed) air::tidyTransfers(segment);
    if (air::SegmentOp(&segment).token())
      changed |= air::addEndWait(air::SegmentOp(&segment).body(), "air.segment_end");
    return changed;
  }

  std::string device_ = "npu1";
};

}  // namespace

void registerOptMemtileDmaBds(PassRegistry& registry) { registry.add<OptMemtileDmaBds>(); }

}  // namespace airlite
