// The order of tokens as a graph: an arc leads from a token to one that cannot fire before it.
//
// An op that waits for several tokens fires after each of them. The argument of a loop is one token
// in the first run and another later; the result of a conditional comes from one of its branches.
// These fire after a token only if all that they may be do.
#include "airlite/graph/TokenOrder.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::graph {

namespace {

bool isTokenValue(Value value) { return air::isTokenType(value.type()); }

bool contains(const std::vector<NodeId>& list, NodeId item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool runsAtLeastOnce(scf::ParallelOp loop) {
  for (unsigned i = 0; i < loop.numLoops(); ++i) {
    std::optional<int64_t> lower = constantIntOf(loop.lowerBounds()[i]);
    std::optional<int64_t> upper = constantIntOf(loop.upperBounds()[i]);
    if (!lower || !upper || *lower >= *upper) return false;
  }
  return true;
}

/// The reduction of two tokens fires after both.
bool joinsBoth(Block& reduction) {
  Operation* end = reduction.terminator();
  Operation* join = end && end->numOperands() == 1 ? end->operand(0).definingOp() : nullptr;
  if (!join || !isa<air::WaitAllOp>(join) || join->block() != &reduction) return false;
  std::vector<Value> joined = join->operands().vec(), arguments = reduction.arguments();
  return std::all_of(arguments.begin(), arguments.end(), [&](Value value) {
    return std::find(joined.begin(), joined.end(), value) != joined.end();
  });
}

}  // namespace

class TokenOrder::Builder {
 public:
  explicit Builder(TokenOrder& order) : order_(order) {}

  void build(Operation& root) {
    addOp(root);  // the arguments of a loop come before what is in it
    std::vector<Arc> arcs;
    for (NodeId to = 0; to < before_.size(); ++to)
      for (NodeId from : before_[to])
        arcs.push_back({from, to});
    order_.reachability_ = Reachability(Digraph(static_cast<NodeId>(before_.size()), arcs));
  }

 private:
  NodeId vertex(Value token) {
    auto [slot, isNew] = order_.vertexOf_.try_emplace(token, NodeId(before_.size()));
    if (isNew) {
      order_.tokens_.push_back(token);
      before_.emplace_back();
    }
    return slot->second;
  }

  void addArc(NodeId from, NodeId to) {
    if (from != to) before_[to].push_back(from);
  }

  void addRegions(Operation& op) {
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Operation& inner : block.ops())
          addOp(inner);
  }

  void addOp(Operation& op) {
    if (air::isAsyncOp(op)) return addAsync(op);
    if (op.numRegions() == 0) return;
    if (scf::ForOp loop = dynCast<scf::ForOp>(&op))
      return addLoop(op, loop.initArgs(), loop.tripCount().value_or(0) > 0);
    if (affine::ForOp loop = dynCast<affine::ForOp>(&op))
      return addLoop(op, loop.inits(), loop.tripCount().value_or(0) > 0);
    if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op)) return addParallel(loop);
    bool isBranch = isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op);
    if (isBranch && op.numResults()) return addBranch(op);
    addRegions(op);
  }

  void addAsync(Operation& op) {
    if (air::HierarchyOp hierarchy = air::asHierarchy(&op))
      for (unsigned i = 0; i < hierarchy.numKernelOperands(); ++i)
        if (isTokenValue(hierarchy.kernelOperands()[i]))
          order_.vertexOf_[hierarchy.kernelArgument(i)] = vertex(hierarchy.kernelOperands()[i]);
    std::vector<NodeId> waited;
    for (Value token : air::AsyncOp(&op).dependencies())
      waited.push_back(vertex(token));
    addRegions(op);
    Value token = air::AsyncOp(&op).token();
    if (token) before_[vertex(token)] = std::move(waited);
  }

  // -- Bodies ------------------------------------------------------------------------------------

  /// The tokens from before `first` (outside of the body whose vertices begin there), and the
  /// arguments of the body, that `token` fires after.
  struct Frontier {
    std::vector<NodeId> outside, arguments;
  };

  Frontier frontierOf(NodeId token, NodeId first, const std::vector<NodeId>& arguments) {
    Frontier frontier;
    ++visit_;
    visited_.resize(before_.size());
    std::vector<NodeId> work{token};
    visited_[token] = visit_;
    while (!work.empty()) {
      NodeId node = work.back();
      work.pop_back();
      bool isArgument = contains(arguments, node);
      if (node < first || isArgument) {
        (isArgument ? frontier.arguments : frontier.outside).push_back(node);
        continue;
      }
      for (NodeId before : before_[node])
        if (std::exchange(visited_[before], visit_) != visit_) work.push_back(before);
    }
    return frontier;
  }

  /// An iteration argument of token type.
  struct Carried {
    unsigned result;
    NodeId init, argument;
    NodeId yielded = kNoNode;
    Frontier frontier = {};
  };

  void addLoop(Operation& op, OperandRange inits, bool runs) {
    Block& body = op.region().front();
    std::vector<Carried> carried;
    for (unsigned i = 0; i < inits.size(); ++i)
      if (isTokenValue(inits[i])) carried.push_back({i, vertex(inits[i]), kNoNode});
    NodeId first = static_cast<NodeId>(before_.size());
    std::vector<NodeId> arguments;
    for (Carried& c : carried)
      arguments.push_back(c.argument = vertex(body.argument(1 + c.result)));
    addRegions(op);
    for (Carried& c : carried) {
      c.yielded = vertex(body.back().operand(c.result));
      c.frontier = frontierOf(c.yielded, first, arguments);
    }
    std::vector<NodeId> results;
    for (const Carried& c : carried)
      results.push_back(vertex(op.result(c.result)));
    for (const Carried& c : carried)
      addInvariant(c.init, carried, results);
    for (size_t i = 0; runs && i < carried.size(); ++i)
      addArc(carried[i].yielded, results[i]);
  }

  /// The arguments that fire after `token` in every run: they begin with it, and each run hands on
  /// something that comes after it, or after another such argument. Their results do so too.
  void addInvariant(NodeId token, const std::vector<Carried>& carried,
                    const std::vector<NodeId>& results) {
    std::vector<NodeId> kept;
    for (const Carried& c : carried)
      if (c.init == token) kept.push_back(c.argument);
    auto holds = [&](const Carried& c) {
      const std::vector<NodeId>& arguments = c.frontier.arguments;
      return contains(c.frontier.outside, token) ||
             std::any_of(arguments.begin(), arguments.end(),
                         [&](NodeId argument) { return contains(kept, argument); });
    };
    for (size_t size = kept.size() + 1; size != kept.size();) {
      size = kept.size();
      for (const Carried& c : carried)
        if (!holds(c)) std::erase(kept, c.argument);
    }
    for (size_t i = 0; i < carried.size(); ++i) {
      if (!contains(kept, carried[i].argument)) continue;
      if (!contains(before_[carried[i].argument], token)) addArc(token, carried[i].argument);
      if (!contains(before_[results[i]], token)) addArc(token, results[i]);
    }
  }

  void addParallel(scf::ParallelOp loop) {
    addRegions(*loop);
    bool runs = runsAtLeastOnce(loop);
    for (unsigned i = 0; i < loop->numResults(); ++i) {
      if (!isTokenValue(loop->result(i))) continue;
      NodeId init = vertex(loop.initVals()[i]), reduced = vertex(loop.reduce().values()[i]);
      NodeId result = vertex(loop->result(i));
      if (!joinsBoth(loop.reduce().reduction(i))) continue;
      addArc(init, result);
      if (runs) addArc(reduced, result);
    }
  }

  /// What the tokens of all branches fire after.
  void addBranch(Operation& op) {
    std::vector<std::vector<NodeId>> common(op.numResults());
    for (unsigned region = 0; region < op.numRegions(); ++region) {
      NodeId first = static_cast<NodeId>(before_.size());
      addBlocks(op.region(region));
      Operation* end = op.region(region).empty() ? nullptr : op.region(region).front().terminator();
      for (unsigned i = 0; i < op.numResults(); ++i) {
        bool known = end && i < end->numOperands() && isTokenValue(op.result(i));
        std::vector<NodeId> outside =
            known ? frontierOf(vertex(end->operand(i)), first, {}).outside : std::vector<NodeId>();
        if (region == 0)
          common[i] = std::move(outside);
        else
          std::erase_if(common[i], [&](NodeId token) { return !contains(outside, token); });
      }
    }
    for (unsigned i = 0; i < op.numResults(); ++i)
      if (isTokenValue(op.result(i))) before_[vertex(op.result(i))] = common[i];
  }

  void addBlocks(Region& region) {
    for (Block& block : region.blocks())
      for (Operation& op : block.ops())
        addOp(op);
  }

  TokenOrder& order_;
  std::vector<std::vector<NodeId>> before_;  // of each vertex
  std::vector<uint64_t> visited_;
  uint64_t visit_ = 0;
};

TokenOrder::TokenOrder(Operation& root) { Builder(*this).build(root); }

NodeId TokenOrder::find(Value token) const {
  auto found = vertexOf_.find(token);
  return found == vertexOf_.end() ? kNoNode : found->second;
}

bool TokenOrder::isImplied(Value earlier, Value later) {
  NodeId from = find(earlier), to = find(later);
  if (from == kNoNode || to == kNoNode) return earlier == later;
  return reachability_.reaches(from, to);
}

std::vector<Value> TokenOrder::latest(std::span<const Value> tokens) {
  std::vector<NodeId> known;
  for (Value token : tokens)
    if (NodeId vertex = find(token); vertex != kNoNode) known.push_back(vertex);
  std::vector<NodeId> kept = reachability_.latest(known);
  std::vector<Value> result;
  auto next = kept.begin();
  for (Value token : tokens) {
    NodeId vertex = find(token);
    bool isNew =
        vertex == kNoNode && std::find(result.begin(), result.end(), token) == result.end();
    bool isKept = next != kept.end() && vertex == *next;
    if (isKept) ++next;
    if (isNew || isKept) result.push_back(token);
  }
  return result;
}

}  // namespace airlite::graph
