// Reads the ACDG off a program: one walk in program order, with the node of every token at hand.
#include "../support/FlatMap.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/Acdg.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>

namespace airlite::graph {

namespace {

NodeKind kindOf(const Operation& op) {
  if (isa<air::LaunchOp>(&op)) return NodeKind::Launch;
  if (isa<air::SegmentOp>(&op)) return NodeKind::Segment;
  if (isa<air::HerdOp>(&op)) return NodeKind::Herd;
  if (isa<air::RankOp>(&op)) return NodeKind::Rank;
  if (isa<air::ExecuteOp>(&op)) return NodeKind::Execute;
  if (isa<air::DmaMemcpyNdOp>(&op)) return NodeKind::Dma;
  if (isa<air::ChannelPutOp>(&op)) return NodeKind::Put;
  if (isa<air::ChannelGetOp>(&op)) return NodeKind::Get;
  if (isa<air::WaitAllOp>(&op)) return NodeKind::WaitAll;
  if (air::isAsyncOp(op)) return NodeKind::Custom;
  if (op.hasTrait(Trait::ParallelLoop)) return NodeKind::Parallel;
  if (op.hasTrait(Trait::LoopLike)) return NodeKind::Loop;
  if (isa<scf::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op) || isa<affine::IfOp>(&op))
    return NodeKind::Branch;
  return NodeKind::Region;
}

bool isToken(Value value) { return air::isTokenType(value.type()); }

bool hasToken(const Operation& op) {
  OperandRange operands = op.operands();
  std::vector<Value> results = op.resultValues();
  return std::any_of(operands.begin(), operands.end(), isToken) ||
         std::any_of(results.begin(), results.end(), isToken);
}

/// Functions and modules: they hold programs and are not part of one.
bool isContainer(const Operation& op) {
  return op.hasTrait(Trait::Function) || op.hasTrait(Trait::SymbolTable);
}

// -- Channels -------------------------------------------------------------------------------------

/// The puts and gets of a program by place, and the edges between them.
class ChannelEnds {
 public:
  explicit ChannelEnds(Acdg& acdg) : acdg_(acdg) {}

  void add(NodeId node) {
    air::ChannelAccessOp op(acdg_.nodes[node].op);
    Channel& channel = channels_[{nearestSymbolTable(op.op()), op.channelName()}];
    if (channel.ends.empty()) {
      channel.declaration = op.channel();
      channel.isOnePlace = channel.declaration && channel.declaration.broadcastShape();
    }
    End end{node, {}};
    for (Value index : op.indices()) {
      std::optional<int64_t> constant = constantIntOf(index);
      channel.isOnePlace |= !constant;
      end.indices.push_back(constant.value_or(0));
    }
    channel.ends.push_back(std::move(end));
    order_.push_back(&channel);
  }

  void finish() {
    for (Channel* channel : order_)
      if (!std::exchange(channel->isDone, true)) addPlaces(*channel);
  }

 private:
  struct End {
    NodeId node;
    std::vector<int64_t> indices;
  };
  struct Channel {
    air::ChannelOp declaration;
    bool isOnePlace = false;  // who meets whom cannot be told by the indices
    bool isDone = false;
    std::vector<End> ends;
  };

  void addPlaces(const Channel& channel) {
    std::map<std::vector<int64_t>, ChannelPlace> places;
    for (const End& end : channel.ends) {
      ChannelPlace& place = places[channel.isOnePlace ? std::vector<int64_t>() : end.indices];
      const Node& node = acdg_.nodes[end.node];
      place.channel = air::ChannelAccessOp(node.op).channelName();
      place.declaration = channel.declaration.op();
      if (!channel.isOnePlace) place.indices = end.indices;
      (node.kind == NodeKind::Put ? place.puts : place.gets).push_back(end.node);
    }
    for (auto& [indices, place] : places) {
      addEdges(place);
      acdg_.channels.push_back(std::move(place));
    }
  }

  void addEdges(const ChannelPlace& place) {
    if (meetInOrder(place)) {
      for (size_t i = 0; i < place.puts.size(); ++i)
        addEdge(place.puts[i], place.gets[i]);
    } else if (place.puts.size() * place.gets.size() <= kMaxChannelPairs) {
      for (NodeId put : place.puts)
        for (NodeId get : place.gets)
          addEdge(put, get);
    } else {
      NodeId hub = static_cast<NodeId>(acdg_.nodes.size());
      acdg_.nodes.push_back({NodeKind::Channel, 0, place.declaration});
      acdg_.scopes[0].nodes.push_back(hub);
      for (NodeId put : place.puts)
        addEdge(put, hub);
      for (NodeId get : place.gets)
        addEdge(hub, get);
    }
  }

  /// As many puts as gets, each side in one block with the same indices: however often the blocks
  /// run, the first put meets the first get, and so on.
  bool meetInOrder(const ChannelPlace& place) const {
    return place.puts.size() == place.gets.size() && isOneRow(place.puts) && isOneRow(place.gets);
  }

  bool isOneRow(const std::vector<NodeId>& nodes) const {
    air::ChannelAccessOp first(acdg_.nodes[nodes.front()].op);
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
      air::ChannelAccessOp op(acdg_.nodes[node].op);
      return op->block() == first->block() && haveSameIndices(op, first);
    });
  }

  static bool haveSameIndices(air::ChannelAccessOp a, air::ChannelAccessOp b) {
    auto same = [](Value x, Value y) {
      return x == y || (constantIntOf(x) && constantIntOf(x) == constantIntOf(y));
    };
    return std::equal(a.indices().begin(), a.indices().end(), b.indices().begin(),
                      b.indices().end(), same);
  }

  void addEdge(NodeId from, NodeId to) { acdg_.edges.push_back({from, to, EdgeKind::Channel}); }

  Acdg& acdg_;
  std::map<std::pair<Operation*, std::string_view>, Channel> channels_;
  std::vector<Channel*> order_;
};

// -- Everything else ------------------------------------------------------------------------------

class AcdgBuilder {
 public:
  Acdg build(Operation& root) {
    markHolders(root);
    if (isContainer(root)) {
      addContainer(root, UINT32_MAX);
    } else {
      acdg_.scopes.push_back({.op = &root});
      Flow flow{0};
      addOp(root, flow);
    }
    ends_.finish();
    return std::move(acdg_);
  }

 private:
  /// A block being read.
  struct Flow {
    ScopeId scope;
    NodeId lastBlocking = kNoNode;
    bool blocks = false;  // something in it does
  };

  // -- What there is -----------------------------------------------------------------------------

  /// Ops around asynchronous ones have their bodies looked into.
  void markHolders(Operation& root) {
    root.walk([&](Operation& op) {
      if (!air::isAsyncOp(op) && !op.is("air.token.alloc")) return;
      for (Operation* up = op.parentOp(); up && up != root.parentOp(); up = up->parentOp())
        if (!holders_.insert(up, true).second) break;
    });
  }

  ScopeId addScope(Operation& op, unsigned region, NodeId owner, ScopeId parent) {
    ScopeId id = static_cast<ScopeId>(acdg_.scopes.size());
    acdg_.scopes.push_back({.op = &op, .owner = owner, .region = region, .parent = parent});
    if (parent != UINT32_MAX) acdg_.scopes[parent].children.push_back(id);
    return id;
  }

  NodeId addNode(const Node& node) {
    NodeId id = static_cast<NodeId>(acdg_.nodes.size());
    acdg_.nodes.push_back(node);
    acdg_.scopes[node.scope].nodes.push_back(id);
    return id;
  }

  void addEdge(NodeId from, NodeId to, EdgeKind kind) {
    if (from != to) acdg_.edges.push_back({from, to, kind});
  }

  /// A node that stands in the row of its block.
  NodeId addToFlow(Operation& op, NodeKind kind, Flow& flow) {
    NodeId node = addNode({kind, flow.scope, &op});
    if (flow.lastBlocking != kNoNode) addEdge(flow.lastBlocking, node, EdgeKind::Structural);
    return node;
  }

  void setBlocking(NodeId node, Flow& flow) {
    acdg_.nodes[node].isBlocking = true;
    flow.lastBlocking = node;
    flow.blocks = true;
  }

  // -- Tokens ------------------------------------------------------------------------------------

  void setNode(Value token, NodeId node) { nodeOf_[token.impl()] = node; }

  NodeId nodeOf(Value token, ScopeId scope) {
    if (const NodeId* known = nodeOf_.find(token.impl())) return *known;
    NodeId node = addNode({NodeKind::Token, scope, token.definingOp(), token});
    setNode(token, node);
    return node;
  }

  void addTokenEdge(Value token, NodeId to, EdgeKind kind) {
    addEdge(nodeOf(token, acdg_.nodes[to].scope), to, kind);
  }

  void addWaits(OperandRange tokens, NodeId node) {
    for (Value token : tokens)
      if (isToken(token)) addTokenEdge(token, node, EdgeKind::Dependency);
  }

  void addToGroups(OperandRange tokens, TokenGroup::Kind kind, NodeId member) {
    for (Value token : tokens) {
      NodeId from = nodeOf(token, acdg_.nodes[member].scope);
      auto [slot, isNew] = groups_.insert({{from, kind}, acdg_.groups.size()});
      if (isNew) acdg_.groups.push_back({kind, from, {}});
      acdg_.groups[slot->second].members.push_back(member);
    }
  }

  // -- Ops ---------------------------------------------------------------------------------------

  void addContainer(Operation& op, ScopeId parent) {
    for (unsigned i = 0; i < op.numRegions(); ++i)
      addRegion(op, i, addScope(op, i, kNoNode, parent));
  }

  /// Whether something in the region blocks.
  bool addRegion(Operation& op, unsigned region, ScopeId scope) {
    Flow flow{scope};
    for (Block& block : op.region(region).blocks())
      for (Operation& inner : block.ops())
        addOp(inner, flow);
    return flow.blocks;
  }

  void addOp(Operation& op, Flow& flow) {
    if (isContainer(op)) return addContainer(op, flow.scope);
    if (op.hasTrait(Trait::Terminator)) return;
    if (air::isAsyncOp(op)) return addAsync(op, flow);
    if (op.is("air.token.alloc"))
      return setNode(op.result(), addNode({NodeKind::Token, flow.scope, &op, op.result()}));
    if (holders_.find(&op) || hasToken(op)) return addControl(op, flow);
    if (!op.hasTrait(Trait::Symbol) && !isMemoryEffectFree(op))
      setBlocking(addToFlow(op, NodeKind::Compute, flow), flow);
  }

  void addAsync(Operation& op, Flow& flow) {
    NodeId node = addToFlow(op, kindOf(op), flow);
    addWaits(air::AsyncOp(&op).dependencies(), node);
    if (air::HierarchyOp hierarchy = air::asHierarchy(&op)) addBody(hierarchy, node);
    if (acdg_.nodes[node].kind == NodeKind::Put || acdg_.nodes[node].kind == NodeKind::Get)
      ends_.add(node);
    Value token = acdg_.nodes[node].token = air::AsyncOp(&op).token();
    if (!token) return setBlocking(node, flow);
    setNode(token, node);
  }

  void addBody(air::HierarchyOp op, NodeId node) {
    addToGroups(op.affinity(), TokenGroup::Kind::Affinity, node);
    addToGroups(op.concurrency(), TokenGroup::Kind::Concurrency, node);
    for (unsigned i = 0; i < op.numKernelOperands(); ++i)
      if (isToken(op.kernelOperands()[i]))
        setNode(op.kernelArgument(i), nodeOf(op.kernelOperands()[i], acdg_.nodes[node].scope));
    addRegion(*op, 0, addScope(*op, 0, node, acdg_.nodes[node].scope));
  }

  void addControl(Operation& op, Flow& flow) {
    NodeId node = addToFlow(op, kindOf(op), flow);
    bool blocks = false;
    if (scf::ForOp loop = dynCast<scf::ForOp>(&op))
      blocks = addLoop(op, node, {loop.initArgs(), 1});
    else if (affine::ForOp affineLoop = dynCast<affine::ForOp>(&op))
      blocks = addLoop(op, node, {affineLoop.inits(), 1});
    else if (scf::WhileOp whileLoop = dynCast<scf::WhileOp>(&op))
      blocks = addWhile(whileLoop, node);
    else
      blocks = addOther(op, node);
    if (blocks) setBlocking(node, flow);
  }

  // -- Control -----------------------------------------------------------------------------------

  /// Values handed to a loop, and the first argument of its block that stands for one.
  struct Inits {
    OperandRange values;
    unsigned firstArgument;
  };

  void addCarried(Operation& op, Block& block, const Inits& inits, ScopeId scope) {
    for (unsigned i = 0; i < inits.values.size(); ++i) {
      Value argument = block.argument(inits.firstArgument + i);
      if (!isToken(argument)) continue;
      NodeId carried = addNode({NodeKind::Carried, scope, &op, argument});
      addTokenEdge(inits.values[i], carried, EdgeKind::Init);
      setNode(argument, carried);
    }
  }

  void addYields(std::span<const Value> yielded, Block& block, unsigned firstArgument) {
    for (unsigned i = 0; i < yielded.size(); ++i)
      if (isToken(yielded[i]))
        addTokenEdge(yielded[i], *nodeOf_.find(block.argument(firstArgument + i).impl()),
                     EdgeKind::LoopCarried);
  }

  /// `values` end a body of `op` and become its results.
  void addResults(Operation& op, std::span<const Value> values, ScopeId scope) {
    for (unsigned i = 0; i < values.size() && i < op.numResults(); ++i)
      if (isToken(values[i]) && isToken(op.result(i)))
        addTokenEdge(values[i], resultNode(op, i, scope), EdgeKind::Reduce);
  }

  NodeId resultNode(Operation& op, unsigned i, ScopeId scope) {
    if (const NodeId* known = nodeOf_.find(op.result(i).impl())) return *known;
    NodeId node = addNode({NodeKind::Result, scope, &op, op.result(i)});
    setNode(op.result(i), node);
    return node;
  }

  bool addLoop(Operation& op, NodeId node, const Inits& inits) {
    ScopeId outer = acdg_.nodes[node].scope, scope = addScope(op, 0, node, outer);
    Block& body = op.region().front();
    addCarried(op, body, inits, scope);
    bool blocks = addRegion(op, 0, scope);
    std::vector<Value> yielded = body.back().operands().vec();
    addYields(yielded, body, inits.firstArgument);
    addResults(op, yielded, outer);
    return blocks;
  }

  bool addWhile(scf::WhileOp loop, NodeId node) {
    ScopeId outer = acdg_.nodes[node].scope, scope = addScope(*loop, 0, node, outer);
    addCarried(*loop, loop.beforeBody(), {loop.inits(), 0}, scope);
    bool blocks = addRegion(*loop, 0, scope);
    std::vector<Value> passed = loop.conditionOp().args().vec();
    for (unsigned i = 0; i < passed.size(); ++i)
      if (isToken(passed[i])) setNode(loop.afterBody().argument(i), nodeOf(passed[i], scope));
    blocks |= addRegion(*loop, 1, addScope(*loop, 1, node, outer));
    addYields(loop.yield().values().vec(), loop.beforeBody(), 0);
    addResults(*loop, passed, outer);
    return blocks;
  }

  /// Branches, parallel loops, and whatever else has tokens: it waits for those that it is given,
  /// and its results are what its bodies end with.
  bool addOther(Operation& op, NodeId node) {
    ScopeId outer = acdg_.nodes[node].scope;
    bool isParallel = acdg_.nodes[node].kind == NodeKind::Parallel;
    for (Value operand : op.operands())
      if (isToken(operand))
        addTokenEdge(operand, node, isParallel ? EdgeKind::Init : EdgeKind::Dependency);
    bool blocks = op.numRegions() == 0 && !isMemoryEffectFree(op);
    for (unsigned i = 0; i < op.numRegions(); ++i) {
      if (op.region(i).empty()) continue;
      ScopeId scope = addScope(op, i, node, outer);
      for (Value argument : op.region(i).front().arguments())
        if (isToken(argument)) setNode(argument, node);
      blocks |= addRegion(op, i, scope);
      if (Operation* end = op.region(i).front().terminator())
        addResults(op, end->operands().vec(), outer);
    }
    for (Value result : op.resultValues())
      if (isToken(result)) nodeOf_.insert(result.impl(), node);
    return blocks;
  }

  Acdg acdg_;
  ChannelEnds ends_{acdg_};
  detail::FlatMap<Operation*, bool> holders_;
  detail::FlatMap<const detail::ValueImpl*, NodeId> nodeOf_;
  std::map<std::pair<NodeId, TokenGroup::Kind>, size_t> groups_;
};

}  // namespace

Acdg buildAcdg(Operation& root) { return AcdgBuilder().build(root); }

}  // namespace airlite::graph
