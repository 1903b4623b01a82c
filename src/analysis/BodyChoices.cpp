// The choices of a body: branches, loops that may not run, ops that share what they hold.
#include "BodyPlan.hpp"

#include <algorithm>

namespace airlite::analysis {

using graph::EdgeKind;
using graph::kNoNode;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

namespace {

constexpr std::string_view kOrdersDifferently =
    "is what orders other ops, and iterations that may overlap can take it differently";
constexpr std::string_view kVaries =
    "stands in a branch that iterations, which may overlap, can take differently";

/// What leads into or out of the bodies of a control op.
struct Crossing {
  bool in = false, out = false;              // edges
  bool result = false;                       // the op has tokens as results
  bool memoryIn = false, memoryOut = false;  // freed, made in it
  bool async = false;                        // something in it may continue when it has ended
  std::vector<ScopeId> holders = {};         // regions that hold something
};

class ChoiceFinder {
 public:
  explicit ChoiceFinder(BodyPlan& plan) : plan_(plan) {}

  void run() {
    findCrossings();
    for (ScopeId scope : plan_.scopesOfBody)
      for (NodeId id : plan_.acdg.scopes[scope].nodes) {
        if (plan_.node(id).kind == NodeKind::Branch) addBranch(id);
        if (plan_.node(id).kind == NodeKind::Loop) addLoop(id);
      }
    for (const std::vector<NodeId>& group : plan_.program.affine[plan_.body])
      if (group.size() > 1)
        plan_.choices.push_back({Choice::Kind::Affinity, kNoNode, group, group.size()});
  }

 private:
  void findCrossings() {
    for (const LevelGraph::LevelEdge& edge : plan_.program.edges[plan_.body]) {
      ScopeId from = plan_.scopeOf(edge.from), to = plan_.scopeOf(edge.to),
              common = plan_.commonScope(from, to);
      for (; from != common; from = plan_.parentOf(from))
        crossings_[plan_.ownerOf(from)].out = true;
      bool isInit = edge.kind == EdgeKind::Init && plan_.node(edge.to).kind == NodeKind::Carried;
      for (; to != common; to = plan_.parentOf(to))
        if (!std::exchange(isInit, false)) crossings_[plan_.ownerOf(to)].in = true;
      if (plan_.node(edge.to).kind == NodeKind::Result)
        crossings_[plan_.program.nodeAround(plan_.node(edge.to).op)].result = true;
    }
    for (const Holding& holding : plan_.holdings)
      findCrossings(holding);
  }

  void findCrossings(const Holding& holding) {
    ScopeId start = plan_.scopeOf(holding.begin);
    for (ScopeId scope = holding.home; scope != plan_.body; scope = plan_.parentOf(scope)) {
      Crossing& crossing = crossings_[plan_.ownerOf(scope)];
      crossing.async |= !plan_.node(holding.begin).isBlocking;
      bool staysIn = std::all_of(holding.frees.begin(), holding.frees.end(), [&](NodeId id) {
        return plan_.isInside(plan_.scopeOf(id), scope);
      });
      crossing.memoryOut |= holding.isMemory && (holding.frees.empty() || !staysIn);
      bool isKnown = std::find(crossing.holders.begin(), crossing.holders.end(), scope) !=
                     crossing.holders.end();
      if (!isKnown) crossing.holders.push_back(scope);
    }
    for (NodeId free : holding.frees)
      for (ScopeId scope = plan_.scopeOf(free); !plan_.isInside(start, scope);
           scope = plan_.parentOf(scope))
        crossings_[plan_.ownerOf(scope)].memoryIn = true;
  }

  void addBranch(NodeId id) {
    Crossing crossing = crossingOf(id);
    const std::vector<ScopeId>& regions = plan_.program.bodies[id];
    bool isWay = crossing.result || crossing.memoryIn || (crossing.in && plan_.node(id).isBlocking);
    bool isClosed =
        !isWay && !crossing.in && !crossing.out && !crossing.memoryOut && !crossing.async;
    if (isClosed) {
      for (ScopeId region : regions)
        plan_.scopes[region].isSequential = true;
      return;
    }
    if (crossing.holders.size() < 2 && !isWay) return;
    std::span<Region> all = plan_.node(id).op->regions();
    bool mayBeNone = std::any_of(all.begin(), all.end(), [](Region& r) { return r.empty(); });
    plan_.choices.push_back({Choice::Kind::Branch, id, {}, regions.size() + mayBeNone});
    // Iterations that overlap may take different ways; a path takes one in all of them.
    if (plan_.scopes[plan_.scopeOf(id)].count == 1) return;
    for (ScopeId region : regions)
      plan_.scopes[region].cut = kVaries;
    if (isWay) plan_.doubts.push_back({id, kOrdersDifferently});
  }

  void addLoop(NodeId id) {
    std::optional<int64_t> runs = plan_.trips(id);
    if (runs && *runs > 0) return;
    Crossing crossing = crossingOf(id);
    uint32_t carried = plan_.carriedTokens(plan_.program.bodies[id].front());
    bool isWay = (crossing.out && (crossing.in || carried > 1)) || crossing.memoryIn ||
                 (plan_.node(id).isBlocking && (crossing.in || carried > 0));
    if (runs || isWay) plan_.choices.push_back({Choice::Kind::MayNotRun, id, {}, runs ? 1u : 2u});
    bool varies = !runs && isWay && plan_.scopes[plan_.scopeOf(id)].count > 1;
    if (varies) plan_.doubts.push_back({id, kOrdersDifferently});
  }

  Crossing crossingOf(NodeId id) const {
    auto found = crossings_.find(id);
    return found == crossings_.end() ? Crossing() : found->second;
  }

  BodyPlan& plan_;
  std::unordered_map<NodeId, Crossing> crossings_;
};

}  // namespace

void findChoices(BodyPlan& plan) { ChoiceFinder(plan).run(); }

}  // namespace airlite::analysis
