// The order of the events of a body: what the program, its tokens and its holdings say.
#include "BodyEvents.hpp"

#include <algorithm>

namespace airlite::analysis {

using graph::EdgeKind;
using graph::kNoNode;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

namespace {

class EventBuilder {
 public:
  EventBuilder(const BodyPlan& plan, const BodyPath& path, bool coexist,
               std::vector<uint32_t>& firstOf)
      : plan_(plan), path_(path), coexist_(coexist), events_(firstOf) {}

  EventGraph build() {
    for (ScopeId scope : plan_.scopesOfBody)
      for (NodeId id : plan_.acdg.scopes[scope].nodes) {
        events_[id] = out_.numEvents;
        out_.numEvents += 2 * plan_.scopes[scope].count;
      }
    for (ScopeId scope : plan_.scopesOfBody)
      if (!plan_.scopes[scope].isOff) addScope(scope);
    for (const LevelGraph::LevelEdge& edge : plan_.program.edges[plan_.body])
      if (!plan_.isOff(edge.from) && !plan_.isOff(edge.to) && isYielded(edge)) addEdge(edge);
    for (NodeId loop : path_.skipped)
      if (!plan_.isOff(loop)) addWayAround(loop);
    addUnits();
    return std::move(out_);
  }

 private:
  NodeId begin(NodeId id, uint32_t copy) const { return events_[id] + 2 * copy; }
  NodeId end(NodeId id, uint32_t copy) const { return begin(id, copy) + 1; }
  void arc(NodeId from, NodeId to) { out_.arcs.push_back({from, to}); }

  /// The order of the program: what follows a blocking op begins when that has ended, and a run of
  /// a loop when the run before has.
  void addScope(ScopeId scope) {
    const ScopeState& state = plan_.scopes[scope];
    NodeId owner = scope == plan_.body ? kNoNode : plan_.ownerOf(scope);
    NodeId flow = out_.numEvents;  // copies + 1 for each run of what is around
    if (owner != kNoNode) out_.numEvents += state.count / state.copies * (state.copies + 1);
    auto flowAt = [&](uint32_t copy, bool after) {
      return flow + copy / state.copies * (state.copies + 1) + copy % state.copies + after;
    };
    for (uint32_t copy = 0; owner != kNoNode && copy < state.count; ++copy) {
      arc(flowAt(copy, false), flowAt(copy, true));
      if (copy % state.copies == 0) arc(begin(owner, copy / state.copies), flowAt(copy, false));
      if (copy % state.copies + 1 == state.copies)
        arc(flowAt(copy, true), end(owner, copy / state.copies));
      if (state.isSequential) addSequence(owner, copy, flowAt(copy, false), flowAt(copy, true));
    }
    for (NodeId id : plan_.acdg.scopes[scope].nodes)
      for (uint32_t copy = 0; copy < state.count; ++copy) {
        arc(begin(id, copy), end(id, copy));
        if (owner == kNoNode) continue;
        if (copy % state.copies > 0 && plan_.isHandedOn(id))
          arc(end(id, copy - 1), begin(id, copy));
        arc(flowAt(copy, false), begin(id, copy));
        if (plan_.node(id).isBlocking) arc(end(id, copy), flowAt(copy, true));
      }
  }

  /// Only one region of a branch runs; where nothing outside can tell, they may as well run one
  /// after the other.
  void addSequence(NodeId owner, uint32_t copy, NodeId from, NodeId to) {
    auto [slot, isFirst] = lastRegion_.try_emplace(begin(owner, copy), to);
    if (!isFirst) arc(slot->second, from);
    slot->second = to;
  }

  /// A token from around a branch that becomes its result does so in the regions that yield it.
  bool isYielded(const LevelGraph::LevelEdge& edge) const {
    const graph::Node& result = plan_.node(edge.to);
    if (result.kind != NodeKind::Result || edge.kind != EdgeKind::Reduce) return true;
    NodeId owner = plan_.program.nodeAround(result.op);
    if (plan_.node(owner).kind != NodeKind::Branch) return true;
    const std::vector<ScopeId>& regions = plan_.program.bodies[owner];
    return std::any_of(regions.begin(), regions.end(), [&](ScopeId region) {
      if (plan_.scopes[region].isOff) return false;
      Operation* end = result.op->region(plan_.acdg.scopes[region].region).front().terminator();
      return end && end->operand(result.token.index()) == plan_.node(edge.from).token;
    });
  }

  void addEdge(const LevelGraph::LevelEdge& edge) {
    ScopeId from = plan_.scopeOf(edge.from), to = plan_.scopeOf(edge.to),
            common = plan_.commonScope(from, to);
    const ScopeState& target = plan_.scopes[to];
    uint32_t above = target.count / plan_.scopes[common].count;
    uint32_t below = plan_.scopes[from].count / plan_.scopes[common].count;
    bool toCarried = plan_.node(edge.to).kind == NodeKind::Carried;
    for (uint32_t copy = 0; copy < target.count; ++copy) {
      bool isFirst = copy % target.copies == 0;
      bool isBack = edge.kind == EdgeKind::LoopCarried;
      if (toCarried && isFirst == isBack) continue;
      // What leaves a loop is what its last run ends with.
      uint32_t source = ((copy - isBack) / above + 1) * below - 1;
      arc(end(edge.from, source), edge.intoLevel ? end(edge.to, copy) : begin(edge.to, copy));
    }
  }

  /// The tokens of a loop that does not run are those that it begins with.
  void addWayAround(NodeId loop) {
    for (const LevelGraph::LevelEdge& edge : plan_.program.edges[plan_.body]) {
      const graph::Node& carried = plan_.node(edge.to);
      if (edge.kind != EdgeKind::Init || carried.kind != NodeKind::Carried) continue;
      if (carried.op != plan_.node(loop).op || plan_.isOff(edge.from)) continue;
      unsigned number = carried.token.index() - 1;
      auto result = plan_.program.resultNodes.find(carried.op->result(number));
      if (result != plan_.program.resultNodes.end())
        addEdge({edge.from, result->second, EdgeKind::Reduce});
    }
  }

  bool isShared(const Holding& holding) const {
    return !holding.isMemory && path_.sharing.contains(holding.begin);
  }

  void addUnits() {
    out_.units.assign(plan_.holdings.size(), kNoNode);
    out_.firstUnit = out_.numEvents;
    for (size_t i = 0; i < plan_.holdings.size(); ++i) {
      const Holding& holding = plan_.holdings[i];
      if (plan_.scopes[holding.home].isOff || isShared(holding)) continue;
      out_.units[i] = out_.numEvents;
      uint32_t count = plan_.scopes[plan_.scopeOf(holding.begin)].count;
      out_.numEvents += count;
      for (uint32_t copy = 0; copy < count; ++copy)
        addUnit(holding, out_.units[i] + copy, copy);
    }
  }

  void addUnit(const Holding& holding, NodeId unit, uint32_t copy) {
    // A segment of a launch is there throughout, beside all others.
    if (isResident(plan_, holding, coexist_)) return copy > 0 ? arc(unit - 1, unit) : void();
    arc(begin(holding.begin, copy), unit);
    if (!holding.isMemory) return arc(unit, end(holding.begin, copy));
    // All runs of a loop use one slot.
    if (copy > 0) arc(unit - 1, unit);
    for (NodeId free : holding.frees) {
      if (plan_.isOff(free)) continue;
      ScopeId from = plan_.scopeOf(holding.begin), to = plan_.scopeOf(free),
              common = plan_.commonScope(from, to);
      uint32_t above = plan_.scopes[from].count / plan_.scopes[common].count;
      uint32_t below = plan_.scopes[to].count / plan_.scopes[common].count;
      arc(unit, end(free, (copy / above + 1) * below - 1));
    }
  }

  const BodyPlan& plan_;
  const BodyPath& path_;
  bool coexist_;
  std::vector<uint32_t>& events_;
  std::unordered_map<NodeId, NodeId> lastRegion_;
  EventGraph out_;
};

}  // namespace

EventGraph eventsOf(const BodyPlan& plan, const BodyPath& path, bool segmentsCoexist,
                    std::vector<uint32_t>& firstOf) {
  return EventBuilder(plan, path, segmentsCoexist, firstOf).build();
}

}  // namespace airlite::analysis
