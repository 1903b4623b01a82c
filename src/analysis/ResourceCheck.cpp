// What a program holds, against what a device has.
#include "airlite/analysis/Resources.hpp"
#include "airlite/analysis/TokenLists.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Symbols.hpp"

#include <set>

namespace airlite::analysis {

namespace {

/// Notes below an error; more would bury it.
constexpr size_t kMaxNotes = 8;

class OverflowFinder {
 public:
  OverflowFinder(const ResourceAnalysis& analysis, const DeviceLimits& device)
      : analysis_(analysis), device_(device) {}

  std::vector<Overflow> find() {
    for (size_t i = analysis_.levels.size(); i-- > 0;)
      checkLevel(i);
    return {found_.rbegin(), found_.rend()};
  }

 private:
  using Scope = Overflow::Scope;

  void checkLevel(size_t number) {
    const ResourceFootprint& level = analysis_.levels[number];
    if (isa<air::HerdOp>(level.op)) {
      check(number, Resource::L1Bytes, level.total, Scope::Core, device_.device[Resource::L1Bytes]);
      for (Resource resource : kResources)
        check(number, resource, level.total, Scope::Herd, device_.herd[resource]);
    }
    if (isa<air::SegmentOp>(level.op)) checkSegment(number);
    for (Resource resource : kResources)
      if (resource != Resource::L1Bytes)
        check(number, resource, level.total, Scope::Device, device_.device[resource]);
  }

  void checkSegment(size_t number) {
    const ResourceFootprint& level = analysis_.levels[number];
    if (level.reservedTiles && level.neededTiles.value > *level.reservedTiles)
      add(number, {&level, Resource::ComputeTiles, Scope::Reserved, level.neededTiles.value,
                   level.neededTiles.isExact, *level.reservedTiles});
    for (Resource resource : kResources)
      if (level.isLeaf)
        check(number, resource, level.perInstance, Scope::Segment, device_.segment[resource]);
  }

  void check(size_t number, Resource resource, const Amounts& amounts, Scope scope,
             std::optional<int64_t> limit) {
    const Amount& amount = amounts[resource];
    if (!limit || amount.value <= *limit) return;
    add(number, {&analysis_.levels[number], resource, scope, amount.value, amount.isExact, *limit});
  }

  /// What overflows inside overflows around it too, and is said once.
  void add(size_t number, const Overflow& overflow) {
    if (known_.contains({number, overflow.resource})) return;
    found_.push_back(overflow);
    for (; number != ResourceFootprint::kNone; number = analysis_.levels[number].parent)
      known_.insert({number, overflow.resource});
  }

  const ResourceAnalysis& analysis_;
  const DeviceLimits& device_;
  std::vector<Overflow> found_;
  std::set<std::pair<size_t, Resource>> known_;
};

// -- Messages -------------------------------------------------------------------------------------

std::string title(const Operation& op) {
  std::string_view name = symbolName(op);
  return "'" + std::string(op.name()) + "'" + (name.empty() ? "" : " @" + std::string(name));
}

std::string limitText(const Overflow& overflow, const DeviceLimits& device) {
  std::string limit = std::to_string(overflow.limit);
  switch (overflow.scope) {
    case Overflow::Scope::Device:
    case Overflow::Scope::Core: return device.name + " has " + limit;
    case Overflow::Scope::Segment: return "a segment on " + device.name + " has " + limit;
    case Overflow::Scope::Herd: return "a herd on " + device.name + " has " + limit;
    case Overflow::Scope::Reserved: return "its x_size and y_size reserve " + limit;
  }
  return limit;
}

std::string demandText(const Overflow& overflow) {
  std::string text = "needs ";
  if (!overflow.isExact) text += "at least ";
  text += countText(overflow.needed, overflow.resource);
  bool isOfInstance =
      overflow.scope == Overflow::Scope::Segment || overflow.scope == Overflow::Scope::Reserved;
  if (isOfInstance && overflow.level->instances != 1) text += " in each of its instances";
  return text;
}

void addNotes(InFlightDiagnostic& error, const std::vector<Contributor>& parts, Resource resource) {
  for (size_t i = 0; i < parts.size() && i < kMaxNotes; ++i) {
    const Contributor& part = parts[i];
    int64_t instances = part.instances;
    error.note(part.op->location())
        << title(*part.op) << " holds " << countText(part.amount, resource);
    if (instances != 1) error << ", " << instances << " times at once";
  }
  if (parts.size() > kMaxNotes)
    error.note(parts[kMaxNotes].op->location())
        << "and " << parts.size() - kMaxNotes << " more, from this one on";
}

std::vector<Contributor> partsOf(const Overflow& overflow, const ResourceAnalysis& analysis) {
  const ResourceFootprint& level = *overflow.level;
  if (overflow.scope == Overflow::Scope::Reserved) return level.neededTiles.contributors;
  std::vector<Contributor> parts = analysis.leaves(level, overflow.resource);
  if (overflow.scope != Overflow::Scope::Segment) return parts;
  for (Contributor& part : parts)
    part.instances /= std::max<int64_t>(1, level.instances);
  return parts;
}

}  // namespace

std::vector<Overflow> findOverflows(const ResourceAnalysis& analysis, const DeviceLimits& device) {
  return OverflowFinder(analysis, device).find();
}

std::string_view fitName(Fit fit) {
  switch (fit) {
    case Fit::Yes: return "yes";
    case Fit::No: return "no";
    case Fit::NotProven: return "not proven";
  }
  return "";
}

Fit fitOf(const ResourceAnalysis& analysis, const DeviceLimits& device) {
  if (!findOverflows(analysis, device).empty()) return Fit::No;
  for (const DmaDemand& demand : analysis.dmas)
    if (!fits(demand, device)) return Fit::No;
  for (const ResourceFootprint& level : analysis.levels)
    for (Resource resource : kResources) {
      bool isLimited = device.device[resource] || device.segment[resource] || device.herd[resource];
      if (isLimited && !level.total[resource].isExact) return Fit::NotProven;
      bool isReserved = resource == Resource::ComputeTiles && level.reservedTiles;
      if (isReserved && !level.neededTiles.isExact) return Fit::NotProven;
    }
  return Fit::Yes;
}

LogicalResult checkResources(const ResourceAnalysis& analysis, const DeviceLimits& device,
                             CheckedResources which) {
  std::vector<Overflow> overflows = findOverflows(analysis, device);
  if (which == CheckedResources::Memory)
    std::erase_if(overflows, [](const Overflow& overflow) {
      return overflow.resource != Resource::L1Bytes && overflow.resource != Resource::L2Bytes;
    });
  for (const Overflow& overflow : overflows) {
    InFlightDiagnostic error = overflow.level->op->emitOpError();
    error << demandText(overflow) << ", but " << limitText(overflow, device);
    addNotes(error, partsOf(overflow, analysis), overflow.resource);
  }
  return overflows.empty() ? success() : failure();
}

LogicalResult verifyResources(Operation& root, const DeviceLimits* device, CheckedResources which) {
  ResourceAnalysis analysis = device ? analyseResources(root) : ResourceAnalysis();
  LogicalResult fits = device ? checkResources(analysis, *device, which) : success();
  LogicalResult streams = device && which == CheckedResources::All
                              ? checkDmaDemands(analysis.dmas, *device)
                              : success();
  LogicalResult lists = checkTokenLists(root, analysis, device);
  return succeeded(fits) && succeeded(streams) && succeeded(lists) ? success() : failure();
}

}  // namespace airlite::analysis
