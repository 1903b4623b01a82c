// Counts the places of channels that end at each kind of tile (see TileDmas.hpp).
#include "airlite/analysis/TileDmas.hpp"

#include "ChannelPlaces.hpp"
#include "SymbolicValues.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace airlite::analysis {

namespace {

/// Places that one transfer is looked at in, one by one; cores of a herd.
constexpr int64_t kMostPlaces = 4096;
constexpr int64_t kMostCores = 1024;
/// Notes below an error; more would bury it.
constexpr size_t kMostNotes = 8;

using Numbers = std::map<AtomId, Polynomial>;

/// One end of a transfer at a tile.
struct End {
  Operation* op = nullptr;
  DmaSite site = DmaSite::Core;
  bool isIn = false;
};

std::optional<DmaSite> siteOf(Value memref) {
  std::optional<air::MemoryLevel> level = air::memoryLevel(memref.type());
  if (!level) return std::nullopt;
  if (*level == air::MemoryLevel::L1) return DmaSite::Core;
  return *level == air::MemoryLevel::L2 ? DmaSite::MemoryTiles : DmaSite::Shims;
}

void addEnd(Operation& op, Value memref, bool isIn, std::vector<End>& ends) {
  if (std::optional<DmaSite> site = siteOf(memref)) ends.push_back({&op, *site, isIn});
}

/// Ends of `op` that need a DMA channel.
void addEnds(Operation& op, std::vector<End>& ends) {
  if (air::DmaMemcpyNdOp dma = dynCast<air::DmaMemcpyNdOp>(&op)) {
    addEnd(op, dma.src().memref, false, ends);
    addEnd(op, dma.dst().memref, true, ends);
  } else if (isa<air::ChannelPutOp>(&op) || isa<air::ChannelGetOp>(&op)) {
    air::ChannelAccessOp access(&op);
    std::string_view type = access.channel() ? access.channel().canonicalType() : "";
    if (type == "npu_dma_stream" || type == "npu_dma_packet")
      addEnd(op, access.access().memref, !access.isPut(), ends);
  }
}

class DmaCounter {
 public:
  DmaCounter() : values_(atoms_) {}

  /// Those of `ends` that `core` of a herd has (no core: all).
  DmaDemand count(Operation& level, const std::vector<End>& ends, DmaSite site, bool isIn,
                  const Numbers& core) {
    DmaDemand demand{&level, site, isIn, 0, true, {}, {}};
    std::set<std::pair<Operation*, std::vector<int64_t>>> places;
    std::map<Operation*, Operation*> open;  // channels, and a transfer of unknown place
    Operation* shared = nullptr;
    for (const End& end : ends) {
      if (end.site != site || end.isIn != isIn || !runs(*end.op, level, core)) continue;
      air::ChannelAccessOp access = streamOf(*end.op);
      if (!access) {
        if (!shared) demand.parts.push_back({shared = end.op, 1});
        continue;
      }
      size_t before = places.size();
      if (!addPlaces(access, core, places)) open.try_emplace(access.channel().op(), end.op);
      if (places.size() > before)
        demand.parts.push_back({end.op, static_cast<int64_t>(places.size() - before)});
    }
    for (auto& [channel, op] : open) {
      demand.isExact = false;
      auto first = places.lower_bound({channel, {}});
      if (first == places.end() || first->first != channel) demand.parts.push_back({op, 1});
    }
    for (const DmaDemand::Part& part : demand.parts)
      demand.needed += part.places;
    demand.isExact &= shared == nullptr;
    return demand;
  }

  /// Ids of one core, in the first instance of what is around its herd: instances of a launch
  /// follow each other, those of a segment have tiles of their own.
  Numbers numbersOf(air::HierarchyOp level, const std::vector<int64_t>& index) {
    Numbers numbers;
    for (unsigned i = 0; i < index.size(); ++i)
      numbers[atoms_.atomOf(level.id(i))] = Polynomial::constant(index[i]);
    for (Operation* up = level->parentOp(); up; up = up->parentOp())
      if (air::HierarchyOp outer = air::asHierarchy(up))
        for (unsigned i = 0; i < outer.numDims(); ++i)
          numbers[atoms_.atomOf(outer.id(i))] = {};
    return numbers;
  }

 private:
  /// Null for what may share a DMA channel.
  static air::ChannelAccessOp streamOf(Operation& op) {
    if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) return {};
    air::ChannelAccessOp access(&op);
    return access.channel().canonicalType() == "npu_dma_stream" ? access : air::ChannelAccessOp();
  }

  /// False when conditions around say that this core never comes to it.
  bool runs(Operation& op, Operation& level, const Numbers& core) {
    if (core.empty()) return true;
    for (Operation* at = &op; at != &level && at->parentOp() != &level; at = at->parentOp()) {
      Operation& around = *at->parentOp();
      Polynomial condition = Polynomial::unknown();
      if (isa<scf::IfOp>(&around)) condition = values_.read(around.operand(0));
      if (isa<affine::IfOp>(&around)) condition = values_.contains(affine::IfOp(&around));
      std::optional<int64_t> holds = atoms_.substitute(condition, core).asConstant();
      bool isThen = around.numRegions() > 0 && at->block()->parent() == &around.region(0);
      if (holds && (*holds != 0) != isThen) return false;
    }
    return true;
  }

  /// False when not all of its places can be told.
  bool addPlaces(air::ChannelAccessOp access, const Numbers& core,
                 std::set<std::pair<Operation*, std::vector<int64_t>>>& places) {
    std::vector<Polynomial> index;
    std::vector<Value> open;
    for (Value value : access.indices()) {
      index.push_back(atoms_.substitute(values_.read(value), core));
      for (Value symbol : atoms_.valuesOf(index.back()))
        if (std::find(open.begin(), open.end(), symbol) == open.end()) open.push_back(symbol);
    }
    std::vector<SymbolRange> ranges;
    int64_t total = 1;
    for (Value symbol : open) {
      std::optional<SymbolRange> range = ranges_.rangeOf(symbol);
      if (!range || range->count > kMostPlaces || (total *= range->count) > kMostPlaces)
        return false;
      ranges.push_back(*range);
    }
    bool isKnown = true;
    for (int64_t i = 0; i < total; ++i) {
      Numbers numbers;
      int64_t rest = i;
      for (size_t d = 0; d < open.size(); ++d) {
        int64_t number = ranges[d].lower + rest % ranges[d].count * ranges[d].step;
        numbers[atoms_.atomOf(open[d])] = Polynomial::constant(number);
        rest /= ranges[d].count;
      }
      isKnown &= addPlace(access, index, numbers, places);
    }
    return isKnown;
  }

  bool addPlace(air::ChannelAccessOp access, const std::vector<Polynomial>& index,
                const Numbers& numbers,
                std::set<std::pair<Operation*, std::vector<int64_t>>>& places) {
    std::vector<int64_t> at;
    for (const Polynomial& each : index) {
      std::optional<int64_t> number = atoms_.substitute(each, numbers).asConstant();
      if (!number) return false;
      at.push_back(*number);
    }
    std::optional<ChannelPlace> place = placeOf(access.channel(), access.isPut(), at);
    if (!place) return false;
    place->index.push_back(access.isPut() ? 0 : place->destination);
    places.insert({access.channel().op(), std::move(place->index)});
    return true;
  }

  Atoms atoms_;
  SymbolicValues values_;
  LinearReader ranges_;
};

/// Of one herd: the core that needs most.
void addCores(air::HerdOp herd, const std::vector<End>& ends, DmaCounter& counter,
              std::vector<DmaDemand>& demands) {
  std::vector<int64_t> sizes = herd.constantSizes().value_or(std::vector<int64_t>());
  int64_t cores = 1;
  for (int64_t size : sizes)
    cores = size > 0 && size <= kMostCores ? cores * size : kMostCores + 1;
  bool isEach = !sizes.empty() && cores <= kMostCores;
  for (bool isIn : {true, false}) {
    DmaDemand most;
    for (int64_t i = 0; i < (isEach ? cores : 1); ++i) {
      std::vector<int64_t> core;
      int64_t rest = i;
      for (size_t d = 0; isEach && d < sizes.size(); rest /= sizes[d++])
        core.push_back(rest % sizes[d]);
      // Without numbers for the ids, a place that depends on them is not constant: one at least.
      DmaDemand demand =
          counter.count(*herd, ends, DmaSite::Core, isIn, counter.numbersOf(herd, core));
      demand.core = core;
      if (demand.needed > most.needed) most = std::move(demand);
    }
    if (most.needed > 0 && isEach) demands.push_back(std::move(most));
  }
}

}  // namespace

std::vector<DmaDemand> findDmaDemands(Operation& root) {
  std::map<Operation*, std::vector<End>> byHerd, byLaunch;
  std::vector<Operation*> herds, launches;
  root.walk(
      [&](Operation& op) {
        if (isa<air::HerdOp>(&op)) herds.push_back(&op);
        if (isa<air::LaunchOp>(&op)) launches.push_back(&op);
        std::vector<End> ends;
        addEnds(op, ends);
        if (ends.empty()) return;
        air::HerdOp herd = op.parentOf<air::HerdOp>();
        air::LaunchOp launch = op.parentOf<air::LaunchOp>();
        for (const End& end : ends) {
          if (herd && end.site == DmaSite::Core) byHerd[herd.op()].push_back(end);
          if (launch && end.site != DmaSite::Core) byLaunch[launch.op()].push_back(end);
        }
      },
      WalkOrder::PreOrder);
  DmaCounter counter;
  std::vector<DmaDemand> demands;
  for (Operation* herd : herds)
    addCores(air::HerdOp(herd), byHerd[herd], counter, demands);
  for (Operation* launch : launches)
    for (DmaSite site : {DmaSite::MemoryTiles, DmaSite::Shims})
      for (bool isIn : {true, false}) {
        air::LaunchOp level(launch);
        Numbers first = counter.numbersOf(level, std::vector<int64_t>(level.numDims(), 0));
        DmaDemand demand = counter.count(*launch, byLaunch[launch], site, isIn, first);
        if (demand.needed > 0) demands.push_back(std::move(demand));
      }
  return demands;
}

// -- Against a device -----------------------------------------------------------------------------

namespace {

std::optional<int64_t> limitOf(const DmaDemand& demand, const DeviceLimits& device) {
  const DmaLimits& limits = device.dmasOf(demand.site);
  return demand.isIn ? limits.in : limits.out;
}

std::string channelsText(int64_t count, bool isIn) {
  return std::to_string(count) + " DMA channel" + (count == 1 ? "" : "s") +
         (isIn ? " into " : " out of ");
}

std::string siteText(const DmaDemand& demand) {
  if (demand.site != DmaSite::Core) return demand.site == DmaSite::Shims ? "shims" : "memory tiles";
  std::string index;
  for (int64_t i : demand.core)
    index += (index.empty() ? "" : ", ") + std::to_string(i);
  return "core (" + index + ")";
}

std::string partText(const DmaDemand::Part& part) {
  std::string text = "'" + std::string(part.op->name()) + "'";
  if (isa<air::DmaMemcpyNdOp>(part.op)) return text + " needs one, with others like it";
  air::ChannelAccessOp access(part.op);
  text += (access.isPut() ? " sends to " : " takes from ");
  if (part.places != 1) text += std::to_string(part.places) + " places of ";
  return text + "'@" + std::string(access.channelName()) + "'";
}

}  // namespace

bool fits(const DmaDemand& demand, const DeviceLimits& device) {
  std::optional<int64_t> limit = limitOf(demand, device);
  return !limit || demand.needed <= *limit;
}

LogicalResult checkDmaDemands(const std::vector<DmaDemand>& demands, const DeviceLimits& device) {
  bool isFine = true;
  for (const DmaDemand& demand : demands) {
    if (fits(demand, device)) continue;
    isFine = false;
    InFlightDiagnostic error = demand.level->emitOpError();
    error << "needs " << (demand.isExact ? "" : "at least ")
          << channelsText(demand.needed, demand.isIn) << siteText(demand) << ", but "
          << (demand.site == DmaSite::Core ? "a core of " : "") << device.name << " has "
          << *limitOf(demand, device);
    for (size_t i = 0; i < demand.parts.size() && i < kMostNotes; ++i)
      error.note(demand.parts[i].op->location()) << partText(demand.parts[i]);
    if (demand.parts.size() > kMostNotes)
      error.note(demand.parts[kMostNotes].op->location())
          << "and " << demand.parts.size() - kMostNotes << " more, from this one on";
  }
  return isFine ? success() : failure();
}

}  // namespace airlite::analysis
