// What the phases of the body scheduler ask of a body.
#include "BodyPlan.hpp"

#include <algorithm>

namespace airlite::analysis {

using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;

namespace {

void collect(BodyPlan& plan, ScopeId scope) {
  ScopeState state;
  if (scope != plan.body) state.depth = plan.scopes[plan.parentOf(scope)].depth + 1;
  plan.scopes[scope] = state;
  plan.scopesOfBody.push_back(scope);
  for (NodeId id : plan.acdg.scopes[scope].nodes) {
    if (plan.program.isLevel(id)) continue;
    for (ScopeId inner : plan.program.bodies[id])
      collect(plan, inner);
  }
}

}  // namespace

BodyPlan::BodyPlan(LevelGraph& program, std::vector<ScopeState>& scopes, ScopeId body,
                   std::vector<Holding> holdings)
    : program(program),
      acdg(program.acdg),
      scopes(scopes),
      body(body),
      holdings(std::move(holdings)) {
  collect(*this, body);
}

uint32_t BodyPlan::carriedTokens(ScopeId scope) const {
  const std::vector<NodeId>& nodes = acdg.scopes[scope].nodes;
  return static_cast<uint32_t>(std::count_if(
      nodes.begin(), nodes.end(), [&](NodeId id) { return node(id).kind == NodeKind::Carried; }));
}

bool BodyPlan::isHandedOn(NodeId id) const {
  if (node(id).kind != NodeKind::Carried) return false;
  Operation* yield = node(id).token.argumentBlock()->terminator();
  unsigned number = node(id).token.index() - 1;  // the loop variable comes before it
  return yield && number < yield->numOperands() && yield->operand(number) == node(id).token;
}

}  // namespace airlite::analysis
