// air-collapse-herd: a herd of several columns becomes one column.
//
// Matches air.herd of two constant sizes X and Y, X > 1, with X*Y not above `max-col-size`. Its
// sizes become 1 and X*Y, computed by arith.muli before the herd; at the top of its body the old
// ids are the second id by arith.remsi and arith.divsi with Y, the old sizes constants. The
// neighbours of a core change, and nothing else.
//
// Declines, with a remark: sizes that are not two constants, a herd that has a place already, too
// many cores; a segment (or what is around the herd outside of one) that uses cascade channels,
// which join neighbours; DMAs with a broadcast pattern or set, which names cores by their ids.
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <string_view>
#include <unordered_set>

namespace airlite {

namespace {

constexpr unsigned kSizesGroup = 1;

/// The op whose herds share the array: a segment, or else what is outermost around the herd.
Operation& arrayOf(Operation& op) {
  Operation* at = &op;
  while (!isa<air::SegmentOp>(at) && at->parentOp() && !at->parentOp()->is("builtin.module"))
    at = at->parentOp();
  return *at;
}

std::unordered_set<std::string_view> cascadesOf(Operation& from) {
  std::unordered_set<std::string_view> names;
  Operation* table = nearestSymbolTable(&from);
  if (!table) return names;
  for (Operation& op : table->region().front().ops())
    if (air::ChannelOp channel = dynCast<air::ChannelOp>(&op))
      if (channel.canonicalType() == "npu_cascade") names.insert(channel.symbol());
  return names;
}

bool namesCores(air::HerdOp herd) {
  WalkResult result = herd->walkWith([](Operation& op) {
    bool names = op.hasAttr("broadcast_pattern") || op.hasAttr("broadcast_set");
    return names ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

void collapse(air::HerdOp herd, int64_t sizeX, int64_t sizeY) {
  Location location = herd->location();
  Builder builder = Builder::before(*herd);
  Value x = herd.sizes()[0], y = herd.sizes()[1];
  Value cores = builder.create(location, "arith.muli", {x, y}, {builder.indexType()})->result();
  Value sizes[] = {builder.constantIndex(location, 1), cores};
  herd->setOperandGroup(kSizesGroup, sizes);

  builder.setToStart(herd.body());
  Value core = herd.id(1), columnSize = builder.constantIndex(location, sizeY);
  auto part = [&](std::string_view name) {
    return builder.create(location, name, {core, columnSize}, {core.type()})->result();
  };
  Value oldY = part("arith.remsi"), oldX = part("arith.divsi");
  herd.id(0).replaceAllUsesWith(oldX);
  core.replaceUsesIf(oldY, [&](OpOperand& use) {
    return use.owner() != oldY.definingOp() && use.owner() != oldX.definingOp();
  });
  if (herd.sizeArgument(0).hasUses())
    herd.sizeArgument(0).replaceAllUsesWith(builder.constantIndex(location, sizeX));
  herd.sizeArgument(1).replaceAllUsesWith(columnSize);
}

class CollapseHerd : public Pass {
 public:
  CollapseHerd() : Pass("air-collapse-herd", "Makes herds one column wide") {
    anchor("func.func");
    option("max-col-size", maxColSize_, "the most cores of a column; negative: no limit");
    example("airlite-opt --air-collapse-herd='max-col-size=4' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> herds;
    function.walk([&](Operation& op) {
      if (isa<air::HerdOp>(&op)) herds.push_back(&op);
    });
    if (herds.empty()) return PassResult::Unchanged;
    findCascades(function);
    bool changed = false;
    for (Operation* herd : herds) {
      std::string_view obstacle = tryCollapse(air::HerdOp(herd));
      if (!obstacle.empty()) context.remark(*herd, obstacle);
      changed |= obstacle.empty();
    }
    return changedIf(changed);
  }

 private:
  void findCascades(Operation& function) {
    useCascades_.clear();
    std::unordered_set<std::string_view> cascades = cascadesOf(function);
    if (cascades.empty()) return;
    function.walk([&](Operation& op) {
      bool isAccess = isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op);
      if (isAccess && cascades.count(air::ChannelAccessOp(&op).channelName()))
        useCascades_.insert(&arrayOf(op));
    });
  }

  /// Empty when the herd was collapsed, else why not.
  std::string_view tryCollapse(air::HerdOp herd) const {
    std::optional<std::vector<int64_t>> sizes = herd.constantSizes();
    if (!sizes || sizes->size() != 2) return "the herd is not of two constant sizes";
    int64_t x = (*sizes)[0], y = (*sizes)[1];
    if (x <= 1) return "the herd has one column";
    if (y < 1 || (maxColSize_ >= 0 && y > maxColSize_ / x)) return "too many cores for a column";
    if (herd->hasAttr("x_loc") || herd->hasAttr("y_loc")) return "the herd has a place";
    if (useCascades_.count(&arrayOf(*herd))) return "cascade channels join neighbours";
    if (namesCores(herd)) return "a broadcast names cores by their ids";
    collapse(herd, x, y);
    return {};
  }

  int64_t maxColSize_ = -1;
  std::unordered_set<Operation*> useCascades_;
};

}  // namespace

void registerCollapseHerd(PassRegistry& registry) { registry.add<CollapseHerd>(); }

}  // namespace airlite
