// Which ways through a body are looked at, and what each of them leaves out.
#include "BodyEvents.hpp"

#include <algorithm>

namespace airlite::analysis {

using graph::kNoNode;
using graph::ScopeId;

namespace {

int64_t weightOf(const BodyPlan& plan, const Holding& holding) {
  int64_t sum = 0;
  for (int64_t amount : holding.amount)
    sum += amount;
  return timesHeld(sum, plan.scopes[holding.home].parallel);
}

size_t heaviestOption(const BodyPlan& plan, const Choice& choice) {
  if (choice.kind == Choice::Kind::MayNotRun) return choice.options - 1;
  std::vector<int64_t> weights(choice.options, 0);
  for (const Holding& holding : plan.holdings)
    for (size_t i = 0; i < choice.options; ++i) {
      const std::vector<ScopeId>* regions =
          choice.node == kNoNode ? nullptr : &plan.program.bodies[choice.node];
      bool counts = regions ? i < regions->size() && plan.isInside(holding.home, (*regions)[i])
                            : choice.members[i] == holding.begin;
      if (counts) weights[i] += weightOf(plan, holding);
    }
  return static_cast<size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

void applyOption(BodyPlan& plan, const Choice& choice, size_t option, BodyPath& path) {
  if (choice.kind == Choice::Kind::Affinity) {
    for (size_t i = 0; i < choice.members.size(); ++i)
      if (i != option) path.sharing.insert(choice.members[i]);
    return;
  }
  const std::vector<ScopeId>& regions = plan.program.bodies[choice.node];
  if (choice.kind == Choice::Kind::Branch) {
    for (size_t i = 0; i < regions.size(); ++i)
      if (i != option) plan.scopes[regions[i]].isOff = true;
  } else if (option == 0 && regions.size() > 1) {
    plan.scopes[regions[1]].isOff = true;  // of a while: the condition is computed at least once
  } else if (option == 0) {
    path.skipped.push_back(choice.node);
    plan.scopes[regions.front()].isOff = true;
  }
}

}  // namespace

BodyWays waysThrough(const BodyPlan& plan) {
  size_t number = 1;
  for (const Choice& choice : plan.choices)
    number = std::min(number * choice.options, kMaxPaths + 1);
  BodyWays ways;
  ways.areAll = number <= kMaxPaths;
  if (!ways.areAll) {
    std::vector<size_t>& heaviest = ways.options.emplace_back();
    for (const Choice& choice : plan.choices)
      heaviest.push_back(heaviestOption(plan, choice));
    return ways;
  }
  for (size_t i = 0; i < number; ++i) {
    std::vector<size_t>& options = ways.options.emplace_back();
    size_t rest = i;
    for (const Choice& choice : plan.choices) {
      options.push_back(rest % choice.options);
      rest /= choice.options;
    }
  }
  return ways;
}

BodyPath pathOf(BodyPlan& plan, const std::vector<size_t>& options) {
  for (ScopeId scope : plan.scopesOfBody)
    plan.scopes[scope].isOff = false;
  BodyPath path;
  for (size_t i = 0; i < plan.choices.size(); ++i)
    applyOption(plan, plan.choices[i], options[i], path);
  for (ScopeId scope : plan.scopesOfBody)
    if (scope != plan.body) plan.scopes[scope].isOff |= plan.scopes[plan.parentOf(scope)].isOff;
  return path;
}

}  // namespace airlite::analysis
