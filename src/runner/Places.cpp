#include "runner/Places.hpp"

#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace airlite::runner {
namespace {

using analysis::Instance;
using analysis::InstanceId;

bool isCore(const Instance& instance) { return instance.op && isa<air::HerdOp>(instance.op); }
bool isSegment(const Instance& instance) { return instance.op && isa<air::SegmentOp>(instance.op); }

std::string nameOf(Operation& op) {
  const std::string_view symbol = air::HierarchyOp(&op).symbol();
  return symbol.empty() ? std::string() : fmt::format(" @{}", symbol);
}

int64_t attributeOf(Operation& op, const char* name) {
  const auto attribute = op.attrOf<IntegerAttr>(name);
  return attribute ? attribute.value() : 0;
}

/// Rows and columns: the second and the first dimension.
std::pair<uint64_t, uint64_t> shapeOf(Operation& herd) {
  const auto sizes = air::HierarchyOp(&herd).constantSizes().value_or(std::vector<int64_t>());
  return {sizes.size() > 1 ? uint64_t(sizes[1]) : 1, sizes.empty() ? 1 : uint64_t(sizes[0])};
}

uint64_t ceilDiv(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

}  // namespace

Places::Places(const analysis::Unfolding& events, const Machine& machine,
               std::vector<std::string>& names)
    : events_(events), machine_(machine), names_(names) {
  add("host");
  for (const Instance& instance : events.instances) {
    const bool isInner = instance.outer != analysis::kNone;
    std::optional<size_t> launch = isInner ? launchOf_[instance.outer] : std::nullopt;
    if (instance.op && isa<air::LaunchOp>(instance.op)) launch = numLaunches_++;
    launchOf_.push_back(launch);
    uint32_t place = isInner ? placeOf_[instance.outer] : 0;
    if (isSegment(instance)) place = add("segment" + nameOf(*instance.op));
    if (isCore(instance))
      place = add(fmt::format("core ({}){}", fmt::join(instance.index, ","),
                              nameOf(*instance.op).empty() ? "" : " of" + nameOf(*instance.op)));
    placeOf_.push_back(place);
  }
}

/// Instances of several launches at one place share it.
uint32_t Places::add(std::string name) {
  const auto [known, isNew] = numbers_.try_emplace(std::move(name), uint32_t(names_.size()));
  if (isNew) names_.push_back(known->first);
  return known->second;
}

InstanceId Places::around(InstanceId instance, bool wantsCore) const {
  for (; instance != analysis::kNone; instance = events_.instances[instance].outer)
    if (wantsCore ? isCore(events_.instances[instance]) : isSegment(events_.instances[instance]))
      break;
  return instance;
}

std::optional<uint32_t> Places::coreOf(InstanceId instance) const {
  const InstanceId core = around(instance, true);
  return core == analysis::kNone ? std::nullopt : std::optional(placeOf_[core]);
}

std::pair<uint32_t, uint64_t> Places::ownerOf(air::MemoryLevel level, InstanceId instance) const {
  const InstanceId core = around(instance, true), segment = around(instance, false);
  if (level == air::MemoryLevel::L1 && core != analysis::kNone) return {placeOf_[core], 1};
  if (level == air::MemoryLevel::L3 || segment == analysis::kNone) return {0, 1};
  return {placeOf_[segment], unitsOf(*events_.instances[segment].op)};
}

/// Units that a segment reserves: those that its tiles fill, or that its largest herd does.
uint64_t Places::unitsOf(Operation& segment) const {
  uint64_t rows = uint64_t(std::max<int64_t>(0, attributeOf(segment, "y_size"))),
           columns = uint64_t(std::max<int64_t>(0, attributeOf(segment, "x_size")));
  if (rows == 0 || columns == 0)
    segment.walk([&](Operation& op) {
      if (!isa<air::HerdOp>(&op)) return;
      const auto [r, c] = shapeOf(op);
      rows = std::max(rows, r), columns = std::max(columns, c);
    });
  rows = std::max<uint64_t>(1, rows), columns = std::max<uint64_t>(1, columns);
  return ceilDiv(rows, machine_.tiles[0]) * ceilDiv(columns, machine_.tiles[1]);
}

bool Places::check() const {
  std::set<Operation*> seen;
  bool isFine = true;
  for (const Instance& instance : events_.instances) {
    if (!instance.op || !seen.insert(instance.op).second) continue;
    if (isSegment(instance)) isFine &= checkSegment(*instance.op);
    if (isCore(instance)) isFine &= checkHerd(*instance.op);
  }
  return isFine;
}

bool Places::checkSegment(Operation& op) const {
  const uint64_t units = unitsOf(op);
  if (units <= machine_.numUnits()) return true;
  op.emitOpError() << "needs " << units << " units of " << machine_.name << ", which has "
                   << machine_.numUnits();
  return false;
}

bool Places::checkHerd(Operation& op) const {
  const auto [rows, columns] = shapeOf(op);
  Operation* segment = op.parentOfName("air.segment");
  const uint64_t units = segment ? unitsOf(*segment) : machine_.numUnits();
  const uint64_t tiles = units * machine_.tilesOfUnit();
  if (rows * columns <= tiles) return true;
  op.emitOpError() << "needs " << rows * columns << " tiles of " << machine_.name << ", its "
                   << (segment ? "segment" : "array") << " has " << tiles;
  return false;
}

}  // namespace airlite::runner
