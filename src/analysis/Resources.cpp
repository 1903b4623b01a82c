// The levels of a program from the inside out: what each holds directly, the most of it that can be
// held at once (BodySchedule), times the iteration space.
#include "airlite/analysis/Resources.hpp"

#include "BodySchedule.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>

namespace airlite::analysis {

using graph::kNoNode;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

namespace {

constexpr size_t index(Resource resource) { return static_cast<size_t>(resource); }

// -- Memory ---------------------------------------------------------------------------------------

struct Bytes {
  int64_t count = 0;
  bool isKnown = true;
};

/// What an allocation of that type takes. Elements below a byte take a byte.
Bytes bytesOf(Type type) {
  MemRefType memref = type.dynCast<MemRefType>();
  if (!memref || !memref.hasStaticShape()) return {0, false};
  Type element = memref.elementType();
  int64_t elements = memref.numElements();
  if (VectorType vector = element.dynCast<VectorType>()) {
    elements = timesHeld(elements, vector.numElements());
    element = vector.elementType();
  }
  if (!element.isIntOrIndexOrFloat()) return {0, false};
  return {timesHeld(elements, (element.bitWidth() + 7) / 8)};
}

/// An allocation in L1 or L2, and the ops that free it.
struct Allocation {
  Operation* op = nullptr;
  Value memref;
  air::MemoryLevel level = air::MemoryLevel::L2;
  Bytes bytes;
  NodeId node = kNoNode;
  std::vector<Operation*> frees = {};
  std::vector<NodeId> freeNodes = {};
};

/// All allocations of a program, by the body that they stand in.
class Allocations {
 public:
  Allocations(Operation& root, const LevelGraph& program) : program_(program) {
    root.walk([&](Operation& op) { read(op); }, WalkOrder::PreOrder);
    for (auto [op, memref] : frees_)
      addFree(*op, memref);
    for (size_t i = 0; i < all_.size(); ++i)
      if (all_[i].node != kNoNode)
        byLevel_[program.levelOf[program.acdg.nodes[all_[i].node].scope]].push_back(i);
  }

  std::vector<Allocation*> in(ScopeId level) {
    std::vector<Allocation*> found;
    auto it = byLevel_.find(level);
    if (it == byLevel_.end()) return found;
    for (size_t i : it->second)
      found.push_back(&all_[i]);
    return found;
  }

 private:
  void read(Operation& op) {
    effects_.clear();
    if (!effectsOf(op, effects_)) return;
    for (const EffectInstance& effect : effects_) {
      if (!effect.value || !effect.value.type().isa<MemRefType>()) continue;
      if (effect.effect == Effect::Free) frees_.push_back({&op, effect.value});
      if (effect.effect == Effect::Allocate) addAllocation(op, effect.value);
    }
  }

  void addAllocation(Operation& op, Value memref) {
    std::optional<air::MemoryLevel> level = air::memoryLevel(memref.type());
    if (!level || *level == air::MemoryLevel::L3) return;
    numberOf_[memref] = all_.size();
    all_.push_back({&op, memref, *level, bytesOf(memref.type()), program_.nodeAround(&op)});
  }

  void addFree(Operation& op, Value memref) {
    auto it = numberOf_.find(reader_.bufferOf(memref).value);
    if (it == numberOf_.end() || all_[it->second].node == kNoNode) return;
    Allocation& allocation = all_[it->second];
    allocation.frees.push_back(&op);
    NodeId node = program_.nodeAround(&op);
    // Freed in a level inside, or around: where it is seen from the allocation's own body.
    ScopeId level = program_.levelOf[program_.acdg.nodes[allocation.node].scope];
    while (node != kNoNode && program_.levelOf[program_.acdg.nodes[node].scope] != level)
      node = program_.acdg.scopes[program_.levelOf[program_.acdg.nodes[node].scope]].owner;
    if (node != kNoNode) allocation.freeNodes.push_back(node);
  }

  const LevelGraph& program_;
  AccessReader reader_;
  std::vector<Allocation> all_;
  std::vector<std::pair<Operation*, Value>> frees_;
  std::unordered_map<Value, size_t> numberOf_;
  std::unordered_map<ScopeId, std::vector<size_t>> byLevel_;
  std::vector<EffectInstance> effects_;
};

/// Of allocations that are made and freed inside one node, in the order of its program: those that
/// are there when there are most bytes.
std::vector<Allocation*> mostAtOnce(Operation& root, const std::vector<Allocation*>& allocations) {
  std::unordered_map<const Operation*, std::vector<std::pair<Allocation*, bool>>> events;
  for (Allocation* allocation : allocations) {
    events[allocation->op].push_back({allocation, true});
    events[allocation->frees.back()].push_back({allocation, false});
  }
  std::vector<Allocation*> now, most;
  int64_t bytes = 0, mostBytes = -1;
  root.walk(
      [&](Operation& op) {
        auto it = events.find(&op);
        if (it == events.end()) return;
        for (auto [allocation, isMade] : it->second) {
          bytes += isMade ? allocation->bytes.count : -allocation->bytes.count;
          if (isMade)
            now.push_back(allocation);
          else
            std::erase(now, allocation);
        }
        if (bytes > mostBytes) most = now, mostBytes = bytes;
      },
      WalkOrder::PreOrder);
  return most;
}

// -- Levels ---------------------------------------------------------------------------------------

bool usesDma(air::ChannelAccessOp op, std::unordered_map<std::string_view, bool>& knownChannels) {
  auto [slot, isNew] = knownChannels.try_emplace(op.channelName(), true);
  if (!isNew) return slot->second;
  air::ChannelOp channel = op.channel();
  std::string_view type = channel ? channel.canonicalType() : "npu_dma_stream";
  return slot->second = type == "npu_dma_stream" || type == "npu_dma_packet";
}

std::optional<int64_t> placement(Operation& op, std::string_view name) {
  IntegerAttr number = op.attrOf<IntegerAttr>(name);
  return number ? std::optional(number.value()) : std::nullopt;
}

class Analyser {
 public:
  explicit Analyser(Operation& root)
      : program_(root), scheduler_(program_), allocations_(root, program_) {}

  ResourceAnalysis analyse() {
    addLevels();
    // A level comes after the one around it.
    for (size_t i = analysis_.levels.size(); i-- > 0;)
      analyseLevel(analysis_.levels[i]);
    return std::move(analysis_);
  }

 private:
  void addLevels() {
    const graph::Acdg& acdg = program_.acdg;
    for (NodeId id = 0; id < acdg.nodes.size(); ++id) {
      bool counts = program_.isLevel(id) && acdg.nodes[id].kind != NodeKind::Rank;
      if (!counts) continue;
      ResourceFootprint level{.op = acdg.nodes[id].op};
      NodeId owner = acdg.scopes[program_.levelOf[acdg.nodes[id].scope]].owner;
      if (auto it = numberOf_.find(owner); it != numberOf_.end()) level.parent = it->second;
      bool isSegment = acdg.nodes[id].kind == NodeKind::Segment;
      if (level.parent != ResourceFootprint::kNone && isSegment)
        analysis_.levels[level.parent].isLeaf = false;
      numberOf_[id] = analysis_.levels.size();
      nodes_.push_back(id);
      analysis_.levels.push_back(std::move(level));
    }
  }

  void analyseLevel(ResourceFootprint& level) {
    NodeId id = nodes_[&level - analysis_.levels.data()];
    ScopeId body = program_.bodies[id].front();
    std::vector<Holding> holdings;
    addNested(level, body, holdings);
    addMemory(level, body, holdings);
    bool isLaunch = isa<air::LaunchOp>(level.op);
    Peak peak = scheduler_.peakOf(body, std::move(holdings), isLaunch);
    level.open.insert(level.open.end(), peak.open.begin(), peak.open.end());
    for (Resource resource : kResources)
      merge(level.perInstance[resource], std::move(peak.amounts[resource]));
    level.neededTiles = level.perInstance[Resource::ComputeTiles];
    if (isa<air::HerdOp>(level.op)) countCore(level);
    if (isa<air::SegmentOp>(level.op)) reserveTiles(level);
    if (!isLaunch) countInstances(level);
    scale(level);
  }

  /// L1 of the cores inside is there already.
  static void merge(Amount& amount, Amount&& found) {
    bool isExact = amount.isExact && found.isExact;
    if (found.value > amount.value || amount.contributors.empty()) amount = std::move(found);
    amount.isExact = isExact;
  }

  // -- What a body holds -------------------------------------------------------------------------

  void collectNodes(ScopeId scope, std::vector<NodeId>& nodes) const {
    for (NodeId id : program_.acdg.scopes[scope].nodes) {
      nodes.push_back(id);
      if (program_.isLevel(id)) continue;
      for (ScopeId inner : program_.bodies[id])
        collectNodes(inner, nodes);
    }
  }

  void addNested(ResourceFootprint& level, ScopeId body, std::vector<Holding>& holdings) {
    std::vector<NodeId> nodes;
    collectNodes(body, nodes);
    for (NodeId id : nodes) {
      NodeKind kind = program_.acdg.nodes[id].kind;
      Operation* op = program_.acdg.nodes[id].op;
      if (auto it = numberOf_.find(id); it != numberOf_.end())
        addLevel(level, analysis_.levels[it->second], id, holdings);
      bool isEnd = kind == NodeKind::Put || kind == NodeKind::Get;
      bool moves =
          kind == NodeKind::Dma || (isEnd && usesDma(air::ChannelAccessOp(op), channelsWithDma_));
      // Transfers of a launch itself are queued by the host; section 2.2 is about segments.
      if (!moves || isa<air::LaunchOp>(level.op)) continue;
      holdings.push_back({.op = op, .begin = id});
      holdings.back().amount[index(Resource::DmaChannels)] = 1;
    }
  }

  static void addLevel(ResourceFootprint& outer, const ResourceFootprint& inner, NodeId id,
                       std::vector<Holding>& holdings) {
    Holding holding{.op = inner.op, .begin = id};
    for (Resource resource : kResources) {
      holding.amount[index(resource)] = inner.total[resource].value;
      holding.isExact[index(resource)] = inner.total[resource].isExact;
    }
    // Cores have an L1 each: the largest counts, not what is there at once.
    Amount& core = outer.perInstance[Resource::L1Bytes];
    int64_t bytes = std::exchange(holding.amount[index(Resource::L1Bytes)], 0);
    if (bytes > core.value) core = {bytes, core.isExact, {{inner.op, bytes, 1}}};
    holdings.push_back(std::move(holding));
  }

  void addMemory(ResourceFootprint& level, ScopeId body, std::vector<Holding>& holdings) {
    std::map<NodeId, std::vector<Allocation*>> within;
    for (Allocation* allocation : allocations_.in(body)) {
      if (!isCounted(level, *allocation)) continue;
      bool isWithin = !allocation->freeNodes.empty() &&
                      std::all_of(allocation->freeNodes.begin(), allocation->freeNodes.end(),
                                  [&](NodeId id) { return id == allocation->node; });
      if (isWithin)
        within[allocation->node].push_back(allocation);
      else
        addAllocation(*allocation, holdings);
    }
    for (const auto& [id, list] : within)
      for (Allocation* allocation : mostAtOnce(*program_.acdg.nodes[id].op, list))
        addAllocation(*allocation, holdings);
  }

  static Resource resourceOf(const Allocation& allocation) {
    return allocation.level == air::MemoryLevel::L1 ? Resource::L1Bytes : Resource::L2Bytes;
  }

  bool isCounted(ResourceFootprint& level, const Allocation& allocation) {
    Resource resource = resourceOf(allocation);
    bool isOutside = resource == Resource::L1Bytes && !isa<air::HerdOp>(level.op);
    if (!isOutside && allocation.bytes.isKnown) return true;
    level.perInstance[resource].isExact = false;
    level.open.push_back({allocation.op, resource,
                          isOutside ? "stands outside a herd: how much of it each core holds is "
                                      "not known"
                                    : "has a size that is not constant"});
    return false;
  }

  static void addAllocation(const Allocation& allocation, std::vector<Holding>& holdings) {
    Holding holding{.op = allocation.op, .begin = allocation.node, .frees = allocation.freeNodes};
    holding.isMemory = true;
    holding.amount[index(resourceOf(allocation))] = allocation.bytes.count;
    holdings.push_back(std::move(holding));
  }

  // -- From one instance to all ------------------------------------------------------------------

  static void countCore(ResourceFootprint& level) {
    level.perInstance[Resource::ComputeTiles] = {1, true, {{level.op, 1, 1}}};
    level.neededTiles = level.perInstance[Resource::ComputeTiles];
  }

  static void reserveTiles(ResourceFootprint& level) {
    std::optional<int64_t> columns = placement(*level.op, "x_size");
    std::optional<int64_t> rows = placement(*level.op, "y_size");
    if (!columns || !rows) return;
    level.reservedTiles = timesHeld(*columns, *rows);
    level.perInstance[Resource::ComputeTiles] = {
        *level.reservedTiles, true, {{level.op, *level.reservedTiles, 1}}};
  }

  void countInstances(ResourceFootprint& level) {
    std::optional<int64_t> points = constantPoints(*level.op, program_.indices);
    level.instances = points.value_or(1);
    if (points) return;
    for (Resource resource : kResources) {
      Amount& amount = level.perInstance[resource];
      if (resource == Resource::L1Bytes || amount.value == 0) continue;
      level.total[resource].isExact = false;
      level.open.push_back({level.op, resource, "has an iteration space that is not constant"});
    }
  }

  static void scale(ResourceFootprint& level) {
    for (Resource resource : kResources) {
      const Amount& one = level.perInstance[resource];
      bool isOfCore = resource == Resource::L1Bytes;
      level.total[resource].value = isOfCore ? one.value : timesHeld(one.value, level.instances);
      level.total[resource].isExact &= one.isExact;
    }
  }

  LevelGraph program_;
  BodyScheduler scheduler_;
  Allocations allocations_;
  ResourceAnalysis analysis_;
  std::vector<NodeId> nodes_;                    // of each level
  std::unordered_map<NodeId, size_t> numberOf_;  // of the level of a node
  std::unordered_map<std::string_view, bool> channelsWithDma_;
};

}  // namespace

ResourceAnalysis analyseResources(Operation& root) {
  ResourceAnalysis analysis = Analyser(root).analyse();
  analysis.dmas = findDmaDemands(root);
  return analysis;
}

const ResourceFootprint* ResourceAnalysis::find(const Operation* op) const {
  auto it = std::find_if(levels.begin(), levels.end(),
                         [&](const ResourceFootprint& level) { return level.op == op; });
  return it == levels.end() ? nullptr : &*it;
}

namespace {
/// The tiles of a herd, and those that a segment reserves, are not made up of anything.
bool holdsItself(const ResourceFootprint& level, Resource resource) {
  const std::vector<Contributor>& parts = level.perInstance[resource].contributors;
  return parts.size() == 1 && parts.front().op == level.op;
}
}  // namespace

std::vector<Contributor> ResourceAnalysis::leaves(const ResourceFootprint& level,
                                                  Resource resource) const {
  struct Part {
    const ResourceFootprint* level;
    int64_t times;
  };
  std::vector<Contributor> found;
  std::vector<Part> parts{{&level, 1}};
  while (!parts.empty()) {
    auto [at, times] = parts.back();
    parts.pop_back();
    // The instances of a core are not added up.
    bool isOfCore = resource == Resource::L1Bytes;
    int64_t inside = isOfCore ? times : timesHeld(times, at->instances);
    for (const Contributor& part : at->perInstance[resource].contributors) {
      const ResourceFootprint* inner = part.op == at->op ? nullptr : find(part.op);
      int64_t instances = timesHeld(inside, part.instances);
      if (inner && !holdsItself(*inner, resource))
        parts.push_back({inner, instances});
      else
        found.push_back({part.op, part.amount, instances});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Contributor& a, const Contributor& b) {
    return timesHeld(a.amount, a.instances) > timesHeld(b.amount, b.instances);
  });
  return found;
}

}  // namespace airlite::analysis
