// air-opt-shim-dma-bds: the transfers of launches as buffer descriptors of the shim say them.
//
// In each function, for a `device` with memory tiles (the second generation and later):
//  1. The instances of a launch become iterations of loops in its body, one after the other; a
//     launch of one instance just loses its sizes.
//  2. scf.for at the top of a launch (or of the function) is cut into tiles, one copy of the loop
//     each: the sizes are `shim-dma-tile-sizes`, one for each loop of the nest, or else
//     `air.shim_dma_tile_sizes` of the launch, where one number counts for all loops. 0 alone: no
//     tiles, as without any.
//  3. What air-specialize-channel-wrap-and-stride does in each launch (in the function, when it has
//     none), as far as a descriptor goes: its dimensions, one of which may repeat the others when it
//     is in front, their sizes and strides. A list with such a repetition has all dimensions.
//  4. The body of an asynchronous launch ends with one blocking air.wait_all with `air.launch_end`
//     for all that is under way, and so does the function when nothing was tiled and nobody in the
//     module calls it. An scf.index_switch without results hands on a token for that.
// A launch with `air.preserve_shim_dma_order` is left as it is in 3; its channel ops get the
// attribute, but puts of L3 memory that reach no herd with a broadcast.
// A device of the first generation has one dimension and gets 3 only, without unrolling.
//
// Declines, with a remark: a launch whose sizes are not constant, or whose ids are places of a channel
// or operands of affine ops (the variable of a loop must be neither); tiles that would change the order
// of transfers (a tile of several iterations outside of one that is cut), loops with more than
// transfers through channels, too many copies, and what
// air-specialize-channel-wrap-and-stride declines. Errors: an unknown device, sizes of tiles that
// are not positive.
#include "EndWaits.hpp"
#include "ShimLaunches.hpp"
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/channels/ChannelSpecializer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace airlite {

namespace {

constexpr std::string_view kEndMark = "air.launch_end", kTileSizes = "air.shim_dma_tile_sizes";

class OptShimDmaBds : public Pass {
 public:
  OptShimDmaBds() : Pass("air-opt-shim-dma-bds", "Makes transfers of launches for the shim") {
    anchor("func.func");
    option("device", device_, "the device of which the descriptors are");
    option("shim-dma-tile-sizes", tileSizes_,
           "iterations in a tile, for each loop of a nest; 0: no tiles");
    example("airlite-opt --air-opt-shim-dma-bds=device=npu1 in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    const aie::Device* device = aie::findDevice(device_);
    if (!device) {
      function.emitOpError() << "unknown device '" << device_ << "'";
      return PassResult::Failed;
    }
    if (!checkSizes(function)) return PassResult::Failed;
    if (function.region().empty()) return PassResult::Unchanged;
    bool isFirst = device->generation == aie::Generation::Aie1;
    bool changed = false, isTiled = false;
    if (!isFirst) {
      changed |= serialize(function, context);
      isTiled = tile(function, context);
    }
    changed |= isTiled | air::spreadOrderMarks(function);
    changed |= fold(function, limitsOf(*device), !isFirst, context);
    if (!isFirst) changed |= addWaits(function, isTiled);
    if (changed) air::declareCopies(context);
    return changedIf(changed);
  }

 private:
  static std::vector<Operation*> launchesOf(Operation& function) {
    std::vector<Operation*> launches;
    function.walk([&](Operation& op) {
      if (isa<air::LaunchOp>(&op)) launches.push_back(&op);
    });
    return launches;
  }

  // -- Sizes of tiles -----------------------------------------------------------------------------

  bool hasNoTiles() const { return tileSizes_.size() == 1 && tileSizes_[0] == 0; }

  bool checkSizes(Operation& function) {
    auto isPositive = [](int64_t size) { return size > 0; };
    if (!hasNoTiles() && !std::all_of(tileSizes_.begin(), tileSizes_.end(), isPositive)) {
      function.emitError() << "shim-dma-tile-sizes=0 is only valid as a single-value sentinel; the "
                              "sizes of a list must be > 0";
      return false;
    }
    for (Operation* launch : launchesOf(function)) {
      if (!launch->hasAttr(kTileSizes)) continue;
      auto sizes = launch->attrOf<DenseArrayAttr>(kTileSizes);
      if (!sizes || sizes.size() == 0) {
        launch->emitOpError() << "air.shim_dma_tile_sizes must not be empty";
        return false;
      }
      bool isNone = sizes.size() == 1 && sizes.values()[0] == 0;
      if (isNone || std::all_of(sizes.values().begin(), sizes.values().end(), isPositive)) continue;
      launch->emitOpError() << "air.shim_dma_tile_sizes values must be > 0 (a single 0: no tiles)";
      return false;
    }
    return true;
  }

  /// Empty: no tiles.
  std::vector<int64_t> sizesFor(Operation& loop) const {
    if (hasNoTiles()) return {};
    if (!tileSizes_.empty()) return tileSizes_;
    Operation* launch = loop.parentOfName("air.launch");
    auto attr = launch ? launch->attrOf<DenseArrayAttr>(kTileSizes) : DenseArrayAttr();
    if (!attr || attr.values()[0] == 0) return {};
    if (attr.size() > 1) return {attr.values().begin(), attr.values().end()};
    return std::vector<int64_t>(kDeepest, attr.values()[0]);
  }

  // -- Steps --------------------------------------------------------------------------------------

  static bool serialize(Operation& function, PassContext& context) {
    bool changed = false;
    for (Operation* launch : launchesOf(function)) {
      changed |= air::addSwitchTokens(air::LaunchOp(launch).body());
      std::string_view obstacle = air::launchToLoops(*launch, changed);
      if (!obstacle.empty()) context.remark(*launch, fmt::format("not made loops: {}", obstacle));
    }
    return changed;
  }

  bool tile(Operation& function, PassContext& context) {
    std::vector<Operation*> loops;
    function.walk([&](Operation& op) {
      Operation* parent = op.parentOp();
      bool isOutermost = parent == &function || isa<air::LaunchOp>(parent);
      if (isa<scf::ForOp>(&op) && isOutermost) loops.push_back(&op);
    });
    bool changed = false;
    for (Operation* loop : loops) {
      std::vector<int64_t> sizes = sizesFor(*loop);
      if (sizes.empty()) continue;
      std::string_view obstacle = air::tileLoop(*loop, sizes);
      if (!obstacle.empty()) context.remark(*loop, fmt::format("not tiled: {}", obstacle));
      changed |= obstacle.empty();
    }
    return changed;
  }

  static air::ListLimits limitsOf(const aie::Device& device) {
    const aie::BdLimits& bd = device.limits(aie::TileKind::ShimNoc).bd;
    if (bd.numDimensions == 0) return {1, std::nullopt, 1, false, air::Repeats::Nowhere};
    // The iteration of a descriptor is one dimension more.
    return {bd.numDimensions + 1, bd.dimensions[0].maxWrap, bd.dimensions[0].maxStep, true,
            air::Repeats::InFront};
  }

  static bool fold(Operation& function, const air::ListLimits& limits, bool unroll,
                   PassContext& context) {
    std::vector<Operation*> scopes = launchesOf(function);
    if (scopes.empty()) scopes.push_back(&function);
    bool changed = false;
    for (Operation* scope : scopes) {
      if (scope->hasAttr("air.preserve_shim_dma_order")) continue;
      if (!air::specializeChannels(*scope, limits, unroll, context)) continue;
      air::tidyTransfers(*scope);
      changed = true;
    }
    return changed;
  }

  bool addWaits(Operation& function, bool isTiled) {
    std::vector<Operation*> launches = launchesOf(function);
    bool changed = false;
    for (Operation* launch : launches)
      if (air::LaunchOp(launch).token())
        changed |= air::addEndWait(air::LaunchOp(launch).body(), kEndMark);
    Region& body = function.region();
    bool isOpen = !launches.empty() && !isTiled && body.hasOneBlock() && !isCalled(function);
    return changed | (isOpen && air::addEndWait(body.front(), kEndMark));
  }

  /// A caller may have to continue for the function to end.
  bool isCalled(Operation& function) {
    Operation* module = function.parentOp();
    if (module != module_) {
      module_ = module;
      called_.clear();
      module->walk([&](Operation& op) {
        if (isa<func::CallOp>(&op))
          forEachSymbolUse(op, [&](SymbolRefAttr use) { called_.emplace(use.root()); });
      });
    }
    return called_.count(std::string(symbolName(function))) > 0;
  }

  static constexpr size_t kDeepest = 64;  // loops of a nest

  std::string device_ = "xcvc1902";
  std::vector<int64_t> tileSizes_;
  Operation* module_ = nullptr;  // that `called_` is of
  std::unordered_set<std::string> called_;
};

}  // namespace

void registerOptShimDmaBds(PassRegistry& registry) { registry.add<OptShimDmaBds>(); }

}  // namespace airlite
