// Affinity and concurrency lists against each other, against dependencies, against the device.
#include "airlite/analysis/TokenLists.hpp"

#include "BodySchedule.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/Algorithms.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace airlite::analysis {

using graph::Acdg;
using graph::Digraph;
using graph::EdgeKind;
using graph::kNoNode;
using graph::NodeId;
using graph::NodeKind;
using graph::ScopeId;
using graph::TokenGroup;

namespace {

// -- Affinity -------------------------------------------------------------------------------------

/// Who shares resources with whom: ops that list one token for affinity, and with these who lists
/// another one with them.
class Sharing {
 public:
  explicit Sharing(const Acdg& acdg) : acdg_(acdg) {
    for (size_t i = 0; i < acdg.groups.size(); ++i)
      if (acdg.groups[i].kind == TokenGroup::Kind::Affinity)
        for (NodeId member : acdg.groups[i].members)
          groupsOf_[member].push_back(i);
  }

  bool isEmpty() const { return groupsOf_.empty(); }

  /// For every op that shares with `start`: the op on the way to it; `start` for itself.
  std::unordered_map<NodeId, NodeId> from(NodeId start) const {
    std::unordered_map<NodeId, NodeId> before{{start, start}};
    std::vector<bool> isDone(acdg_.groups.size(), false);
    std::deque<NodeId> work{start};
    for (; !work.empty(); work.pop_front()) {
      auto groups = groupsOf_.find(work.front());
      if (groups == groupsOf_.end()) continue;
      for (size_t group : groups->second) {
        if (isDone[group]) continue;
        isDone[group] = true;
        for (NodeId member : acdg_.groups[group].members)
          if (before.try_emplace(member, work.front()).second) work.push_back(member);
      }
    }
    return before;
  }

 private:
  const Acdg& acdg_;
  std::unordered_map<NodeId, std::vector<size_t>> groupsOf_;
};

// -- Order ----------------------------------------------------------------------------------------

/// Which events come before which, where all in between is certain to run.
class CertainOrder {
 public:
  explicit CertainOrder(const Acdg& acdg)
      : acdg_(acdg), events_(graph::eventGraph(acdg, {.channels = false})), quick_(events_) {
    for (ScopeId id = 0; id < acdg.scopes.size(); ++id)
      mayNotRun_.push_back(isConditional(id));
  }

  /// Nodes of a shortest way from the end of `first` to the begin of `second`, both included; empty
  /// when there is none.
  std::vector<NodeId> way(NodeId first, NodeId second) {
    NodeId from = graph::endOf(first), to = graph::beginOf(second);
    if (!quick_.reaches(from, to)) return {};
    std::unordered_map<NodeId, NodeId> before{{from, from}};
    std::deque<NodeId> work{from};
    for (; !work.empty() && !before.contains(to); work.pop_front())
      for (NodeId next : events_.successors(work.front()))
        if (quick_.reaches(next, to) && isCertain(work.front() / 2, next / 2, first))
          if (before.try_emplace(next, work.front()).second) work.push_back(next);
    if (!before.contains(to)) return {};
    std::vector<NodeId> nodes;
    for (NodeId at = to;; at = before.at(at)) {
      if (nodes.empty() || nodes.back() != at / 2) nodes.push_back(at / 2);
      if (at == from) break;
    }
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }

 private:
  bool isConditional(ScopeId id) {
    const graph::Scope& scope = acdg_.scopes[id];
    if (scope.owner == kNoNode) return false;
    NodeKind kind = acdg_.nodes[scope.owner].kind;
    if (kind == NodeKind::Branch) return true;
    if (kind != NodeKind::Loop && kind != NodeKind::Parallel) return false;
    std::optional<int64_t> runs = constantPoints(*scope.op, indices_);
    return !runs || *runs == 0;
  }

  /// A way out of a body that may not run proves nothing, unless `first` is in there as well.
  bool isCertain(NodeId from, NodeId to, NodeId first) const {
    for (ScopeId scope = acdg_.nodes[from].scope; !contains(scope, to);
         scope = acdg_.scopes[scope].parent)
      if (mayNotRun_[scope] && !contains(scope, first)) return false;
    return acdg_.nodes[to].kind != NodeKind::Result || isAlwaysResult(from, to);
  }

  /// A token from around a branch or loop that is yielded there: only where all ways do so.
  bool isAlwaysResult(NodeId from, NodeId result) const {
    Operation& op = *acdg_.nodes[result].op;
    for (Operation* up = acdg_.nodes[from].op; up; up = up->parentOp())
      if (up == &op) return true;  // made in it: asked above
    std::span<Region> regions = op.regions();
    if (regions.size() == 1 || isa<scf::WhileOp>(&op)) return !mayNotRun_[bodyOf(op, result)];
    unsigned number = acdg_.nodes[result].token.index();
    return std::all_of(regions.begin(), regions.end(), [&](Region& region) {
      Operation* end = region.empty() ? nullptr : region.front().terminator();
      return end && number < end->numOperands() && end->operand(number) == acdg_.nodes[from].token;
    });
  }

  /// Of a loop.
  ScopeId bodyOf(Operation& op, NodeId result) const {
    for (ScopeId child : acdg_.scopes[acdg_.nodes[result].scope].children)
      if (acdg_.scopes[child].op == &op) return child;
    return acdg_.nodes[result].scope;
  }

  bool contains(ScopeId outer, NodeId node) const {
    ScopeId scope = acdg_.nodes[node].scope;
    // A scope comes after the one around it.
    while (scope > outer)
      scope = acdg_.scopes[scope].parent;
    return scope == outer;
  }

  const Acdg& acdg_;
  LinearReader indices_;
  Digraph events_;
  graph::Reachability quick_;
  std::vector<bool> mayNotRun_;
};

// -- All of it ------------------------------------------------------------------------------------

class ConflictFinder {
 public:
  ConflictFinder(const Acdg& acdg, const ResourceAnalysis& analysis, const DeviceLimits* device)
      : acdg_(acdg), analysis_(analysis), device_(device), sharing_(acdg) {
    if (!device) return;
    for (const Overflow& overflow : findOverflows(analysis, *device))
      overflows_.push_back({overflow.level->op, overflow.resource});
    for (const ResourceFootprint& level : analysis.levels)
      levels_[level.op] = &level;
  }

  std::vector<TokenConflict> find() {
    for (const TokenGroup& group : acdg_.groups) {
      if (group.kind != TokenGroup::Kind::Concurrency || group.members.size() < 2) continue;
      if (!sharing_.isEmpty()) findSharing(group);
      findOrder(group);
      if (device_) findDemand(group);
    }
    return std::move(found_);
  }

 private:
  Operation* op(NodeId node) const { return acdg_.nodes[node].op; }

  void findSharing(const TokenGroup& group) {
    for (NodeId first : group.members) {
      std::unordered_map<NodeId, NodeId> before = sharing_.from(first);
      for (NodeId second : group.members) {
        if (second <= first || !before.contains(second)) continue;
        TokenConflict conflict{TokenConflict::Kind::Affinity, op(first), op(second)};
        for (NodeId at = second;; at = before.at(at)) {
          conflict.path.insert(conflict.path.begin(), op(at));
          if (at == first) break;
        }
        return found_.push_back(std::move(conflict));
      }
    }
  }

  void findOrder(const TokenGroup& group) {
    if (!order_) order_.emplace(acdg_);
    for (NodeId first : group.members)
      for (NodeId second : group.members) {
        std::vector<NodeId> way =
            first == second ? std::vector<NodeId>() : order_->way(first, second);
        if (way.empty()) continue;
        TokenConflict conflict{TokenConflict::Kind::Order, op(first), op(second)};
        for (NodeId node : way)
          if (op(node) && (conflict.path.empty() || conflict.path.back() != op(node)))
            conflict.path.push_back(op(node));
        return found_.push_back(std::move(conflict));
      }
  }

  /// What overflows alone, or together with what is around, has been reported.
  bool isReported(const TokenGroup& group, Resource resource) const {
    return std::any_of(overflows_.begin(), overflows_.end(), [&](const auto& overflow) {
      return overflow.second == resource &&
             std::any_of(group.members.begin(), group.members.end(), [&](NodeId member) {
               return overflow.first->isAncestor(op(member)) ||
                      op(member)->isAncestor(overflow.first);
             });
    });
  }

  void findDemand(const TokenGroup& group) {
    for (Resource resource : kResources) {
      std::optional<int64_t> limit = device_->device[resource];
      if (resource == Resource::L1Bytes || !limit || isReported(group, resource)) continue;
      TokenConflict conflict{TokenConflict::Kind::Device, op(group.members.front())};
      conflict.resource = resource;
      conflict.limit = *limit;
      for (NodeId member : group.members)
        addMember(conflict, member);
      if (conflict.needed <= *limit) continue;
      return found_.push_back(std::move(conflict));
    }
  }

  void addMember(TokenConflict& conflict, NodeId member) {
    auto level = levels_.find(op(member));
    if (level == levels_.end() || conflict.needed > conflict.limit) return;
    // A level is a part of the one around it.
    for (const Contributor& other : conflict.members)
      if (other.op->isAncestor(op(member))) return;
    int64_t amount = level->second->total[conflict.resource].value;
    conflict.needed += amount;
    conflict.second = op(member);
    conflict.members.push_back({op(member), amount, 1});
  }

  const Acdg& acdg_;
  const ResourceAnalysis& analysis_;
  const DeviceLimits* device_;
  Sharing sharing_;
  std::optional<CertainOrder> order_;
  std::vector<std::pair<Operation*, Resource>> overflows_;
  std::unordered_map<const Operation*, const ResourceFootprint*> levels_;
  std::vector<TokenConflict> found_;
};

// -- Messages -------------------------------------------------------------------------------------

std::string listTitle(const Operation& op) {
  std::string_view name = symbolName(op);
  return "'" + std::string(op.name()) + "'" + (name.empty() ? "" : " @" + std::string(name));
}

void report(const TokenConflict& conflict, const DeviceLimits* device) {
  InFlightDiagnostic error = conflict.second->emitOpError();
  switch (conflict.kind) {
    case TokenConflict::Kind::Affinity:
      error << "must run at the same time as " << listTitle(*conflict.first)
            << " (concurrency) and share its resources (affinity), which only one of them can hold "
               "at a time";
      error.note(conflict.first->location()) << listTitle(*conflict.first) << " is this one";
      for (size_t i = 1; i + 1 < conflict.path.size(); ++i)
        error.note(conflict.path[i]->location())
            << (i == 1 ? "it shares the resources of " : "which shares those of ")
            << listTitle(*conflict.path[i]);
      if (conflict.path.size() > 2)
        error.note(conflict.second->location())
            << "which shares those of " << listTitle(*conflict.second);
      return;
    case TokenConflict::Kind::Order:
      error << "must run at the same time as " << listTitle(*conflict.first)
            << " (concurrency), but begins after that has ended";
      error.note(conflict.first->location()) << listTitle(*conflict.first) << " ends first";
      for (size_t i = 1; i < conflict.path.size(); ++i)
        error.note(conflict.path[i]->location())
            << "then " << listTitle(*conflict.path[i]) << " comes, which waits for it";
      return;
    case TokenConflict::Kind::Device:
      error << "must run at the same time as others (concurrency), which together need "
            << countText(conflict.needed, conflict.resource) << ", but " << device->name << " has "
            << conflict.limit;
      for (const Contributor& member : conflict.members)
        error.note(member.op->location())
            << listTitle(*member.op) << " holds " << countText(member.amount, conflict.resource);
      return;
  }
}

}  // namespace

namespace {
/// Every conflict is about ops that must overlap.
bool hasConcurrency(Operation& root) {
  WalkResult result = root.walkWith([](Operation& op) {
    air::HierarchyOp level = air::asHierarchy(&op);
    return level && !level.concurrency().empty() ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}
}  // namespace

std::vector<TokenConflict> findTokenConflicts(const Acdg& acdg, const ResourceAnalysis& analysis,
                                              const DeviceLimits* device) {
  return ConflictFinder(acdg, analysis, device).find();
}

LogicalResult checkTokenLists(Operation& root, const ResourceAnalysis& analysis,
                              const DeviceLimits* device) {
  if (!hasConcurrency(root)) return success();
  Acdg acdg = graph::buildAcdg(root);
  std::vector<TokenConflict> conflicts = findTokenConflicts(acdg, analysis, device);
  for (const TokenConflict& conflict : conflicts)
    report(conflict, device);
  return conflicts.empty() ? success() : failure();
}

}  // namespace airlite::analysis
