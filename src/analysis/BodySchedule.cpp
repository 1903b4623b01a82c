// Each way through a body, and what its heaviest antichains say. BodySchedule.hpp has the idea,
// BodyPlan.hpp the phases.
#include "BodySchedule.hpp"

#include "BodyEvents.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/graph/Algorithms.hpp"

#include <algorithm>
#include <map>

namespace airlite::analysis {

using graph::Digraph;
using graph::kNoNode;
using graph::NodeId;
using graph::ScopeId;

namespace {

constexpr std::string_view kOverlapsItself =
    "may begin before the same op of the iteration before has ended";

/// Takes the largest answers of all ways through a body.
class PeakFinder {
 public:
  PeakFinder(BodyPlan& plan, bool coexist, std::vector<uint32_t>& firstOf)
      : plan_(plan), coexist_(coexist), firstOf_(firstOf) {}

  Peak find() {
    for (Holding& holding : plan_.holdings)
      noteUnknowns(holding);
    for (auto [control, why] : plan_.doubts)
      for (Resource resource : kResources)
        if (holdsAnything(resource)) open(plan_.node(control).op, resource, std::string(why));
    takeEveryPath();
    return std::move(result_);
  }

 private:
  bool holdsAnything(Resource resource) const {
    return std::any_of(plan_.holdings.begin(), plan_.holdings.end(), [&](const Holding& holding) {
      size_t r = static_cast<size_t>(resource);
      return holding.amount[r] > 0 || !holding.isExact[r];
    });
  }

  void takeEveryPath() {
    BodyWays ways = waysThrough(plan_);
    for (const std::vector<size_t>& options : ways.options)
      lookAt(pathOf(plan_, options));
    if (ways.areAll) return;
    for (Resource resource : kResources)
      if (holdsAnything(resource))
        open(plan_.acdg.scopes[plan_.body].op, resource,
             "has more than " + std::to_string(kMaxPaths) +
                 " ways through its branches, of which the heaviest was looked at");
  }

  void lookAt(const BodyPath& path) {
    EventGraph events = eventsOf(plan_, path, coexist_, firstOf_);
    Digraph graph(events.numEvents, events.arcs);
    if (orderRuns(graph, events)) graph = Digraph(events.numEvents, events.arcs);
    for (Resource resource : kResources)
      findPeak(graph, events, resource);
  }

  /// A run that tokens do not order after earlier ones could overlap with any number of them. One
  /// counts, and the answer is a lower bound. True when arcs were added.
  bool orderRuns(const Digraph& graph, EventGraph& events) {
    size_t before = events.arcs.size();
    std::optional<graph::Reachability> reachability;
    for (size_t i = 0; i < plan_.holdings.size(); ++i) {
      ScopeId scope = plan_.scopeOf(plan_.holdings[i].begin);
      if (events.units[i] == kNoNode || plan_.holdings[i].isMemory ||
          plan_.scopes[scope].count == 1)
        continue;
      if (isResident(plan_, plan_.holdings[i], coexist_)) continue;
      if (!reachability) reachability.emplace(graph);
      for (ScopeId loop = scope; loop != plan_.body; loop = plan_.parentOf(loop))
        if (plan_.scopes[loop].isUnbounded) orderRunsOf(i, loop, *reachability, events);
    }
    return events.arcs.size() != before;
  }

  void orderRunsOf(size_t index, ScopeId loop, graph::Reachability& reachability,
                   EventGraph& events) {
    uint32_t count = plan_.scopes[plan_.scopeOf(plan_.holdings[index].begin)].count;
    uint32_t stride = count / plan_.scopes[loop].count, copies = plan_.scopes[loop].copies;
    NodeId unit = events.units[index];
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
      if (copy / stride % copies + 1 < copies)
        events.arcs.push_back({unit + copy, unit + copy + stride});
    for (Resource resource : kResources)
      if (plan_.holdings[index].amount[static_cast<size_t>(resource)] > 0)
        open(plan_.holdings[index].op, resource, std::string(kOverlapsItself));
  }

  void open(Operation* op, Resource resource, std::string why) {
    result_.amounts[resource].isExact = false;
    auto isSame = [&](const OpenQuestion& question) {
      return question.op == op && question.resource == resource && question.why == why;
    };
    if (std::none_of(result_.open.begin(), result_.open.end(), isSame))
      result_.open.push_back({op, resource, std::move(why)});
  }

  void noteUnknowns(const Holding& holding) {
    const ScopeState& state = plan_.scopes[holding.home];
    for (Resource resource : kResources) {
      size_t r = static_cast<size_t>(resource);
      result_.amounts[resource].isExact &= holding.isExact[r];
      if (holding.amount[r] == 0) continue;
      if (!state.isParallelKnown)
        open(holding.op, resource, "stands in a parallel loop whose size is not constant");
      if (!state.cut.empty()) open(holding.op, resource, std::string(state.cut));
    }
  }

  void findPeak(const Digraph& graph, const EventGraph& events, Resource resource) {
    std::vector<int64_t> weights(graph.numNodes(), 0);
    std::vector<size_t> holdingOf(events.numEvents - events.firstUnit, 0);
    int64_t most = (int64_t{1} << 61) / std::max<int64_t>(1, events.numEvents);
    int64_t sum = 0;
    for (size_t i = 0; i < plan_.holdings.size(); ++i) {
      if (events.units[i] == kNoNode) continue;
      uint32_t count = plan_.scopes[plan_.scopeOf(plan_.holdings[i].begin)].count;
      int64_t parallel = plan_.scopes[plan_.holdings[i].home].parallel;
      int64_t amount = plan_.holdings[i].amount[static_cast<size_t>(resource)];
      for (uint32_t copy = 0; copy < count; ++copy) {
        weights[events.units[i] + copy] = std::min(timesHeld(amount, parallel), most);
        holdingOf[events.units[i] + copy - events.firstUnit] = i;
        sum += weights[events.units[i] + copy];
      }
    }
    if (sum <= result_.amounts[resource].value) return;
    auto heavy = std::find_if(weights.begin(), weights.end(), [](int64_t w) { return w > 0; });
    bool isAlone = *heavy == sum;
    std::optional<std::vector<NodeId>> heaviest =
        isAlone ? std::vector{static_cast<NodeId>(heavy - weights.begin())}
                : graph::maximumAntichain(graph, weights);
    if (!heaviest) return;  // tokens in a circle: nothing of it ever runs
    takeAnswer(*heaviest, weights, holdingOf, events, resource);
  }

  void takeAnswer(const std::vector<NodeId>& heaviest, const std::vector<int64_t>& weights,
                  const std::vector<size_t>& holdingOf, const EventGraph& events,
                  Resource resource) {
    std::map<size_t, int64_t> copies;
    int64_t value = 0;
    for (NodeId id : heaviest) {
      if (weights[id] == 0) continue;
      ++copies[holdingOf[id - events.firstUnit]];
      value += weights[id];
    }
    Amount& amount = result_.amounts[resource];
    if (value <= amount.value) return;
    amount.value = value;
    amount.contributors.clear();
    for (auto [index, count] : copies) {
      const Holding& holding = plan_.holdings[index];
      int64_t parallel = plan_.scopes[holding.home].parallel;
      amount.contributors.push_back(
          {holding.op, holding.amount[static_cast<size_t>(resource)], timesHeld(count, parallel)});
    }
  }

  BodyPlan& plan_;
  bool coexist_;
  std::vector<uint32_t>& firstOf_;
  Peak result_;
};

}  // namespace

BodyScheduler::BodyScheduler(LevelGraph& program)
    : program_(program), scopes_(program.acdg.scopes.size()), events_(program.acdg.nodes.size()) {}

Peak BodyScheduler::peakOf(ScopeId body, std::vector<Holding> holdings, bool segmentsCoexist) {
  BodyPlan plan(program_, scopes_, body, std::move(holdings));
  planCopies(plan);
  findChoices(plan);
  // What is inside of something that cannot be counted cannot be counted either.
  for (ScopeId scope : plan.scopesOfBody)
    if (scope != body && scopes_[scope].cut.empty())
      scopes_[scope].cut = scopes_[plan.parentOf(scope)].cut;
  return PeakFinder(plan, segmentsCoexist, events_).find();
}

}  // namespace airlite::analysis
