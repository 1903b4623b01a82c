// air-place-herds: gives every herd the coordinates of its lower left core.
//
// Matches the herds of each segment, and each herd that is in none. The grid of a segment is given
// by its attributes x_size, y_size, x_loc, y_loc where it has them, else by the options num-cols,
// num-rows, col-anchor, row-anchor; all four are written back. Herds of one name are the same cores
// at different times and get the same place, as do herds of one shape that transfer one L1 buffer, or
// use one that one of them transfers and more than two have.
//
// Herds with both x_loc and y_loc are pinned and taken first. Herds that are linked by a cascade
// channel are placed so that the consumer is the east or south neighbour of its producer (south
// where both are wide, east where both are tall); herds that share an L1 buffer touch the first
// herd that uses it. The others follow, largest first, each at the first free place row by row from
// the anchor. A herd outside of segments is placed on its own at the anchor.
//
// Declines: a pin outside of the grid or on top of another is ignored with a warning; links that no
// arrangement satisfies get a remark; when not all herds of a segment fit, none of them is changed
// and the herds that have no place are named as errors (the pass itself continues). Herds whose sizes
// are not constants, or contradicting pins of herds of one name, fail the pass.
#include "HerdPlacer.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite {

namespace {

// Far above any array; keeps a mistyped size from taking all memory.
constexpr int64_t kMaxExtent = 1024;

struct Extent {
  int64_t cols = 0, rows = 0;
  GridCell anchor;
};

/// The herds of one name: they share a place.
struct Unit {
  std::vector<Operation*> herds;
};

std::string shownName(Operation& herd) {
  std::string_view name = symbolName(herd);
  return name.empty() ? "herd" : std::string(name);
}

/// The herds of one grid and what ties them together.
class GridPlacement {
 public:
  GridPlacement(const Extent& extent, PassContext& context)
      : extent_(extent), context_(context), placer_(extent.cols, extent.rows) {}

  LogicalResult add(Operation& herd) {
    std::optional<std::vector<int64_t>> sizes = air::HerdOp(&herd).constantSizes();
    if (!sizes) return herd.emitOpError() << "cannot be placed: its sizes are not constants";
    std::string_view name = symbolName(herd);
    auto [known, isNew] = byName_.emplace(name, units_.size());
    const auto other = isNew || name.empty() ? unitOfTheSame(herd) : std::nullopt;
    if (other) {
      known->second = *other;
    } else if (isNew || name.empty()) {
      known->second = units_.size();
      units_.emplace_back();
      placed_.push_back({shownName(herd), 1, 1, std::nullopt});
    }
    PlacedHerd& place = placed_[known->second];
    if (sizes->size() > 0) place.cols = std::max(place.cols, (*sizes)[0]);
    if (sizes->size() > 1) place.rows = std::max(place.rows, (*sizes)[1]);
    units_[known->second].herds.push_back(&herd);
    unitOf_[&herd] = known->second;
    for (Value memory : boundMemory(herd))
      boundTo_.emplace(memory.impl(), known->second);
    return success();
  }

  /// Cascade channels with both ends in `scope`, and L1 buffers that several herds are given.
  void link(Operation& scope) {
    linkCascades(scope);
    linkSharedBuffers();
  }

  /// False when not all herds have a place; that has been reported at `scope`.
  LogicalResult place(Operation& scope, bool& complete) {
    if (failed(takePins())) return failure();
    std::vector<HerdLink> links(links_.begin(), links_.end());
    for (const HerdLink& apart : placer_.place(placed_, std::move(links)))
      remarkApart(apart);
    complete = std::all_of(placed_.begin(), placed_.end(),
                           [](const PlacedHerd& herd) { return herd.cell.has_value(); });
    if (complete)
      write();
    else
      reportUnplaced(scope);
    return success();
  }

 private:
  struct Ends {
    std::set<size_t> producers, consumers;
  };

  /// L1 memory given to a herd that its cores transfer.
  static std::vector<Value> movedMemory(Operation& op) {
    const air::HerdOp herd(&op);
    std::set<void*> moved;
    op.walk([&](Operation& inner) {
      if (const auto copy = dynCast<air::DmaMemcpyNdOp>(&inner)) {
        moved.insert(air::bufferSource(copy.dst().memref).impl());
        moved.insert(air::bufferSource(copy.src().memref).impl());
      } else if (air::isChannelAccess(inner)) {
        moved.insert(air::bufferSource(air::ChannelAccessOp(&inner).access().memref).impl());
      }
    });
    std::vector<Value> memory;
    for (unsigned i = 0; i < herd.numKernelOperands(); ++i) {
      const Value operand = herd.kernelOperands()[i];
      if (moved.contains(herd.kernelArgument(i).impl()) &&
          air::memoryLevel(operand.type()) == air::MemoryLevel::L1)
        memory.push_back(operand);
    }
    return memory;
  }

  /// More than two herds have the memory, one of which transfers it: not all would be next to that one.
  static bool isCrowded(Value memory) {
    std::set<std::string_view> names;
    bool isMoved = false;
    for (const OpOperand& use : memory.uses()) {
      if (!isa<air::HerdOp>(use.owner())) continue;
      names.insert(symbolName(*use.owner()));
      const std::vector<Value> moved = movedMemory(*use.owner());
      isMoved |= std::ranges::count(moved, memory) > 0;
    }
    return isMoved && names.size() > 2;
  }

  /// L1 memory that herds of one shape have on the same cores: the DMA of one core reaches it.
  static std::vector<Value> boundMemory(Operation& op) {
    std::vector<Value> memory = movedMemory(op);
    for (Value operand : air::HerdOp(&op).kernelOperands())
      if (memorySpaceOf(operand.type()) &&
          air::memoryLevel(operand.type()) == air::MemoryLevel::L1 && isCrowded(operand))
        memory.push_back(operand);
    return memory;
  }

  /// The earlier herd of that shape whose cores have to be those of `herd`.
  std::optional<size_t> unitOfTheSame(Operation& herd) const {
    for (Value memory : boundMemory(herd)) {
      const auto found = boundTo_.find(memory.impl());
      if (found == boundTo_.end()) continue;
      Operation& other = *units_[found->second].herds.front();
      if (air::HerdOp(&other).constantSizes() == air::HerdOp(&herd).constantSizes() &&
          pinOf(other) == pinOf(herd))
        return found->second;
    }
    return std::nullopt;
  }

  void linkCascades(Operation& scope) {
    std::map<Operation*, Ends> channels;
    scope.walk([&](Operation& op) {
      bool put = isa<air::ChannelPutOp>(&op);
      if (!put && !isa<air::ChannelGetOp>(&op)) return;
      air::HerdOp herd = op.parentOf<air::HerdOp>();
      if (!herd || !unitOf_.contains(herd.op())) return;
      air::ChannelOp channel = air::ChannelAccessOp(&op).channel();
      if (!channel || channel.canonicalType() != "npu_cascade") return;
      Ends& ends = channels[channel.op()];
      (put ? ends.producers : ends.consumers).insert(unitOf_.at(herd.op()));
    });
    for (auto& [channel, ends] : channels)
      for (size_t from : ends.producers)
        for (size_t to : ends.consumers)
          if (from != to) links_.insert({from, to, true});
  }

  /// The buffer lies with its first user; the others must reach it there.
  void linkSharedBuffers() {
    std::map<void*, size_t> firstUser;
    for (size_t unit = 0; unit < units_.size(); ++unit)
      for (Operation* herd : units_[unit].herds)
        for (Value operand : air::HerdOp(herd).kernelOperands()) {
          if (!memorySpaceOf(operand.type()) ||
              air::memoryLevel(operand.type()) != air::MemoryLevel::L1)
            continue;
          size_t first = firstUser.emplace(operand.impl(), unit).first->second;
          if (first != unit) links_.insert({first, unit, false});
        }
  }

  static std::optional<GridCell> pinOf(Operation& herd) {
    std::optional<int64_t> col = constantInt(herd.attr("x_loc"));
    std::optional<int64_t> row = constantInt(herd.attr("y_loc"));
    if (!col || !row) return std::nullopt;
    return GridCell{*col, *row};
  }

  LogicalResult takePins() {
    for (size_t unit = 0; unit < units_.size(); ++unit) {
      std::optional<GridCell> pin = pinOf(*units_[unit].herds.front());
      for (Operation* herd : units_[unit].herds)
        if (pinOf(*herd) != pin)
          return herd->emitOpError() << "disagrees with sibling air.herd '" << placed_[unit].name
                                     << "' about x_loc and y_loc";
      if (pin) takePin(unit, *pin);
    }
    return success();
  }

  void takePin(size_t unit, GridCell pin) {
    GridCell cell{pin.col - extent_.anchor.col, pin.row - extent_.anchor.row};
    if (placer_.fits(placed_[unit], cell)) return placer_.put(placed_[unit], cell);
    units_[unit].herds.front()->emitWarning()
        << "ignoring user-pinned x_loc/y_loc (" << pin.col << ", " << pin.row << ") on air.herd '"
        << placed_[unit].name << "': "
        << (placer_.inside(placed_[unit], cell) ? "position overlaps a previously-pinned herd"
                                                : "position is outside the segment")
        << " (segment anchor (" << extent_.anchor.col << ", " << extent_.anchor.row << "), extent "
        << extent_.cols << "x" << extent_.rows << ")";
  }

  void remarkApart(const HerdLink& apart) {
    context_.remark(*units_[apart.to].herds.front(),
                    "no place next to herd '" + placed_[apart.from].name + "', with which it " +
                        (apart.cascade ? "shares a cascade" : "shares L1 memory"));
  }

  void reportUnplaced(Operation& scope) {
    scope.emitError() << "No valid placement found.";
    std::vector<size_t> missing;
    for (size_t unit = 0; unit < units_.size(); ++unit)
      if (!placed_[unit].cell) missing.push_back(unit);
    std::stable_sort(missing.begin(), missing.end(), [&](size_t a, size_t b) {
      return placed_[a].cols * placed_[a].rows > placed_[b].cols * placed_[b].rows;
    });
    for (size_t unit : missing)
      for (Operation* herd : units_[unit].herds)
        herd->emitOpError() << "Unplaced herd: " << placed_[unit].name << ", " << placed_[unit].cols
                            << "x" << placed_[unit].rows << " cores on a grid of " << extent_.cols
                            << "x" << extent_.rows;
  }

  void write() {
    for (size_t unit = 0; unit < units_.size(); ++unit)
      for (Operation* herd : units_[unit].herds) {
        Builder builder(herd->context());
        GridCell cell = *placed_[unit].cell;
        herd->setAttr("x_loc", builder.i64Attr(cell.col + extent_.anchor.col));
        herd->setAttr("y_loc", builder.i64Attr(cell.row + extent_.anchor.row));
      }
  }

  Extent extent_;
  PassContext& context_;
  HerdPlacer placer_;
  std::vector<Unit> units_;
  std::vector<PlacedHerd> placed_;  // one for each unit
  std::map<std::string_view, size_t> byName_;
  std::map<Operation*, size_t> unitOf_;
  std::map<void*, size_t> boundTo_;  // the unit of L1 memory
  std::set<HerdLink> links_;
};

class PlaceHerds : public Pass {
 public:
  PlaceHerds() : Pass("air-place-herds", "Places herds on the array of cores") {
    anchor("builtin.module");
    option("num-rows", numRows_, "rows of cores in a segment");
    option("num-cols", numCols_, "columns of cores in a segment");
    option("row-anchor", rowAnchor_, "row of the lower left core");
    option("col-anchor", colAnchor_, "column of the lower left core");
    example("airlite-opt --air-place-herds='num-rows=6 num-cols=4 row-anchor=2' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (failed(checkOptions(module))) return PassResult::Failed;
    std::vector<Operation*> segments, herds;
    module.walk([&](Operation& op) {
      if (isa<air::SegmentOp>(&op)) segments.push_back(&op);
      if (isa<air::HerdOp>(&op) && !op.parentOf<air::SegmentOp>()) herds.push_back(&op);
    });
    for (Operation* segment : segments)
      if (failed(placeSegment(*segment, context))) return PassResult::Failed;
    for (Operation* herd : herds)
      if (failed(placeAlone(*herd, context))) return PassResult::Failed;
    return changedIf(!segments.empty() || !herds.empty());
  }

 private:
  static LogicalResult checkExtent(Operation& op, const Extent& extent) {
    if (extent.cols < 0 || extent.rows < 0 || extent.anchor.col < 0 || extent.anchor.row < 0)
      return op.emitError() << "expected a grid without negative sizes or anchors";
    if (extent.cols > kMaxExtent || extent.rows > kMaxExtent)
      return op.emitError() << "expected a grid of at most " << kMaxExtent << " columns and rows, "
                            << "found " << extent.cols << "x" << extent.rows;
    return success();
  }

  Extent extentOfOptions() const { return {numCols_, numRows_, {colAnchor_, rowAnchor_}}; }
  LogicalResult checkOptions(Operation& module) const {
    return checkExtent(module, extentOfOptions());
  }

  Extent extentOf(Operation& segment) const {
    Extent extent = extentOfOptions();
    auto read = [&](std::string_view name, int64_t& field) {
      field = constantInt(segment.attr(name)).value_or(field);
    };
    read("x_size", extent.cols);
    read("y_size", extent.rows);
    read("x_loc", extent.anchor.col);
    read("y_loc", extent.anchor.row);
    return extent;
  }

  LogicalResult placeSegment(Operation& segment, PassContext& context) {
    Extent extent = extentOf(segment);
    if (failed(checkExtent(segment, extent))) return failure();
    GridPlacement placement(extent, context);
    LogicalResult added = success();
    segment.walk([&](Operation& op) {
      if (isa<air::HerdOp>(&op) && succeeded(added)) added = placement.add(op);
    });
    if (failed(added)) return failure();
    placement.link(segment);
    bool complete = false;
    if (failed(placement.place(segment, complete))) return failure();
    Builder builder(segment.context());
    segment.setAttr("x_size", builder.i64Attr(extent.cols));
    segment.setAttr("y_size", builder.i64Attr(extent.rows));
    segment.setAttr("x_loc", builder.i64Attr(extent.anchor.col));
    segment.setAttr("y_loc", builder.i64Attr(extent.anchor.row));
    return success();
  }

  /// A herd with coordinates is taken to lie outside of the area that this pass gives away.
  LogicalResult placeAlone(Operation& herd, PassContext& context) {
    if (herd.hasAttr("x_loc") && herd.hasAttr("y_loc")) {
      context.remark(herd, "has a place already");
      return success();
    }
    GridPlacement placement(extentOfOptions(), context);
    bool complete = false;
    if (failed(placement.add(herd))) return failure();
    return placement.place(herd, complete);
  }

  int64_t numRows_ = 8;
  int64_t numCols_ = 10;
  int64_t rowAnchor_ = 0;
  int64_t colAnchor_ = 0;
};

}  // namespace

void registerPlaceHerds(PassRegistry& registry) { registry.add<PlaceHerds>(); }

}  // namespace airlite
