// The event graph of one body, and what its heaviest antichains say. BodySchedule.hpp has the idea.
#include "BodySchedule.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/graph/Algorithms.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

namespace airlite::analysis {

using graph::Arc;
using graph::Digraph;
using graph::EdgeKind;
using graph::kNoNode;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

namespace {

/// Runs of loops inside each other that are told apart, all together.
constexpr uint32_t kMaxCopies = 64;
/// Ways through a body that are looked at one by one.
constexpr size_t kMaxPaths = 64;

constexpr std::string_view kOverlapsItself =
    "may begin before the same op of the iteration before has ended";
constexpr std::string_view kTooManyRuns =
    "stands in nested loops of which too many iterations may overlap";
constexpr std::string_view kOrdersDifferently =
    "is what orders other ops, and iterations that may overlap can take it differently";
constexpr std::string_view kPeriod =
    "ends with other tokens from one number of iterations to the next, and that is not constant";
constexpr std::string_view kWhile = "stands in a loop of iterations that may overlap";
constexpr std::string_view kVaries =
    "stands in a branch that iterations, which may overlap, can take differently";

}  // namespace

BodyScheduler::BodyScheduler(LevelGraph& program)
    : program_(program), scopes_(program.acdg.scopes.size()), events_(program.acdg.nodes.size()) {}

/// The analysis of one body.
class BodyScheduler::Run {
 public:
  Run(BodyScheduler& scheduler, ScopeId body, std::vector<Holding> holdings, bool coexist)
      : program_(scheduler.program_),
        acdg_(scheduler.program_.acdg),
        scopes_(scheduler.scopes_),
        events_(scheduler.events_),
        body_(body),
        holdings_(std::move(holdings)),
        coexist_(coexist) {}

  Peak peak() {
    collect(body_);
    for (Holding& holding : holdings_)
      widenOverLoops(holding);
    markAsync();
    for (ScopeId scope : bodyScopes_)
      planCopies(scope);
    findChoices();
    for (ScopeId scope : bodyScopes_)
      if (scope != body_ && scopes_[scope].cut.empty())
        scopes_[scope].cut = scopes_[parentOf(scope)].cut;
    for (Holding& holding : holdings_)
      noteUnknowns(holding);
    for (auto [control, why] : uncertain_)
      for (Resource resource : kResources)
        if (holdsAnything(resource)) open(node(control).op, resource, std::string(why));
    takeEveryPath();
    return std::move(result_);
  }

 private:
  // -- Places ------------------------------------------------------------------------------------

  const graph::Node& node(NodeId id) const { return acdg_.nodes[id]; }
  ScopeId scopeOf(NodeId id) const { return acdg_.nodes[id].scope; }
  ScopeId parentOf(ScopeId scope) const { return acdg_.scopes[scope].parent; }
  NodeId ownerOf(ScopeId scope) const { return acdg_.scopes[scope].owner; }
  bool isInside(ScopeId scope, ScopeId outer) const {
    while (scopes_[scope].depth > scopes_[outer].depth)
      scope = parentOf(scope);
    return scope == outer;
  }
  ScopeId commonScope(ScopeId a, ScopeId b) const {
    while (a != b)
      if (scopes_[a].depth >= scopes_[b].depth)
        a = parentOf(a);
      else
        b = parentOf(b);
    return a;
  }
  bool isLoopBody(ScopeId scope) const {
    return scope != body_ && node(ownerOf(scope)).kind == NodeKind::Loop;
  }
  bool isOff(NodeId id) const { return scopes_[scopeOf(id)].isOff; }

  void collect(ScopeId scope) {
    ScopeState state;
    if (scope != body_) state.depth = scopes_[parentOf(scope)].depth + 1;
    scopes_[scope] = state;
    bodyScopes_.push_back(scope);
    for (NodeId id : acdg_.scopes[scope].nodes) {
      if (program_.isLevel(id)) continue;
      for (ScopeId inner : program_.bodies[id])
        collect(inner);
    }
  }

  // -- What is planned once ----------------------------------------------------------------------

  /// Memory that a loop makes and does not free is there for the whole loop.
  void widenOverLoops(Holding& holding) {
    holding.home = scopeOf(holding.begin);
    if (!holding.isMemory) return;
    for (ScopeId scope = scopeOf(holding.begin); scope != body_; scope = parentOf(scope)) {
      bool isFreed = std::any_of(holding.frees.begin(), holding.frees.end(),
                                 [&](NodeId id) { return isInside(scopeOf(id), scope); });
      if (isLoopBody(scope) && !isFreed) holding.begin = ownerOf(scope);
    }
  }

  void markAsync() {
    for (const Holding& holding : holdings_) {
      if (node(holding.begin).isBlocking) continue;
      for (ScopeId scope = scopeOf(holding.begin); scope != body_; scope = parentOf(scope))
        scopes_[scope].hasAsync = true;
    }
  }

  static uint32_t carriedTokens(const graph::Acdg& acdg, ScopeId scope) {
    const std::vector<NodeId>& nodes = acdg.scopes[scope].nodes;
    return static_cast<uint32_t>(std::count_if(nodes.begin(), nodes.end(), [&](NodeId id) {
      return acdg.nodes[id].kind == NodeKind::Carried;
    }));
  }

  std::optional<int64_t> trips(NodeId owner) {
    return constantPoints(*node(owner).op, program_.indices);
  }

  void planCopies(ScopeId scope) {
    if (scope == body_) return;
    ScopeState& state = scopes_[scope];
    const ScopeState& outer = scopes_[parentOf(scope)];
    state.parallel = outer.parallel;
    state.isParallelKnown = outer.isParallelKnown;
    if (node(ownerOf(scope)).kind == NodeKind::Parallel) planParallel(ownerOf(scope), state);
    if (isLoopBody(scope)) planLoop(scope, state, outer.count);
    state.count = outer.count * state.copies;
  }

  void planParallel(NodeId owner, ScopeState& state) {
    std::optional<int64_t> points = trips(owner);
    state.isParallelKnown &= points.has_value();
    state.parallel = timesHeld(state.parallel, points.value_or(1));
  }

  /// A run overlaps with as many others as tokens are carried; one more shows that it is no more.
  void planLoop(ScopeId scope, ScopeState& state, uint32_t outerCount) {
    uint32_t carried = carriedTokens(acdg_, scope);
    if (!state.hasAsync && carried == 0) return;
    std::optional<int64_t> runs = trips(ownerOf(scope));
    uint32_t wanted = std::max<uint32_t>(2, carried + 1);
    bool isWhile = program_.bodies[ownerOf(scope)].size() > 1;
    if (isWhile || wanted * outerCount > kMaxCopies) {
      state.cut = isWhile ? kWhile : kTooManyRuns;
      // Its tokens may order what is around it otherwise than one run does.
      if (carried > 0) uncertain_.push_back({ownerOf(scope), state.cut});
      return;
    }
    state.isUnbounded = !runs || *runs >= wanted;
    state.copies = state.isUnbounded ? wanted : static_cast<uint32_t>(std::max<int64_t>(*runs, 1));
    if (state.isUnbounded && carried > 1) adjustToPeriod(scope, state, runs, outerCount);
  }

  /// Tokens that change places: which ones the loop ends with depends on the number of its runs.
  void adjustToPeriod(ScopeId scope, ScopeState& state, std::optional<int64_t> runs,
                      uint32_t outerCount) {
    uint32_t period = periodOf(scope);
    if (period == 1) return;
    uint32_t copies = state.copies;
    if (runs) copies += static_cast<uint32_t>((*runs - copies) % period);
    if (!runs || copies * outerCount > kMaxCopies)
      uncertain_.push_back({ownerOf(scope), kPeriod});
    else
      state.copies = copies;
  }

  /// After how many runs the tokens that come out of a loop wait for the same ones again.
  uint32_t periodOf(ScopeId scope) {
    std::vector<NodeId> carried;
    for (NodeId id : acdg_.scopes[scope].nodes)
      if (node(id).kind == NodeKind::Carried) carried.push_back(id);
    // Tokens that take different ways: any permutation may come out.
    bool branches = std::any_of(bodyScopes_.begin(), bodyScopes_.end(), [&](ScopeId inner) {
      return inner != body_ && node(ownerOf(inner)).kind == NodeKind::Branch &&
             isInside(inner, scope);
    });
    if (branches) return anyPeriod(static_cast<uint32_t>(carried.size()));
    // The row of a token: those of the run before that it waits for.
    using Rows = std::vector<std::vector<bool>>;
    Rows step(carried.size(), std::vector<bool>(carried.size(), false));
    for (size_t from = 0; from < carried.size(); ++from) {
      std::vector<bool> reached = yieldsBehind(carried[from], scope, carried);
      for (size_t to = 0; to < carried.size(); ++to)
        step[to][from] = reached[to];
    }
    auto next = [&](const Rows& now) {
      Rows after(step.size(), std::vector<bool>(step.size(), false));
      for (size_t i = 0; i < step.size(); ++i)
        for (size_t j = 0; j < step.size(); ++j)
          for (size_t k = 0; step[i][j] && k < step.size(); ++k)
            if (now[j][k]) after[i][k] = true;
      return after;
    };
    std::vector<Rows> seen{step};
    constexpr size_t kLongest = 64;
    while (seen.size() < kLongest) {
      Rows rows = next(seen.back());
      auto same = std::find(seen.begin(), seen.end(), rows);
      if (same != seen.end()) return static_cast<uint32_t>(seen.end() - same);
      seen.push_back(std::move(rows));
    }
    return kLongest;
  }

  /// A multiple of the periods of all permutations of `count` things.
  static uint32_t anyPeriod(uint32_t count) {
    uint32_t period = 1;
    for (uint32_t i = 2; i <= count && period <= kMaxCopies; ++i)
      period = std::lcm(period, i);
    return period;
  }

  /// Which of the next run's tokens wait for `start`, by a way inside one run of the loop.
  std::vector<bool> yieldsBehind(NodeId start, ScopeId loop, const std::vector<NodeId>& carried) {
    if (successors_.empty())
      for (const LevelGraph::LevelEdge& edge : program_.edges[body_])
        successors_[edge.from].push_back(&edge);
    std::vector<bool> found(carried.size(), false);
    for (size_t i = 0; i < carried.size(); ++i)
      found[i] = carried[i] == start && isHandedOn(start);
    std::vector<NodeId> work{start};
    std::unordered_map<NodeId, bool> isSeen{{start, true}};
    auto visit = [&](NodeId id) {
      if (isSeen.try_emplace(id, true).second) work.push_back(id);
    };
    for (size_t i = 0; i < work.size(); ++i) {
      for (const LevelGraph::LevelEdge* edge : successors_[work[i]]) {
        auto place = std::find(carried.begin(), carried.end(), edge->to);
        bool isBack = edge->kind == EdgeKind::LoopCarried;
        if (isBack && place != carried.end())
          found[place - carried.begin()] = true;
        else if (isInsideOf(edge->to, loop))
          visit(edge->to);
      }
      for (ScopeId inner : program_.bodies[work[i]])
        if (!program_.isLevel(work[i]))
          for (NodeId id : acdg_.scopes[inner].nodes)
            visit(id);
      ScopeId around = scopeOf(work[i]);
      if (around != loop && node(work[i]).isBlocking) visit(ownerOf(around));
    }
    return found;
  }
  bool isInsideOf(NodeId id, ScopeId outer) const { return isInside(scopeOf(id), outer); }

  // -- Ways through branches ---------------------------------------------------------------------

  struct Choice {
    enum class Kind { Branch, MayNotRun, Affinity } kind;
    NodeId node = kNoNode;             // branch or loop
    std::vector<NodeId> members = {};  // of an affinity group
    size_t options = 0;
  };
  /// What leads into or out of the bodies of a control op.
  struct Crossing {
    bool in = false, out = false;              // edges
    bool result = false;                       // the op has tokens as results
    bool memoryIn = false, memoryOut = false;  // freed, made in it
    bool async = false;                        // something in it may go on when it has ended
    std::vector<ScopeId> holders = {};         // regions that hold something
  };

  void findCrossings() {
    for (const LevelGraph::LevelEdge& edge : program_.edges[body_]) {
      ScopeId from = scopeOf(edge.from), to = scopeOf(edge.to), common = commonScope(from, to);
      for (; from != common; from = parentOf(from))
        crossings_[ownerOf(from)].out = true;
      bool isInit = edge.kind == EdgeKind::Init && node(edge.to).kind == NodeKind::Carried;
      for (; to != common; to = parentOf(to))
        if (!std::exchange(isInit, false)) crossings_[ownerOf(to)].in = true;
      if (node(edge.to).kind == NodeKind::Result)
        crossings_[program_.nodeAround(node(edge.to).op)].result = true;
    }
    for (const Holding& holding : holdings_)
      findCrossings(holding);
  }

  void findCrossings(const Holding& holding) {
    ScopeId start = scopeOf(holding.begin);
    for (ScopeId scope = holding.home; scope != body_; scope = parentOf(scope)) {
      Crossing& crossing = crossings_[ownerOf(scope)];
      crossing.async |= !node(holding.begin).isBlocking;
      bool staysIn = std::all_of(holding.frees.begin(), holding.frees.end(),
                                 [&](NodeId id) { return isInside(scopeOf(id), scope); });
      crossing.memoryOut |= holding.isMemory && (holding.frees.empty() || !staysIn);
      bool isKnown = std::find(crossing.holders.begin(), crossing.holders.end(), scope) !=
                     crossing.holders.end();
      if (!isKnown) crossing.holders.push_back(scope);
    }
    for (NodeId free : holding.frees)
      for (ScopeId scope = scopeOf(free); !isInside(start, scope); scope = parentOf(scope))
        crossings_[ownerOf(scope)].memoryIn = true;
  }

  void findChoices() {
    findCrossings();
    for (ScopeId scope : bodyScopes_)
      for (NodeId id : acdg_.scopes[scope].nodes) {
        if (node(id).kind == NodeKind::Branch) addBranch(id);
        if (node(id).kind == NodeKind::Loop) addLoop(id);
      }
    for (const std::vector<NodeId>& group : program_.affine[body_])
      if (group.size() > 1)
        choices_.push_back({Choice::Kind::Affinity, kNoNode, group, group.size()});
  }

  void addBranch(NodeId id) {
    Crossing crossing = crossings_.contains(id) ? crossings_.at(id) : Crossing();
    const std::vector<ScopeId>& regions = program_.bodies[id];
    bool isWay = crossing.result || crossing.memoryIn || (crossing.in && node(id).isBlocking);
    bool isClosed =
        !isWay && !crossing.in && !crossing.out && !crossing.memoryOut && !crossing.async;
    if (isClosed) {
      for (ScopeId region : regions)
        scopes_[region].isSequential = true;
      return;
    }
    if (crossing.holders.size() < 2 && !isWay) return;
    std::span<Region> all = node(id).op->regions();
    bool mayBeNone = std::any_of(all.begin(), all.end(), [](Region& r) { return r.empty(); });
    choices_.push_back({Choice::Kind::Branch, id, {}, regions.size() + mayBeNone});
    // Iterations that overlap may take different ways; a path takes one in all of them.
    if (scopes_[scopeOf(id)].count == 1) return;
    for (ScopeId region : regions)
      scopes_[region].cut = kVaries;
    if (isWay) uncertain_.push_back({id, kOrdersDifferently});
  }

  void addLoop(NodeId id) {
    std::optional<int64_t> runs = trips(id);
    if (runs && *runs > 0) return;
    Crossing crossing = crossings_.contains(id) ? crossings_.at(id) : Crossing();
    uint32_t carried = carriedTokens(acdg_, program_.bodies[id].front());
    bool isWay = (crossing.out && (crossing.in || carried > 1)) || crossing.memoryIn ||
                 (node(id).isBlocking && (crossing.in || carried > 0));
    if (runs || isWay) choices_.push_back({Choice::Kind::MayNotRun, id, {}, runs ? 1u : 2u});
    bool varies = !runs && isWay && scopes_[scopeOf(id)].count > 1;
    if (varies) uncertain_.push_back({id, kOrdersDifferently});
  }

  bool holdsAnything(Resource resource) const {
    return std::any_of(holdings_.begin(), holdings_.end(), [&](const Holding& holding) {
      size_t r = static_cast<size_t>(resource);
      return holding.amount[r] > 0 || !holding.isExact[r];
    });
  }

  void takeEveryPath() {
    size_t paths = 1;
    for (const Choice& choice : choices_)
      paths = std::min(paths * choice.options, kMaxPaths + 1);
    if (paths > kMaxPaths) return takeHeaviestPath();
    std::vector<size_t> path(choices_.size(), 0);
    for (size_t number = 0; number < paths; ++number) {
      size_t rest = number;
      for (size_t i = 0; i < choices_.size(); ++i) {
        path[i] = rest % choices_[i].options;
        rest /= choices_[i].options;
      }
      take(path);
    }
  }

  int64_t weightOf(const Holding& holding) const {
    int64_t sum = 0;
    for (int64_t amount : holding.amount)
      sum += amount;
    return timesHeld(sum, scopes_[holding.home].parallel);
  }
  size_t heaviestOption(const Choice& choice) const {
    if (choice.kind == Choice::Kind::MayNotRun) return choice.options - 1;
    std::vector<int64_t> weights(choice.options, 0);
    for (const Holding& holding : holdings_)
      for (size_t i = 0; i < choice.options; ++i) {
        const std::vector<ScopeId>* regions =
            choice.node == kNoNode ? nullptr : &program_.bodies[choice.node];
        bool counts = regions ? i < regions->size() && isInside(holding.home, (*regions)[i])
                              : choice.members[i] == holding.begin;
        if (counts) weights[i] += weightOf(holding);
      }
    return static_cast<size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  }

  void takeHeaviestPath() {
    std::vector<size_t> path;
    for (const Choice& choice : choices_)
      path.push_back(heaviestOption(choice));
    take(path);
    for (Resource resource : kResources)
      if (holdsAnything(resource))
        open(acdg_.scopes[body_].op, resource,
             "has more than " + std::to_string(kMaxPaths) +
                 " ways through its branches, of which the heaviest was looked at");
  }

  void take(const std::vector<size_t>& path) {
    for (ScopeId scope : bodyScopes_)
      scopes_[scope].isOff = false;
    skipped_.clear();
    sharing_.clear();
    for (size_t i = 0; i < choices_.size(); ++i)
      applyOption(choices_[i], path[i]);
    for (ScopeId scope : bodyScopes_)
      if (scope != body_) scopes_[scope].isOff |= scopes_[parentOf(scope)].isOff;
    lookAtPath();
  }

  void applyOption(const Choice& choice, size_t option) {
    if (choice.kind == Choice::Kind::Affinity) {
      for (size_t i = 0; i < choice.members.size(); ++i)
        if (i != option) sharing_.insert(choice.members[i]);
      return;
    }
    const std::vector<ScopeId>& regions = program_.bodies[choice.node];
    if (choice.kind == Choice::Kind::Branch) {
      for (size_t i = 0; i < regions.size(); ++i)
        if (i != option) scopes_[regions[i]].isOff = true;
    } else if (option == 0 && regions.size() > 1) {
      scopes_[regions[1]].isOff = true;  // of a while: the condition is computed at least once
    } else if (option == 0) {
      skipped_.push_back(choice.node);
      scopes_[regions.front()].isOff = true;
    }
  }

  // -- Events ------------------------------------------------------------------------------------

  NodeId begin(NodeId id, uint32_t copy) const { return events_[id] + 2 * copy; }
  NodeId end(NodeId id, uint32_t copy) const { return begin(id, copy) + 1; }
  void arc(NodeId from, NodeId to) { arcs_.push_back({from, to}); }

  void lookAtPath() {
    arcs_.clear();
    lastRegion_.clear();
    numEvents_ = 0;
    for (ScopeId scope : bodyScopes_)
      for (NodeId id : acdg_.scopes[scope].nodes) {
        events_[id] = numEvents_;
        numEvents_ += 2 * scopes_[scope].count;
      }
    for (ScopeId scope : bodyScopes_)
      if (!scopes_[scope].isOff) addScope(scope);
    for (const LevelGraph::LevelEdge& edge : program_.edges[body_])
      if (!isOff(edge.from) && !isOff(edge.to) && isYielded(edge)) addEdge(edge);
    for (NodeId loop : skipped_)
      if (!isOff(loop)) addWayAround(loop);
    addUnits();
    Digraph graph(numEvents_, arcs_);
    if (orderRuns(graph)) graph = Digraph(numEvents_, arcs_);
    for (Resource resource : kResources)
      findPeak(graph, resource);
  }

  /// The order of the program: what follows a blocking op begins when that has ended, and a run of
  /// a loop when the run before has.
  void addScope(ScopeId scope) {
    const ScopeState& state = scopes_[scope];
    NodeId owner = scope == body_ ? kNoNode : ownerOf(scope);
    NodeId flow = numEvents_;  // copies + 1 for each run of what is around
    if (owner != kNoNode) numEvents_ += state.count / state.copies * (state.copies + 1);
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
    for (NodeId id : acdg_.scopes[scope].nodes)
      for (uint32_t copy = 0; copy < state.count; ++copy) {
        arc(begin(id, copy), end(id, copy));
        if (owner == kNoNode) continue;
        if (copy % state.copies > 0 && isHandedOn(id)) arc(end(id, copy - 1), begin(id, copy));
        arc(flowAt(copy, false), begin(id, copy));
        if (node(id).isBlocking) arc(end(id, copy), flowAt(copy, true));
      }
  }

  /// A token argument of a loop that is yielded as it came.
  bool isHandedOn(NodeId id) const {
    if (node(id).kind != NodeKind::Carried) return false;
    Operation* yield = node(id).token.argumentBlock()->terminator();
    unsigned number = node(id).token.index() - 1;  // behind the loop variable
    return yield && number < yield->numOperands() && yield->operand(number) == node(id).token;
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
    const graph::Node& result = node(edge.to);
    if (result.kind != NodeKind::Result || edge.kind != EdgeKind::Reduce) return true;
    NodeId owner = program_.nodeAround(result.op);
    if (node(owner).kind != NodeKind::Branch) return true;
    const std::vector<ScopeId>& regions = program_.bodies[owner];
    return std::any_of(regions.begin(), regions.end(), [&](ScopeId region) {
      if (scopes_[region].isOff) return false;
      Operation* end = result.op->region(acdg_.scopes[region].region).front().terminator();
      return end && end->operand(result.token.index()) == node(edge.from).token;
    });
  }

  void addEdge(const LevelGraph::LevelEdge& edge) {
    ScopeId from = scopeOf(edge.from), to = scopeOf(edge.to), common = commonScope(from, to);
    const ScopeState& target = scopes_[to];
    uint32_t above = target.count / scopes_[common].count;
    uint32_t below = scopes_[from].count / scopes_[common].count;
    bool toCarried = node(edge.to).kind == NodeKind::Carried;
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
    for (const LevelGraph::LevelEdge& edge : program_.edges[body_]) {
      const graph::Node& carried = node(edge.to);
      if (edge.kind != EdgeKind::Init || carried.kind != NodeKind::Carried) continue;
      if (carried.op != node(loop).op || isOff(edge.from)) continue;
      unsigned number = carried.token.index() - 1;
      auto result = program_.resultNodes.find(carried.op->result(number));
      if (result != program_.resultNodes.end())
        addEdge({edge.from, result->second, EdgeKind::Reduce});
    }
  }

  // -- Holdings ----------------------------------------------------------------------------------

  bool isResident(const Holding& holding) const {
    return coexist_ && node(holding.begin).kind == NodeKind::Segment;
  }
  bool isShared(const Holding& holding) const {
    return !holding.isMemory && sharing_.contains(holding.begin);
  }

  void addUnits() {
    units_.assign(holdings_.size(), kNoNode);
    firstUnit_ = numEvents_;
    for (size_t i = 0; i < holdings_.size(); ++i) {
      const Holding& holding = holdings_[i];
      if (scopes_[holding.home].isOff || isShared(holding)) continue;
      units_[i] = numEvents_;
      uint32_t count = scopes_[scopeOf(holding.begin)].count;
      numEvents_ += count;
      for (uint32_t copy = 0; copy < count; ++copy)
        addUnit(holding, units_[i] + copy, copy);
    }
  }

  void addUnit(const Holding& holding, NodeId unit, uint32_t copy) {
    // A segment of a launch is there throughout, beside all others.
    if (isResident(holding)) return copy > 0 ? arc(unit - 1, unit) : void();
    arc(begin(holding.begin, copy), unit);
    if (!holding.isMemory) return arc(unit, end(holding.begin, copy));
    // All runs of a loop use one slot.
    if (copy > 0) arc(unit - 1, unit);
    for (NodeId free : holding.frees) {
      if (isOff(free)) continue;
      ScopeId from = scopeOf(holding.begin), to = scopeOf(free), common = commonScope(from, to);
      uint32_t above = scopes_[from].count / scopes_[common].count;
      uint32_t below = scopes_[to].count / scopes_[common].count;
      arc(unit, end(free, (copy / above + 1) * below - 1));
    }
  }

  /// A run that tokens do not order after earlier ones could overlap with any number of them. One
  /// counts, and the answer is a lower bound. True when arcs were added.
  bool orderRuns(const Digraph& graph) {
    size_t before = arcs_.size();
    std::optional<graph::Reachability> reachability;
    for (size_t i = 0; i < holdings_.size(); ++i) {
      ScopeId scope = scopeOf(holdings_[i].begin);
      if (units_[i] == kNoNode || holdings_[i].isMemory || scopes_[scope].count == 1) continue;
      if (isResident(holdings_[i])) continue;
      if (!reachability) reachability.emplace(graph);
      for (ScopeId loop = scope; loop != body_; loop = parentOf(loop))
        if (scopes_[loop].isUnbounded) orderRunsOf(i, loop, *reachability);
    }
    return arcs_.size() != before;
  }

  void orderRunsOf(size_t index, ScopeId loop, graph::Reachability& reachability) {
    uint32_t count = scopes_[scopeOf(holdings_[index].begin)].count;
    uint32_t stride = count / scopes_[loop].count, copies = scopes_[loop].copies;
    NodeId unit = units_[index];
    auto isOrdered = [&](uint32_t copy) {
      // What holds for one run holds for every later one.
      for (uint32_t later = 1; later < copies; ++later)
        if (reachability.reaches(unit + copy, unit + copy + later * stride)) return true;
      return false;
    };
    bool areAll = true;
    for (uint32_t copy = 0; copy < count && areAll; ++copy)
      areAll = copy / stride % copies > 0 || isOrdered(copy);
    if (areAll) return;
    for (uint32_t copy = 0; copy + stride < count; ++copy)
      if (copy / stride % copies + 1 < copies) arc(unit + copy, unit + copy + stride);
    for (Resource resource : kResources)
      if (holdings_[index].amount[static_cast<size_t>(resource)] > 0)
        open(holdings_[index].op, resource, std::string(kOverlapsItself));
  }

  // -- Answers -----------------------------------------------------------------------------------

  void open(Operation* op, Resource resource, std::string why) {
    result_.amounts[resource].isExact = false;
    auto isSame = [&](const OpenQuestion& question) {
      return question.op == op && question.resource == resource && question.why == why;
    };
    if (std::none_of(result_.open.begin(), result_.open.end(), isSame))
      result_.open.push_back({op, resource, std::move(why)});
  }

  void noteUnknowns(const Holding& holding) {
    const ScopeState& state = scopes_[holding.home];
    for (Resource resource : kResources) {
      size_t r = static_cast<size_t>(resource);
      result_.amounts[resource].isExact &= holding.isExact[r];
      if (holding.amount[r] == 0) continue;
      if (!state.isParallelKnown)
        open(holding.op, resource, "stands in a parallel loop whose size is not constant");
      if (!state.cut.empty()) open(holding.op, resource, std::string(state.cut));
    }
  }

  void findPeak(const Digraph& graph, Resource resource) {
    std::vector<int64_t> weights(graph.numNodes(), 0);
    std::vector<size_t> holdingOf(numEvents_ - firstUnit_, 0);
    int64_t most = (int64_t{1} << 61) / std::max<int64_t>(1, numEvents_);
    int64_t sum = 0;
    for (size_t i = 0; i < holdings_.size(); ++i) {
      if (units_[i] == kNoNode) continue;
      uint32_t count = scopes_[scopeOf(holdings_[i].begin)].count;
      int64_t parallel = scopes_[holdings_[i].home].parallel;
      int64_t amount = holdings_[i].amount[static_cast<size_t>(resource)];
      for (uint32_t copy = 0; copy < count; ++copy) {
        weights[units_[i] + copy] = std::min(timesHeld(amount, parallel), most);
        holdingOf[units_[i] + copy - firstUnit_] = i;
        sum += weights[units_[i] + copy];
      }
    }
    if (sum <= result_.amounts[resource].value) return;
    auto heavy = std::find_if(weights.begin(), weights.end(), [](int64_t w) { return w > 0; });
    bool isAlone = *heavy == sum;
    std::optional<std::vector<NodeId>> heaviest =
        isAlone ? std::vector{static_cast<NodeId>(heavy - weights.begin())}
                : graph::maximumAntichain(graph, weights);
    if (!heaviest) return;  // tokens in a circle: nothing of it ever runs
    takeAnswer(*heaviest, weights, holdingOf, resource);
  }

  void takeAnswer(const std::vector<NodeId>& heaviest, const std::vector<int64_t>& weights,
                  const std::vector<size_t>& holdingOf, Resource resource) {
    std::map<size_t, int64_t> copies;
    int64_t value = 0;
    for (NodeId id : heaviest) {
      if (weights[id] == 0) continue;
      ++copies[holdingOf[id - firstUnit_]];
      value += weights[id];
    }
    Amount& amount = result_.amounts[resource];
    if (value <= amount.value) return;
    amount.value = value;
    amount.contributors.clear();
    for (auto [index, count] : copies) {
      const Holding& holding = holdings_[index];
      int64_t parallel = scopes_[holding.home].parallel;
      amount.contributors.push_back(
          {holding.op, holding.amount[static_cast<size_t>(resource)], timesHeld(count, parallel)});
    }
  }

  LevelGraph& program_;
  const graph::Acdg& acdg_;
  std::vector<ScopeState>& scopes_;
  std::vector<uint32_t>& events_;
  ScopeId body_;
  std::vector<Holding> holdings_;
  bool coexist_;

  std::vector<ScopeId> bodyScopes_;  // outer before inner
  std::unordered_map<NodeId, Crossing> crossings_;
  std::vector<Choice> choices_;
  std::vector<std::pair<NodeId, std::string_view>> uncertain_;
  std::unordered_map<NodeId, std::vector<const LevelGraph::LevelEdge*>> successors_;
  // Of the path looked at:
  std::vector<NodeId> skipped_;         // loops
  std::unordered_set<NodeId> sharing_;  // members of affinity groups of which another one runs
  std::vector<Arc> arcs_;
  std::vector<NodeId> units_;  // the first of each holding
  std::unordered_map<NodeId, NodeId> lastRegion_;
  NodeId numEvents_ = 0, firstUnit_ = 0;
  Peak result_;
};

Peak BodyScheduler::peakOf(ScopeId body, std::vector<Holding> holdings, bool segmentsCoexist) {
  return Run(*this, body, std::move(holdings), segmentsCoexist).peak();
}

}  // namespace airlite::analysis
