// The plan of one body: what the phases of the scheduler hand on. Phases in their order:
//   planCopies   which runs of each loop are told apart
//   findChoices  which ways through the body there are
//   waysThrough  which of these are looked at (BodyEvents.hpp)
//   eventsOf     the graph of events of one of them
// and in the end the heaviest antichains of each graph (BodySchedule.cpp).
#pragma once

#include "BodySchedule.hpp"

namespace airlite::analysis {

/// Runs of loops inside each other that are told apart, all together.
inline constexpr uint32_t kMaxCopies = 64;

/// Something that has several ways to go.
struct Choice {
  enum class Kind : uint8_t { Branch, MayNotRun, Affinity } kind;
  graph::NodeId node = graph::kNoNode;      // branch or loop
  std::vector<graph::NodeId> members = {};  // of an affinity group
  size_t options = 0;
};

/// A control op that makes every answer of its body a lower bound.
struct Doubt {
  graph::NodeId control;
  std::string_view why;
};

struct BodyPlan {
  BodyPlan(LevelGraph& program, std::vector<ScopeState>& scopes, graph::ScopeId body,
           std::vector<Holding> holdings);

  LevelGraph& program;
  const graph::Acdg& acdg;
  std::vector<ScopeState>& scopes;  // of the whole program; those of this body are valid
  graph::ScopeId body;
  std::vector<graph::ScopeId> scopesOfBody;  // outer before inner
  std::vector<Holding> holdings;
  std::vector<Choice> choices;
  std::vector<Doubt> doubts;

  const graph::Node& node(graph::NodeId id) const { return acdg.nodes[id]; }
  graph::ScopeId scopeOf(graph::NodeId id) const { return acdg.nodes[id].scope; }
  graph::ScopeId parentOf(graph::ScopeId scope) const { return acdg.scopes[scope].parent; }
  graph::NodeId ownerOf(graph::ScopeId scope) const { return acdg.scopes[scope].owner; }
  bool isInside(graph::ScopeId scope, graph::ScopeId outer) const {
    while (scopes[scope].depth > scopes[outer].depth)
      scope = parentOf(scope);
    return scope == outer;
  }
  graph::ScopeId commonScope(graph::ScopeId a, graph::ScopeId b) const {
    while (a != b)
      if (scopes[a].depth >= scopes[b].depth)
        a = parentOf(a);
      else
        b = parentOf(b);
    return a;
  }
  bool isLoopBody(graph::ScopeId scope) const {
    return scope != body && node(ownerOf(scope)).kind == graph::NodeKind::Loop;
  }
  bool isOff(graph::NodeId id) const { return scopes[scopeOf(id)].isOff; }
  uint32_t carriedTokens(graph::ScopeId scope) const;
  /// Runs of a loop, instances of a parallel one; none when that is not constant.
  std::optional<int64_t> trips(graph::NodeId owner) {
    return constantPoints(*node(owner).op, program.indices);
  }
  /// A token argument of a loop that is yielded as it came.
  bool isHandedOn(graph::NodeId id) const;
};

void planCopies(BodyPlan& plan);
void findChoices(BodyPlan& plan);

}  // namespace airlite::analysis
