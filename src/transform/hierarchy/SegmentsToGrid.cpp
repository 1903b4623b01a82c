// air-segments-to-grid: instances of segments become points of their launch.
//
// Matches air.launch that holds, next to ops without effects, one air.segment with an iteration space;
// and so on inwards, as long as such a segment holds nothing but another one. The instances of all of
// them run side by side and have no order, as points of a launch do, so the ids of the segments
// become ids of the launch, and what the innermost segment holds becomes the one segment of each
// point. On a GPU every point is a workgroup of its own.
//
// Up to three dimensions stay what they are. More, and all where a segment has
// backend-granularity=XCD, become one dimension: devices hand workgroups to their XCDs in turn, so
// ids of segments that are XCDs change fastest in it, then those of the inner segments (which are
// on one XCD), those of the launch slowest; in each level the first dimension is the fastest.
//
// Declines, with a remark: sizes that are not known outside of the launch, memory or other effects
// next to the segment, channels (instances may wait for each other), tokens that a body is given,
// and affinity or concurrency lists.
#include "Hierarchy.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <utility>

namespace airlite {

namespace {

constexpr std::string_view kGranularity = "backend-granularity";
constexpr size_t kDimsOfGrid = 3;

bool isXcd(air::HierarchyOp level) {
  const auto text = level->attrOf<StringAttr>(kGranularity);
  return text && text.value() == "XCD";
}

bool isSplit(air::HierarchyOp level) {
  const auto sizes = level.constantSizes();
  return !sizes ||
         std::any_of(sizes->begin(), sizes->end(), [](int64_t size) { return size != 1; });
}

/// What can be left where it is or be made again: no effect, and of tokens at most a wait.
bool isHarmless(Operation& op) {
  return isa<air::WaitAllOp>(&op) || op.hasTrait(Trait::Terminator) || isPure(op);
}

/// The one segment of a body; null where there is none, or more, or anything with an effect.
Operation* onlySegment(Block& body) {
  Operation* found = nullptr;
  for (Operation& op : body.ops()) {
    if (isHarmless(op)) continue;
    if (found || !isa<air::SegmentOp>(&op)) return nullptr;
    found = &op;
  }
  return found;
}

/// The launch and the segments in it whose instances become points, outermost first.
using Levels = std::vector<air::HierarchyOp>;

Levels levelsOf(air::LaunchOp launch) {
  Levels levels = {launch};
  while (Operation* segment = onlySegment(levels.back().body())) {
    const bool holdsSegments = onlySegment(air::SegmentOp(segment).body()) != nullptr;
    if (!isSplit(air::SegmentOp(segment)) && !holdsSegments) break;
    levels.emplace_back(segment);
  }
  while (levels.size() > 1 && !isSplit(levels.back()))
    levels.pop_back();
  return levels;
}

/// What an argument of a level stands for; null for an id, and for arguments of other ops.
Value outerOf(Value argument) {
  const air::HierarchyOp level = air::asHierarchy(argument.argumentBlock()->parentOp());
  if (!level || argument.index() < level.numDims()) return {};
  if (argument.index() < 2 * level.numDims())
    return level.sizes()[argument.index() - level.numDims()];
  return level.tiedOperand(argument);
}

bool isInLaunch(Value value, air::HierarchyOp launch) {
  return launch->isAncestor(value.parentBlock()->parentOp());
}

class GridMaker {
 public:
  explicit GridMaker(Levels levels) : levels_(std::move(levels)), launch_(levels_.front()) {}

  /// Empty: run() can be called.
  std::string_view obstacle() {
    for (air::HierarchyOp level : levels_) {
      if (!level.affinity().empty() || !level.concurrency().empty())
        return "its affinity and concurrency lists speak of segments as a whole";
      for (Value operand : level.kernelOperands())
        if (air::isTokenType(operand.type())) return "a body is given a token";
    }
    bool hasChannels = false;
    launch_->walk([&](Operation& op) { hasChannels = hasChannels || air::isChannelAccess(op); });
    if (hasChannels) return "instances that use channels may wait for each other";
    for (air::HierarchyOp level : levels_)
      for (Value size : level.sizes())
        if (!outside(size)) return "the sizes of its segments are not known outside of the launch";
    return {};
  }

  void run() {
    Builder builder = Builder::before(*launch_.op());
    for (air::HierarchyOp level : levels_)
      for (Value size : level.sizes())
        sizes_.push_back(madeOutside(builder, outside(size)));
    const std::vector<Value> dependencies = launch_.dependencies().vec();
    air::HierarchyOp made =
        air::createHierarchy(builder, launch_->location(), "air.launch", grid(builder),
                             launch_.token() ? &dependencies : nullptr);
    air::copyAttributes(launch_, made);
    const unsigned first = air::addKernelOperands(made, launch_.kernelOperands().vec());
    for (unsigned i = 0; i < launch_.numKernelOperands(); ++i)
      mapping_.map(launch_.kernelArgument(i), made.body().argument(first + i));
    Builder inside = Builder::before(made.body().back());
    mapIds(made, inside);
    copyLevels(inside);
    air::isolate(made);
    if (Value token = launch_.token()) token.replaceAllUsesWith(made.token());
    launch_->erase();
  }

 private:
  /// The value outside of the launch that is equal to `size`, or the constant that it is; else null.
  Value outside(Value size) const {
    while (size && isInLaunch(size, launch_) && !constantIntOf(size)) {
      if (!size.isBlockArgument()) return {};
      size = outerOf(size);
    }
    return size;
  }

  Value madeOutside(Builder& builder, Value size) const {
    if (!isInLaunch(size, launch_)) return size;
    return builder.constantIndex(launch_->location(), *constantIntOf(size));
  }

  bool isFlat() const {
    return sizes_.size() > kDimsOfGrid || std::any_of(levels_.begin() + 1, levels_.end(), isXcd);
  }

  /// An XCD without an iteration space is one of the level around it.
  bool isOfXcds(size_t level) const {
    const bool isAround = level + 1 < levels_.size() && !levels_[level + 1].numDims();
    return isXcd(levels_[level]) || (isAround && isXcd(levels_[level + 1]));
  }

  /// Dimensions as sizes_ counts them, those first whose ids change fastest.
  std::vector<size_t> order() const {
    std::vector<size_t> xcds, others;
    size_t end = sizes_.size();
    for (size_t i = levels_.size(); i-- > 0;) {
      const size_t first = end - levels_[i].numDims();
      std::vector<size_t>& dims = isOfXcds(i) ? xcds : others;
      for (size_t dim = first; dim < end; ++dim)
        dims.push_back(dim);
      end = first;
    }
    xcds.insert(xcds.end(), others.begin(), others.end());
    return xcds;
  }

  Value binary(Builder& builder, std::string_view name, Value a, Value b) const {
    return builder.create(launch_->location(), name, {a, b}, {builder.indexType()})->result();
  }

  std::vector<Value> grid(Builder& builder) const {
    if (!isFlat()) return sizes_;
    Value all;
    for (size_t dim : order())
      all = all ? binary(builder, "arith.muli", all, sizes_[dim]) : sizes_[dim];
    return {all};
  }

  void mapIds(air::HierarchyOp made, Builder& inside) {
    std::vector<Value> ids(sizes_.size());
    for (size_t i = 0; i < ids.size() && !isFlat(); ++i)
      ids[i] = made.id(static_cast<unsigned>(i));
    if (isFlat()) divideUp(made.id(0), inside, ids);
    size_t number = 0;
    for (air::HierarchyOp level : levels_)
      for (unsigned i = 0; i < level.numDims(); ++i, ++number) {
        mapping_.map(level.id(i), ids[number]);
        mapping_.map(level.sizeArgument(i), sizes_[number]);
      }
  }

  void divideUp(Value number, Builder& inside, std::vector<Value>& ids) const {
    const std::vector<size_t> dims = order();
    for (size_t dim : dims) {
      const bool isLast = dim == dims.back();
      ids[dim] = isLast ? number : binary(inside, "arith.remui", number, sizes_[dim]);
      if (!isLast) number = binary(inside, "arith.divui", number, sizes_[dim]);
    }
  }

  /// What the bodies hold, but the segments, and the innermost body in a segment of one instance.
  void copyLevels(Builder& inside) {
    for (size_t i = 1; i < levels_.size(); ++i) {
      copyHarmless(levels_[i - 1].body(), inside);
      for (unsigned k = 0; k < levels_[i].numKernelOperands(); ++k)
        mapping_.map(levels_[i].kernelArgument(k),
                     mapping_.lookupOr(levels_[i].kernelOperands()[k]));
    }
    air::HierarchyOp last = levels_.back();
    air::HierarchyOp segment = air::createHierarchy(inside, last->location(), "air.segment", {});
    air::copyAttributes(last, segment);
    segment->removeAttr(kGranularity);
    Builder body = Builder::before(segment.body().back());
    for (Operation& op : last.body().ops())
      if (!op.hasTrait(Trait::Terminator)) body.clone(op, mapping_);
    air::isolate(segment);
  }

  void copyHarmless(Block& block, Builder& inside) {
    for (Operation& op : block.ops())
      if (isPure(op) && !op.hasTrait(Trait::Terminator)) inside.clone(op, mapping_);
  }

  Levels levels_;
  air::HierarchyOp launch_;
  std::vector<Value> sizes_;  ///< of all dimensions of all levels, as values outside of the launch
  IRMapping mapping_;
};

class SegmentsToGrid : public Pass {
 public:
  SegmentsToGrid()
      : Pass("air-segments-to-grid", "Makes instances of segments points of their launch") {
    anchor("builtin.module");
    example("airlite-opt --air-segments-to-grid in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> launches;
    module.walk([&](Operation& op) {
      if (isa<air::LaunchOp>(&op)) launches.push_back(&op);
    });
    bool changed = false;
    for (Operation* launch : launches) {
      Levels levels = levelsOf(air::LaunchOp(launch));
      if (levels.size() == 1) {
        remarkOnOthers(air::LaunchOp(launch), context);
        continue;
      }
      Operation* segment = levels[1].op();
      GridMaker maker(std::move(levels));
      if (const std::string_view obstacle = maker.obstacle(); !obstacle.empty()) {
        context.remark(*segment, "no points of its launch: " + std::string(obstacle));
        continue;
      }
      maker.run();
      changed = true;
    }
    return changedIf(changed);
  }

 private:
  static void remarkOnOthers(air::LaunchOp launch, PassContext& context) {
    for (Operation& op : launch.body().ops())
      if (isa<air::SegmentOp>(&op) && isSplit(air::SegmentOp(&op)))
        context.remark(op, "no points of its launch: something with an effect stands beside it");
  }
};

}  // namespace

void registerSegmentsToGrid(PassRegistry& registry) { registry.add<SegmentsToGrid>(); }

}  // namespace airlite
