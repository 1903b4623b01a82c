// air-collapse-herd: a herd of several columns becomes one column.
//
// Matches air.herd of two constant sizes X and Y, X > 1, with X*Y not above `max-col-size`. Its
// sizes become 1 and X*Y, computed by arith.muli before the herd; at the top of its body the old
// ids are the number of the core by arith.remsi and arith.divsi with Y, the old sizes constants. The
// neighbours of a core change, and nothing else.
//
// With `array=C,R` it is for herds that are wider or higher than the array only: they get no more than C columns, of the most rows up to R
// that divide the cores.
//
// Declines, with a remark: sizes that are not two constants, a herd that has a place already, too
// many cores; a segment (or what is around the herd outside of one) that uses cascade channels,
// which join neighbours; DMAs with a broadcast pattern or set, which names cores by their ids.
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

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

/// `rows`: of each column; 0: there is one column.
void collapse(air::HerdOp herd, int64_t sizeX, int64_t sizeY, int64_t rows) {
  Location location = herd->location();
  Builder builder = Builder::before(*herd);
  const auto combine = [&](std::string_view name, Value a, Value b) {
    return builder.create(location, name, {a, b}, {builder.indexType()})->result();
  };
  const auto number = [&](int64_t value) { return builder.constantIndex(location, value); };
  Value sizes[] = {number(rows ? sizeX * sizeY / rows : 1),
                   rows ? number(rows) : combine("arith.muli", herd.sizes()[0], herd.sizes()[1])};
  herd->setOperandGroup(kSizesGroup, sizes);

  builder.setToStart(herd.body());
  Value x = herd.id(0), y = herd.id(1), core = y, columnSize = number(sizeY);
  std::unordered_set<Operation*> made;
  if (rows) {
    const Value before = combine("arith.muli", x, number(rows));
    core = combine("arith.addi", before, y);
    made = {before.definingOp(), core.definingOp()};
  }
  const Value oldY = combine("arith.remsi", core, columnSize),
              oldX = combine("arith.divsi", core, columnSize);
  made.insert({oldY.definingOp(), oldX.definingOp()});
  const auto isOld = [&](OpOperand& use) { return !made.contains(use.owner()); };
  x.replaceUsesIf(oldX, isOld);
  y.replaceUsesIf(oldY, isOld);
  if (herd.sizeArgument(0).hasUses())
    herd.sizeArgument(0).replaceAllUsesWith(builder.constantIndex(location, sizeX));
  herd.sizeArgument(1).replaceAllUsesWith(columnSize);
}

class CollapseHerd : public Pass {
 public:
  CollapseHerd() : Pass("air-collapse-herd", "Makes herds one column wide") {
    anchor("func.func");
    option("max-col-size", maxColSize_, "the most cores of a column; negative: no limit");
    option("array", array_, "columns and rows that there are; herds with more get another shape");
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
    const bool hasArray = array_.size() == 2;
    if (hasArray && x <= array_[0] && y <= array_[1]) return "the array has room for the herd";
    if (!hasArray && x <= 1) return "the herd has one column";
    if (y < 1 || (!hasArray && maxColSize_ >= 0 && y > maxColSize_ / x))
      return "too many cores for a column";
    const int64_t rows = hasArray ? air::coresFor(x * y, array_[1]) : 0;
    if (hasArray && x * y / rows > array_[0]) return "no shape of the array has so many cores";
    if (herd->hasAttr("x_loc") || herd->hasAttr("y_loc")) return "the herd has a place";
    if (useCascades_.count(&arrayOf(*herd))) return "cascade channels join neighbours";
    if (namesCores(herd)) return "a broadcast names cores by their ids";
    collapse(herd, x, y, rows);
    return {};
  }

  int64_t maxColSize_ = -1;
  std::vector<int64_t> array_;
  std::unordered_set<Operation*> useCascades_;
};

}  // namespace

void registerCollapseHerd(PassRegistry& registry) { registry.add<CollapseHerd>(); }

}  // namespace airlite
