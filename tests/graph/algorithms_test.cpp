// Every algorithm against brute force on thousands of small random graphs, and all of them at
// 100,000 nodes.
#include "airlite/graph/Algorithms.hpp"

#include "RandomGraph.hpp"
#include "support/catch_all.hpp"

#include <chrono>
#include <set>

using namespace airlite::graph;

namespace {

constexpr unsigned kRuns = 3000;
constexpr NodeId kMaxNodes = 12;

/// Calls `check` with `kRuns` small graphs of all densities.
template <class Check> void forRandomGraphs(bool acyclic, Check check) {
  std::mt19937 random(acyclic ? 1 : 2);
  for (unsigned run = 0; run < kRuns; ++run) {
    NodeId nodes = random() % (kMaxNodes + 1);
    Digraph graph = randomGraph(random, nodes, random() % (2 * nodes + 1), acyclic);
    INFO("run " << run);
    check(graph, random);
  }
}

bool isOrder(const Digraph& graph, const std::vector<NodeId>& order) {
  std::vector<size_t> place(graph.numNodes(), SIZE_MAX);
  for (size_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  for (const Arc& arc : graph.arcs())
    if (place[arc.from] >= place[arc.to]) return false;
  return order.size() == graph.numNodes() && std::count(place.begin(), place.end(), SIZE_MAX) == 0;
}

bool hasCycle(const Matrix& closure) {
  for (size_t i = 0; i < closure.size(); ++i)
    if (closure[i][i]) return true;
  return false;
}

bool hasArc(const Digraph& graph, NodeId from, NodeId to) {
  std::span<const NodeId> next = graph.successors(from);
  return std::find(next.begin(), next.end(), to) != next.end();
}

/// Heaviest set without a path between two of its nodes, over all subsets.
int64_t slowAntichain(const Matrix& closure, const std::vector<int64_t>& weights) {
  size_t n = closure.size();
  int64_t best = 0;
  for (uint32_t set = 0; set < (1u << n); ++set) {
    int64_t weight = 0;
    bool free = true;
    for (size_t i = 0; i < n && free; ++i) {
      if (!(set >> i & 1)) continue;
      weight += weights[i];
      for (size_t j = 0; j < n; ++j)
        free &= !(set >> j & 1) || !closure[i][j];
    }
    if (free) best = std::max(best, weight);
  }
  return best;
}

/// Heaviest path by trying all of them.
double slowPath(const Digraph& graph, const std::vector<double>& weights, NodeId from) {
  double best = 0;
  for (NodeId to : graph.successors(from))
    best = std::max(best, slowPath(graph, weights, to));
  return best + weights[from];
}

double secondsOf(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("successors keep the order of the arcs") {
  std::vector<Arc> arcs{{1, 2}, {0, 2}, {1, 0}, {1, 2}};
  Digraph graph(3, arcs);
  CHECK(graph.numNodes() == 3);
  CHECK(graph.numArcs() == 4);
  std::span<const NodeId> next = graph.successors(1);
  CHECK(std::vector<NodeId>(next.begin(), next.end()) == std::vector<NodeId>{2, 0, 2});
  CHECK(graph.reversed().arcs() == std::vector<Arc>{{0, 1}, {2, 0}, {2, 1}, {2, 1}});
  CHECK(Digraph().numNodes() == 0);
}

TEST_CASE("topological order") {
  forRandomGraphs(true, [](const Digraph& graph, std::mt19937&) {
    auto order = topologicalOrder(graph);
    REQUIRE(order);
    CHECK(isOrder(graph, *order));
  });
  forRandomGraphs(false, [](const Digraph& graph, std::mt19937&) {
    CHECK(topologicalOrder(graph).has_value() == !hasCycle(slowClosure(graph)));
  });
  std::vector<Arc> arcs{{3, 0}, {1, 0}};
  CHECK(*topologicalOrder(Digraph(4, arcs)) == std::vector<NodeId>{1, 2, 3, 0});
}

TEST_CASE("strongly connected components") {
  forRandomGraphs(false, [](const Digraph& graph, std::mt19937&) {
    Matrix closure = slowClosure(graph);
    Components components = stronglyConnectedComponents(graph);
    for (NodeId i = 0; i < graph.numNodes(); ++i)
      for (NodeId j = 0; j < graph.numNodes(); ++j) {
        bool together = i == j || (closure[i][j] && closure[j][i]);
        CHECK((components.of[i] == components.of[j]) == together);
        if (closure[i][j]) CHECK(components.of[i] <= components.of[j]);
      }
    std::set<NodeId> numbers(components.of.begin(), components.of.end());
    CHECK(numbers.size() == components.count);
  });
}

TEST_CASE("a cycle is a cycle, and there is one where there is one") {
  forRandomGraphs(false, [](const Digraph& graph, std::mt19937&) {
    std::vector<NodeId> cycle = findCycle(graph);
    CHECK(cycle.empty() == !hasCycle(slowClosure(graph)));
    for (size_t i = 0; i < cycle.size(); ++i)
      CHECK(hasArc(graph, cycle[i], cycle[(i + 1) % cycle.size()]));
    CHECK(std::set<NodeId>(cycle.begin(), cycle.end()).size() == cycle.size());
  });
  std::vector<Arc> arcs{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 2}};
  CHECK(findCycle(Digraph(4, arcs)) == std::vector<NodeId>{1, 2, 3});
}

TEST_CASE("closure and reachability") {
  for (bool acyclic : {true, false})
    forRandomGraphs(acyclic, [](const Digraph& graph, std::mt19937&) {
      Matrix slow = slowClosure(graph);
      auto closure = transitiveClosure(graph);
      REQUIRE(closure);
      Reachability reachability(graph);
      for (NodeId i = 0; i < graph.numNodes(); ++i)
        for (NodeId j = 0; j < graph.numNodes(); ++j) {
          CHECK(closure->reaches(i, j) == slow[i][j]);
          CHECK(reachability.reaches(i, j) == (i == j || slow[i][j]));
        }
    });
  CHECK(!transitiveClosure(Digraph(TransitiveClosure::kMaxNodes + 1, {})));
}

TEST_CASE("reachability where labels decide little") {
  std::mt19937 random(3);
  for (unsigned run = 0; run < 30; ++run) {
    Digraph graph = randomGraph(random, 300, 300 + 60 * run, run % 2);
    auto closure = transitiveClosure(graph);
    Reachability reachability(graph);
    for (NodeId i = 0; i < 300; ++i)
      for (NodeId j = 0; j < 300; ++j)
        if (reachability.reaches(i, j) != (i == j || closure->reaches(i, j)))
          FAIL("run " << run << ": " << i << " to " << j);
  }
}

TEST_CASE("of a list what leads to no other entry") {
  // Lists of both kinds: compared pair by pair, and of more than a thousand independent entries.
  for (NodeId nodes : {NodeId(20), NodeId(200), NodeId(4000)}) {
    std::mt19937 random(nodes);
    for (unsigned run = 0; run < (nodes > 1000 ? 6u : 300u); ++run) {
      Digraph graph = randomGraph(random, nodes, nodes + random() % nodes, run % 2);
      auto closure = transitiveClosure(graph);
      std::vector<NodeId> list(nodes * 3 / 4);
      for (NodeId& node : list)
        node = random() % nodes;
      std::vector<NodeId> expected;
      for (size_t i = 0; i < list.size(); ++i) {
        bool dropped = false;
        for (size_t j = 0; j < list.size(); ++j) {
          bool back = list[i] == list[j] || closure->reaches(list[j], list[i]);
          bool there = list[i] == list[j] || closure->reaches(list[i], list[j]);
          dropped |= there && (!back || j < i);
        }
        if (!dropped) expected.push_back(list[i]);
      }
      INFO(nodes << " nodes, run " << run);
      CHECK(Reachability(graph).latest(list) == expected);
    }
  }
}

TEST_CASE("transitive reduction") {
  forRandomGraphs(true, [](const Digraph& graph, std::mt19937&) {
    auto arcs = transitiveReduction(graph);
    REQUIRE(arcs);
    Matrix closure = slowClosure(graph);
    CHECK(slowClosure(Digraph(graph.numNodes(), *arcs)) == closure);
    // Of a graph without cycles there is one reduction: the arcs that no other path replaces.
    for (const Arc& arc : *arcs)
      for (NodeId k = 0; k < graph.numNodes(); ++k)
        CHECK(!(closure[arc.from][k] && closure[k][arc.to]));
    CHECK(std::set<Arc>(arcs->begin(), arcs->end()).size() == arcs->size());
  });
  forRandomGraphs(false, [](const Digraph& graph, std::mt19937&) {
    CHECK(transitiveReduction(graph).has_value() == topologicalOrder(graph).has_value());
  });
}

TEST_CASE("critical path") {
  forRandomGraphs(true, [](const Digraph& graph, std::mt19937& random) {
    std::vector<double> weights(graph.numNodes());
    for (double& weight : weights)
      weight = random() % 5;
    auto path = criticalPath(graph, [&](NodeId node) { return weights[node]; });
    REQUIRE(path);
    double best = 0, sum = 0;
    for (NodeId node = 0; node < graph.numNodes(); ++node)
      best = std::max(best, slowPath(graph, weights, node));
    CHECK(path->length == best);
    for (size_t i = 0; i < path->nodes.size(); ++i) {
      NodeId node = path->nodes[i];
      sum += weights[node];
      if (i) CHECK(hasArc(graph, path->nodes[i - 1], node));
      CHECK(path->earliest[node] == path->latest[node]);
    }
    CHECK(sum == best);
    for (NodeId node = 0; node < graph.numNodes(); ++node) {
      CHECK(path->earliest[node] == slowPath(graph.reversed(), weights, node));
      CHECK(best - path->latest[node] + weights[node] == slowPath(graph, weights, node));
    }
  });
  std::vector<Arc> circle{{0, 1}, {1, 0}};
  CHECK(!criticalPath(Digraph(2, circle), [](NodeId) { return 1.0; }));
}

TEST_CASE("maximum antichain") {
  forRandomGraphs(true, [](const Digraph& graph, std::mt19937& random) {
    Matrix closure = slowClosure(graph);
    std::vector<int64_t> weights(graph.numNodes(), 1);
    auto antichain = maximumAntichain(graph);
    REQUIRE(antichain);
    CHECK(int64_t(antichain->size()) == slowAntichain(closure, weights));
    for (int64_t& weight : weights)
      weight = random() % 4;
    antichain = maximumAntichain(graph, weights);
    int64_t sum = 0;
    for (NodeId i : *antichain) {
      sum += weights[i];
      for (NodeId j : *antichain)
        CHECK(!closure[i][j]);
    }
    CHECK(sum == slowAntichain(closure, weights));
    CHECK(std::is_sorted(antichain->begin(), antichain->end()));
  });
  std::vector<Arc> circle{{0, 1}, {1, 0}};
  CHECK(!maximumAntichain(Digraph(2, circle)));
}

TEST_CASE("100,000 nodes") {
  constexpr NodeId kNodes = 100000;
  std::mt19937 random(4);
  // Programs look like this: ops wait for one of the last few, and for one from long ago.
  std::vector<Arc> arcs;
  for (NodeId node = 1; node < kNodes; ++node) {
    arcs.push_back({node - 1 - std::min<NodeId>(node - 1, random() % 8), node});
    arcs.push_back({NodeId(random() % std::min<NodeId>(node, 16)), node});
    if (node % 5000 == 0)
      for (NodeId i = 1; i <= 1000; ++i)
        arcs.push_back({node - i, node});
  }
  for (const Digraph& graph :
       {Digraph(kNodes, arcs), randomGraph(random, kNodes, 3 * kNodes, true)}) {
    double seconds = secondsOf([&] {
      auto order = topologicalOrder(graph);
      REQUIRE(order);
      auto reduced = transitiveReduction(graph);
      REQUIRE(reduced);
      CHECK(reduced->size() < graph.numArcs());
      Reachability reachability(graph);
      for (unsigned i = 0; i < 100000; ++i)
        (void)reachability.reaches(random() % kNodes, random() % kNodes);
      CHECK(criticalPath(graph, [](NodeId) { return 1.0; })->length > 10);
    });
    CHECK(seconds < 60);  // 0.3 s where it was written; a quadratic way would take hours
  }
  double seconds = secondsOf([&] {
    std::erase_if(arcs, [](const Arc& arc) { return arc.to >= kNodes / 4; });
    Digraph graph(kNodes / 4, arcs);
    auto antichain = maximumAntichain(graph);
    REQUIRE(antichain);
    Reachability reachability(graph);
    CHECK(reachability.latest(*antichain) == *antichain);
  });
  CHECK(seconds < 120);  // below a second
}
