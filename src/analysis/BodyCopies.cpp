// Which runs of each loop of a body are told apart, and how long memory is held.
#include "BodyPlan.hpp"

#include <algorithm>
#include <numeric>

namespace airlite::analysis {

using graph::EdgeKind;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

namespace {

constexpr std::string_view kTooManyRuns =
    "stands in nested loops of which too many iterations may overlap";
constexpr std::string_view kPeriod =
    "ends with other tokens from one number of iterations to the next, and that is not constant";
constexpr std::string_view kWhile = "stands in a loop of iterations that may overlap";

class CopyPlanner {
 public:
  explicit CopyPlanner(BodyPlan& plan) : plan_(plan) {}

  void run() {
    for (Holding& holding : plan_.holdings)
      widenOverLoops(holding);
    markAsync();
    for (ScopeId scope : plan_.scopesOfBody)
      planScope(scope);
  }

 private:
  /// Memory that a loop makes and does not free is there for the whole loop.
  void widenOverLoops(Holding& holding) {
    holding.home = plan_.scopeOf(holding.begin);
    if (!holding.isMemory) return;
    for (ScopeId scope = plan_.scopeOf(holding.begin); scope != plan_.body;
         scope = plan_.parentOf(scope)) {
      bool isFreed = std::any_of(holding.frees.begin(), holding.frees.end(), [&](NodeId id) {
        return plan_.isInside(plan_.scopeOf(id), scope);
      });
      if (plan_.isLoopBody(scope) && !isFreed) holding.begin = plan_.ownerOf(scope);
    }
  }

  void markAsync() {
    for (const Holding& holding : plan_.holdings) {
      if (plan_.node(holding.begin).isBlocking) continue;
      for (ScopeId scope = plan_.scopeOf(holding.begin); scope != plan_.body;
           scope = plan_.parentOf(scope))
        plan_.scopes[scope].hasAsync = true;
    }
  }

  void planScope(ScopeId scope) {
    if (scope == plan_.body) return;
    ScopeState& state = plan_.scopes[scope];
    const ScopeState& outer = plan_.scopes[plan_.parentOf(scope)];
    state.parallel = outer.parallel;
    state.isParallelKnown = outer.isParallelKnown;
    if (plan_.node(plan_.ownerOf(scope)).kind == NodeKind::Parallel)
      planParallel(plan_.ownerOf(scope), state);
    if (plan_.isLoopBody(scope)) planLoop(scope, state, outer.count);
    state.count = outer.count * state.copies;
  }

  void planParallel(NodeId owner, ScopeState& state) {
    std::optional<int64_t> points = plan_.trips(owner);
    state.isParallelKnown &= points.has_value();
    state.parallel = timesHeld(state.parallel, points.value_or(1));
  }

  /// A run overlaps with as many others as tokens are carried; one more shows that there are no others.
  void planLoop(ScopeId scope, ScopeState& state, uint32_t outerCount) {
    uint32_t carried = plan_.carriedTokens(scope);
    if (!state.hasAsync && carried == 0) return;
    std::optional<int64_t> runs = plan_.trips(plan_.ownerOf(scope));
    uint32_t wanted = std::max<uint32_t>(2, carried + 1);
    bool isWhile = plan_.program.bodies[plan_.ownerOf(scope)].size() > 1;
    if (isWhile || wanted * outerCount > kMaxCopies) {
      state.cut = isWhile ? kWhile : kTooManyRuns;
      // Its tokens may order what is around it otherwise than one run does.
      if (carried > 0) plan_.doubts.push_back({plan_.ownerOf(scope), state.cut});
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
      plan_.doubts.push_back({plan_.ownerOf(scope), kPeriod});
    else
      state.copies = copies;
  }

  /// After how many runs the tokens that come out of a loop wait for the same ones again.
  uint32_t periodOf(ScopeId scope) {
    std::vector<NodeId> carried;
    for (NodeId id : plan_.acdg.scopes[scope].nodes)
      if (plan_.node(id).kind == NodeKind::Carried) carried.push_back(id);
    // Tokens that take different ways: any permutation may come out.
    bool branches =
        std::any_of(plan_.scopesOfBody.begin(), plan_.scopesOfBody.end(), [&](ScopeId inner) {
          return inner != plan_.body && plan_.node(plan_.ownerOf(inner)).kind == NodeKind::Branch &&
                 plan_.isInside(inner, scope);
        });
    if (branches) return anyPeriod(static_cast<uint32_t>(carried.size()));
    // The row of a token: those of the run before that it waits for.
    using Rows = std::vector<std::vector<bool>>;
    Rows step(carried.size(), std::vector<bool>(carried.size(), false));
    for (size_t from = 0; from < carried.size(); ++from) {
      std::vector<bool> reached = tokensAfter(carried[from], scope, carried);
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
  std::vector<bool> tokensAfter(NodeId start, ScopeId loop, const std::vector<NodeId>& carried) {
    if (successors_.empty())
      for (const LevelGraph::LevelEdge& edge : plan_.program.edges[plan_.body])
        successors_[edge.from].push_back(&edge);
    std::vector<bool> found(carried.size(), false);
    for (size_t i = 0; i < carried.size(); ++i)
      found[i] = carried[i] == start && plan_.isHandedOn(start);
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
        else if (plan_.isInside(plan_.scopeOf(edge->to), loop))
          visit(edge->to);
      }
      for (ScopeId inner : plan_.program.bodies[work[i]])
        if (!plan_.program.isLevel(work[i]))
          for (NodeId id : plan_.acdg.scopes[inner].nodes)
            visit(id);
      ScopeId around = plan_.scopeOf(work[i]);
      if (around != loop && plan_.node(work[i]).isBlocking) visit(plan_.ownerOf(around));
    }
    return found;
  }

  BodyPlan& plan_;
  std::unordered_map<NodeId, std::vector<const LevelGraph::LevelEdge*>> successors_;
};

}  // namespace

void planCopies(BodyPlan& plan) { CopyPlanner(plan).run(); }

}  // namespace airlite::analysis
