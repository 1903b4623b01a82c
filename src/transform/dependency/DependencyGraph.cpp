// Which ops of a function become asynchronous, and what each of them comes after.
//
// Each block is walked once. An op is compared with those before it in its block that touch the
// same buffer; an op with regions counts as all that is inside. What an op inside a loop or
// conditional has to wait for outside of it is handed down by buffer afterwards.
#include "DependencyGraph.hpp"

#include "DependencyNodes.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air::dependency {

using analysis::AccessKind;
using analysis::Buffer;
using analysis::BufferAccess;

namespace {

bool isMemRef(Type type) { return type.isa<MemRefType>() || type.isa<UnrankedMemRefType>(); }

/// Which nodes make the values that ops take.
class Producers {
 public:
  void add(Operation& op, Node& node) { ofOp_[&op] = &node; }
  /// The node that is connected now.
  void setOpen(Node& node) { open_ = &node; }
  Node* nodeOf(Operation& op) const {
    auto found = ofOp_.find(&op);
    return found == ofOp_.end() ? nullptr : found->second;
  }

  /// Nodes whose results `value` is computed from; an argument of a loop stands for the loop.
  const std::vector<Node*>& of(Value value, unsigned depth = 0) {
    static const std::vector<Node*> none;
    if (isMemRef(value.type()) || isTokenType(value.type()) || depth > kDeepest) return none;
    auto known = known_.find(value);
    if (known != known_.end()) return known->second;
    return known_[value] = find(value, depth);
  }

 private:
  static constexpr size_t kMostProducers = 16;

  std::vector<Node*> find(Value value, unsigned depth) {
    Operation* def = value.definingOp();
    if (!def) {
      Operation* owner = value.argumentBlock()->parentOp();
      bool isCarried = owner && isa<scf::ForOp>(owner) && value.index() > 0;
      Node* loop = isCarried ? open_ : nullptr;
      while (loop && loop->op != owner)
        loop = loop->scope->owner;
      return loop ? std::vector<Node*>{loop} : std::vector<Node*>();
    }
    if (Node* node = nodeOf(*def)) return {node};
    std::vector<Node*> result;
    for (Value operand : def->operands())
      for (Node* node : of(operand, depth + 1))
        if (std::find(result.begin(), result.end(), node) == result.end()) result.push_back(node);
    // The value itself carries the order of the rest: whoever uses it has it.
    if (result.size() > kMostProducers) result.erase(result.begin(), result.end() - kMostProducers);
    return result;
  }

  std::unordered_map<Operation*, Node*> ofOp_;
  std::unordered_map<Value, std::vector<Node*>> known_;
  Node* open_ = nullptr;
};

}  // namespace

// -- Building -------------------------------------------------------------------------------------

/// One class: whether an edge is added depends on all that has been added to the scope before it.
class GraphBuilder {
 public:
  GraphBuilder(Graph& graph, Operation& function, const ChannelDepths& depths)
      : graph_(graph), channels_(function, depths), waits_(function), ops_(function) {}

  void addRoot(Operation& op) {
    for (Region& region : op.regions())
      for (Block& block : region.blocks()) {
        Scope& scope = addScope(block, nullptr, true);
        graph_.roots_.push_back(&scope);
        visit(scope);
      }
  }

  void handDown() {
    for (Node& node : graph_.nodes_)  // outer nodes were made first
      if (node.isCompound()) dependency::handDown(node);
  }

 private:
  Scope& addScope(Block& block, Node* owner, bool isIsolated) {
    Scope& scope = graph_.scopes_.emplace_back();
    scope.block = &block;
    scope.owner = owner;
    scope.isIsolated = isIsolated;
    return scope;
  }

  void visit(Scope& scope) {
    for (Operation& op : scope.block->ops())
      if (std::optional<NodeKind> kind = ops_.kindOf(op)) visit(op, *kind, scope);
  }

  // -- One op

  void visit(Operation& op, NodeKind kind, Scope& scope) {
    Node& node = graph_.nodes_.emplace_back();
    node.op = &op;
    node.kind = kind;
    node.scope = &scope;
    node.wasAsync = waits_.wasAsync(op);
    if (node.isCompound() || kind == NodeKind::Hierarchy) {
      for (Region& region : op.regions())
        for (Block& block : region.blocks()) {
          Scope& body = addScope(block, &node, kind == NodeKind::Hierarchy);
          node.bodies.push_back(&body);
          visit(body);
        }
      if (node.isCompound()) node.wasAsync = isAllAsync(node);
      if (kind == NodeKind::For) carry(*node.bodies[0], ops_.accesses());
    }
    ops_.collectAccesses(node);
    if (node.isCompound() && isIdle(node)) return;  // no node of the scope: nothing to wait for
    if (kind == NodeKind::Blocking) visitInside(op);
    producers_.add(op, node);
    connect(node);
  }

  static bool isIdle(const Node& node) {
    return std::all_of(node.bodies.begin(), node.bodies.end(),
                       [](const Scope* body) { return body->nodes.empty(); });
  }

  static bool isAllAsync(const Node& node) {
    return std::all_of(node.bodies.begin(), node.bodies.end(), [](const Scope* body) {
      return std::all_of(body->nodes.begin(), body->nodes.end(),
                         [](const Node* inner) { return inner->wasAsync; });
    });
  }

  /// Hierarchy ops inside a blocking op have bodies of their own.
  void visitInside(Operation& op) {
    op.walkWith([&](Operation& inner) {
      if (!asHierarchy(&inner)) return WalkResult::Advance;
      addRoot(inner);
      return WalkResult::Skip;
    });
  }

  // -- What it comes after

  void addEdge(Node& first, Node& second) {
    if (&first == &second || second.mark == 0) return;
    if (first.mark == second.mark) return;  // known
    first.mark = second.mark;
    second.before.push_back(&first);
    first.hasSuccessor = true;
    first.isAwaited |= !second.isLifetime;
  }

  /// `node` uses what `first`, here or further outside, makes.
  void addDependency(Node& node, Node& first) {
    Node* at = &node;
    while (at != &first && at->scope != first.scope) {
      at->waitsOutside = true;
      at = at->scope->owner;
      if (!at) return;
    }
    if (at == &first) return;
    if (at == &node)
      addEdge(first, node);
    else
      late_[at].push_back(&first);  // still being visited
  }

  void connect(Node& node) {
    Scope& scope = *node.scope;
    for (const BufferAccess& access : node.accesses)
      joinOlder(access, scope);
    node.mark = ++marks_;
    addValueEdges(node);
    if (auto late = late_.find(&node); late != late_.end())
      for (Node* first : late->second)
        addEdge(*first, node);
    if (node.kind == NodeKind::Blocking) node.isFence = waitsForAll(*node.op);
    if (node.isFence) {
      orderWithAll(node);
      node.waitsOutside = true;
    }
    addMemoryEdges(node);
    addDrainEdges(node);
    append(node);
    if (node.kind != NodeKind::Blocking) record(node);
    if (node.isFence && node.kind == NodeKind::Blocking) startAfresh(scope);
    addSenders(node);
  }

  static void append(Node& node) {
    node.order = static_cast<unsigned>(node.scope->nodes.size());
    node.scope->nodes.push_back(&node);
  }

  /// All that was before is done when control gets here.
  static void startAfresh(Scope& scope) {
    scope.buffers.clear();
    scope.barrier = nullptr;
    scope.frontier = static_cast<unsigned>(scope.nodes.size());
  }

  /// Many accesses that `access` would be compared with become one, of a node that joins theirs.
  void joinOlder(const BufferAccess& access, Scope& scope) {
    auto found = scope.buffers.find(access.buffer.value);
    bool clears = access.kind == AccessKind::Write && !access.region;
    if (clears || access.buffer.kind == Buffer::Kind::Any || found == scope.buffers.end()) return;
    Scope::BufferState& state = found->second;
    size_t compared = access.kind == AccessKind::Write  ? state.size()
                      : access.kind == AccessKind::Hold ? state.writes.size() + state.holds.size()
                                                        : state.writes.size();
    if (compared <= kMostEntries) return;
    Node& join = graph_.nodes_.emplace_back();
    join.kind = NodeKind::Join;
    join.scope = &scope;
    join.mark = ++marks_;
    bool readsOnly = state.writes.empty() && state.holds.empty();
    join.accesses.push_back(
        {access.buffer, readsOnly ? AccessKind::Read : AccessKind::Write, std::nullopt});
    for (auto* entries : {&state.writes, &state.reads, &state.holds})
      for (const Scope::Entry& entry : *entries)
        addEdge(*entry.node, join);
    append(join);
    state = Scope::BufferState();
    (readsOnly ? state.reads : state.writes).push_back({&join, &join.accesses[0]});
  }

  static bool waitsForAll(Operation& op) {
    return isSync(op) || contains(op, [](Operation& inner) { return isSync(inner); });
  }

  void orderWithAll(Node& node) {
    Scope& scope = *node.scope;
    for (size_t i = scope.frontier; i < scope.nodes.size(); ++i)
      if (!scope.nodes[i]->hasSuccessor) addEdge(*scope.nodes[i], node);
    node.orderedByAll = true;
  }

  /// Of a read of memory that may be any.
  void orderWithWrites(Node& node) {
    Scope& scope = *node.scope;
    for (size_t i = std::max(scope.frontier, scope.writesFrom); i < scope.nodes.size(); ++i)
      if (std::any_of(scope.nodes[i]->accesses.begin(), scope.nodes[i]->accesses.end(),
                      [](const auto& access) { return access.kind != AccessKind::Read; }))
        addEdge(*scope.nodes[i], node);
    node.orderedByAll = true;
  }

  void addMemoryEdges(Node& node) {
    Scope& scope = *node.scope;
    if (scope.barrier && !node.accesses.empty()) {
      addEdge(*scope.barrier, node);
      node.orderedByAll = true;
    }
    for (const BufferAccess& access : node.accesses) {
      if (access.buffer.kind == Buffer::Kind::Any) {
        access.kind == AccessKind::Read ? orderWithWrites(node) : orderWithAll(node);
        continue;
      }
      auto state = scope.buffers.find(access.buffer.value);
      if (state == scope.buffers.end()) continue;
      bool isWrite = access.kind == AccessKind::Write;
      addConflicts(node, access, state->second.writes);
      if (isWrite) addConflicts(node, access, state->second.reads);
      if (isWrite || access.kind == AccessKind::Hold)
        addConflicts(node, access, state->second.holds);
    }
  }

  void addConflicts(Node& node, const BufferAccess& access, std::vector<Scope::Entry>& entries) {
    for (const Scope::Entry& entry : entries) {
      if (entry.node == &node || !conflict(node, access, entry)) continue;
      addEdge(*entry.node, node);
      if (node.isCompound()) node.ordered.insert(access.buffer.value);
    }
  }

  bool conflict(const Node& node, const BufferAccess& access, const Scope::Entry& entry) {
    bool bothHold = access.kind == AccessKind::Hold && entry.access->kind == AccessKind::Hold;
    // They may have to run together to come to an end.
    if (bothHold && (node.usesChannels || entry.node->usesChannels)) return false;
    if (entry.node->allocates && isBareUse(*node.op)) return false;
    if (!ops_.accesses().mayConflict(access, *entry.access)) return false;
    if (node.isLifetime || !isBeside(*entry.node, node, access.buffer.value)) return true;
    // What is a race for sure gets an order, as the AIR tools take ops without dependencies.
    bool areRun = !node.isCompound() && !entry.node->isCompound();
    return areRun && ops_.accesses().mustOverlap(access, *entry.access);
  }

  /// The program leaves them unordered. Of a loop or conditional: all that uses the buffer; in `second`, where
  /// it has not waited for `first`.
  bool isBeside(const Node& first, const Node& second, Value buffer, const Node* around = nullptr) {
    if (!first.isCompound() && !second.isCompound())
      return first.op && second.op &&
             (waits_.isBeside(*first.op, *second.op) ||
              (around && waits_.isAwaitedIn(*around->op, *first.op, *second.op)));
    if (first.isCompound() && !first.wasAsync) return false;
    const bool opensFirst = first.isCompound();
    for (const Scope* body : (opensFirst ? first : second).bodies)
      for (const Node* inner : body->nodes) {
        if (!uses(*inner, buffer)) continue;
        if (opensFirst ? !isBeside(*inner, second, buffer, around)
                       : !isBeside(first, *inner, buffer, around ? around : &second))
          return false;
      }
    return true;
  }

  static bool uses(const Node& node, Value buffer) {
    return std::any_of(node.accesses.begin(), node.accesses.end(),
                       [&](const auto& access) { return access.buffer.value == buffer; });
  }

  /// The op gets the address of a buffer as a number and a bare pointer, which somebody has read
  /// from its descriptor, in program order: so it has been made.
  static bool isBareUse(Operation& op) {
    return std::any_of(op.operands().begin(), op.operands().end(), [](Value operand) {
      Operation* def = operand.definingOp();
      return def && def->hasTrait(Trait::ViewLike) && def->numResults() > 1;
    });
  }

  /// Later nodes are compared with this one; those that it stands for need not be any more.
  void record(Node& node) {
    Scope& scope = *node.scope;
    bool readsAny = false, isBarrier = false;
    for (const BufferAccess& access : node.accesses)
      if (access.buffer.kind == Buffer::Kind::Any)
        (access.kind == AccessKind::Read ? readsAny : isBarrier) = true;
    if (readsAny) {
      scope.barrier = &node;
      scope.writesFrom = node.order;
    }
    if (isBarrier) {
      scope.barrier = &node;
      scope.frontier = node.order;
      Scope::BufferState hidden = std::move(scope.buffers[Value()]);
      scope.buffers.clear();
      scope.buffers[Value()] = std::move(hidden);
    }
    for (const BufferAccess& access : node.accesses) {
      if (access.buffer.kind == Buffer::Kind::Any) continue;
      Scope::BufferState& state = scope.buffers[access.buffer.value];
      bool mayStandFor = access.kind == AccessKind::Write && !node.wasAsync;
      if (mayStandFor) dropCovered(node, access, state);
      (access.kind == AccessKind::Write  ? state.writes
       : access.kind == AccessKind::Read ? state.reads
                                         : state.holds)
          .push_back({&node, &access});
    }
  }

  /// What conflicts with an older access conflicts with this write too, and comes after both.
  static void dropCovered(const Node& node, const BufferAccess& access, Scope::BufferState& state) {
    auto isCovered = [&](const Scope::Entry& entry) {
      if (entry.node == &node) return false;
      return !access.region || (entry.access->region && *entry.access->region == *access.region);
    };
    std::erase_if(state.writes, isCovered);
    std::erase_if(state.reads, isCovered);
    std::erase_if(state.holds, isCovered);
  }

  // -- Values

  void addValueEdges(Node& node) {
    producers_.setOpen(node);
    addOperandEdges(node, *node.op);
    if (node.bodies.empty() && node.op->numRegions())
      node.op->walk([&](Operation& inner) { addOperandEdges(node, inner); });
    if (!takesTokens(*node.op)) return;
    for (Value token : AsyncOp(node.op).dependencies()) {
      Node* first = token.definingOp() ? producers_.nodeOf(*token.definingOp()) : nullptr;
      if (first && first->scope == node.scope) addEdge(*first, node);
    }
  }

  void addOperandEdges(Node& node, Operation& op) {
    for (Value operand : op.operands())
      for (Node* producer : producers_.of(operand))
        addDependency(node, *producer);
  }

  // -- Channels

  void addSenders(Node& node) {
    if (node.kind != NodeKind::Hierarchy) return;
    // One that is asynchronous already was not waited for, and may need the get to come to an end.
    if (AsyncOp(node.op).token()) return;
    for (std::string_view channel :
         channels_.drainable(HierarchyOp(node.op), ops_.accesses().indices())) {
      std::vector<Node*>& senders = node.scope->senders[channel];
      if (senders.size() == kMostSenders) senders.erase(senders.begin());
      senders.push_back(&node);
    }
  }
  /// The latest of them; gets before have waited for the others.
  static constexpr size_t kMostSenders = 8;

  void addDrainEdges(Node& node) {
    if (!isa<ChannelGetOp>(node.op)) return;
    std::string_view channel = ChannelAccessOp(node.op).channelName();
    for (Scope* scope = node.scope; scope; scope = scope->owner ? scope->owner->scope : nullptr) {
      auto found = scope->senders.find(channel);
      if (found != scope->senders.end())
        for (Node* sender : found->second)
          addDependency(node, *sender);
      if (scope->isIsolated) return;
    }
  }

  Graph& graph_;
  ChannelIndex channels_;
  FirstWaits waits_;
  NodeReader ops_;
  Producers producers_;
  std::unordered_map<Node*, std::vector<Node*>> late_;
  unsigned marks_ = 0;
};

Graph::Graph(Operation& function, const ChannelDepths& depths) {
  GraphBuilder builder(*this, function, depths);
  builder.addRoot(function);
  builder.handDown();
}

// -- Reduction ------------------------------------------------------------------------------------

void reduce(Node& node, unsigned& search) {
  /// Nodes looked at for one list; what is not found by then stays in it, which does no harm.
  constexpr unsigned kBudget = 512;
  std::vector<Node*>& before = node.before;
  if (before.size() < 2) return;
  std::sort(before.begin(), before.end(), [](Node* a, Node* b) { return a->order > b->order; });
  unsigned earliest = before.back()->order, budget = kBudget;
  ++search;
  std::vector<Node*> kept, work;
  for (Node* first : before) {
    if (first->mark == search) continue;  // something later comes after it
    kept.push_back(first);
    work.push_back(first);
    while (!work.empty() && budget > 0) {
      Node* at = work.back();
      work.pop_back();
      --budget;
      for (Node* earlier : at->before) {
        if (earlier->order < earliest || earlier->mark == search) continue;
        earlier->mark = search;
        work.push_back(earlier);
      }
    }
    work.clear();
  }
  before = std::move(kept);
}

}  // namespace airlite::air::dependency
