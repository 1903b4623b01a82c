// Which ops of a function become asynchronous, and what each of them comes after.
//
// Each block is walked once. An op is compared with those before it in its block that touch the
// same buffer; an op with regions counts as all that is inside. What an op inside a loop or
// conditional has to wait for outside of it is handed down by buffer afterwards.
#include "DependencyGraph.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air::dependency {

using analysis::AccessKind;
using analysis::Buffer;
using analysis::BufferAccess;

namespace {

bool isMemRef(Type type) { return type.isa<MemRefType>() || type.isa<UnrankedMemRefType>(); }

bool isIf(const Operation& op) {
  return isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op);
}

bool contains(Operation& op, FunctionRef<bool(Operation&)> what) {
  return op.walkWith([&](Operation& inner) {
    return &inner != &op && what(inner) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

/// Has tokens of AIR: gpu ops have their own.
bool takesTokens(Operation& op) {
  const std::vector<ValueDef>& results = op.def().results;
  return isAsyncOp(op) && !results.empty() &&
         results[0].type->accepts(DialectType::get(op.context(), "air.async.token"));
}

bool hasEffect(Operation& op, FunctionRef<bool(Effect)> which) {
  std::vector<EffectInstance> effects;
  return effectsOf(op, effects) && std::any_of(effects.begin(), effects.end(),
                                               [&](const auto& e) { return which(e.effect); });
}
bool isSync(Operation& op) {
  return !takesTokens(op) && hasEffect(op, [](Effect effect) { return effect == Effect::Sync; });
}
bool isTransfer(Operation& op) {
  return hasEffect(
      op, [](Effect effect) { return effect == Effect::Send || effect == Effect::Receive; });
}

/// Has effects, and all of them are of that kind.
bool hasOnly(Operation& op, Effect first, Effect second) {
  std::vector<EffectInstance> effects;
  return effectsOf(op, effects) && !effects.empty() &&
         std::all_of(effects.begin(), effects.end(),
                     [&](const auto& e) { return e.effect == first || e.effect == second; });
}

/// A buffer of numbers that only says the shape of reshapes, filled before anything uses it: it is
/// left alone, since what reads it may run at any later time.
class ShapeBuffers {
 public:
  bool contains(Value buffer) {
    auto known = known_.find(buffer);
    if (known != known_.end()) return known->second;
    return known_[buffer] = decide(buffer);
  }

 private:
  static bool decide(Value buffer) {
    Operation* alloc = buffer.definingOp();
    if (!alloc || !isa<memref::AllocOp>(alloc)) return false;
    Operation* lastStore = nullptr;
    Operation* firstUse = nullptr;
    bool shapes = false;
    for (OpOperand& use : buffer.uses()) {
      Operation* user = use.owner();
      bool isStore = isa<memref::StoreOp>(user) && use.index() == 1;
      if (!isStore && !isShapeUse(use, shapes)) return false;
      while (user && user->block() != alloc->block())
        user = user->parentOp();
      if (!user || (isStore && user != use.owner())) return false;
      Operation*& limit = isStore ? lastStore : firstUse;
      bool moves =
          !limit || (isStore ? limit->isBeforeInBlock(user) : user->isBeforeInBlock(limit));
      if (moves) limit = user;
    }
    return shapes && (!lastStore || !firstUse || lastStore->isBeforeInBlock(firstUse));
  }

  static bool isShapeUse(OpOperand& use, bool& shapes) {
    Operation& user = *use.owner();
    if (user.is("memref.reshape")) {
      shapes = true;
      return use.index() == 1;
    }
    HierarchyOp hierarchy = asHierarchy(&user);
    if (!hierarchy) return false;
    for (unsigned i = 0; i < hierarchy.numKernelOperands(); ++i) {
      if (hierarchy.kernelOperands()[i] != use.get()) continue;
      for (OpOperand& inner : hierarchy.kernelArgument(i).uses())
        if (!isShapeUse(inner, shapes)) return false;
    }
    return true;
  }

  std::unordered_map<Value, bool> known_;
};

}  // namespace

// -- Building -------------------------------------------------------------------------------------

class GraphBuilder {
 public:
  GraphBuilder(Graph& graph, Operation& function, const ChannelDepths& depths)
      : graph_(graph), channels_(function, depths) {}

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
      if (node.isCompound()) handDown(node);
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
      if (std::optional<NodeKind> kind = kindOf(op)) visit(op, *kind, scope);
  }

  // -- Which ops

  std::optional<NodeKind> kindOf(Operation& op) {
    if (op.block()->terminator() == &op) return std::nullopt;
    if (asHierarchy(&op)) return NodeKind::Hierarchy;
    if (isa<ExecuteOp>(&op)) return NodeKind::Execute;
    if (isa<WaitAllOp>(&op))
      return AsyncOp(&op).token() ? std::optional(NodeKind::Join) : std::nullopt;
    if (takesTokens(op)) return NodeKind::Movement;
    if (isa<scf::ForOp>(&op)) return NodeKind::For;
    if (isa<scf::ParallelOp>(&op)) return NodeKind::Parallel;
    if (isIf(op)) return NodeKind::If;
    if (isSync(op)) return NodeKind::Blocking;
    if (op.numRegions() == 0)
      return touchesMemory(op) ? std::optional(NodeKind::Wrapped) : std::nullopt;
    if (contains(op, [](Operation& inner) { return takesTokens(inner) || isSync(inner); }))
      return NodeKind::Blocking;
    return reader_.all(op).empty() ? std::nullopt : std::optional(NodeKind::Wrapped);
  }

  /// Beside making views and stack space, which happens where it stands.
  bool touchesMemory(Operation& op) {
    if (op.hasTrait(Trait::Pure) || op.hasTrait(Trait::ViewLike) || isa<memref::AllocaOp>(&op))
      return false;
    return !accessesOf(op).empty();
  }

  std::vector<BufferAccess> accessesOf(Operation& op) {
    std::vector<BufferAccess> accesses;
    reader_.direct(op, accesses);
    dropShapes(accesses);
    return accesses;
  }

  void dropShapes(std::vector<BufferAccess>& accesses) {
    std::erase_if(accesses, [&](const BufferAccess& access) {
      return access.buffer.isKnown() && shapes_.contains(access.buffer.value);
    });
  }

  // -- One op

  void visit(Operation& op, NodeKind kind, Scope& scope) {
    Node& node = graph_.nodes_.emplace_back();
    node.op = &op;
    node.kind = kind;
    node.scope = &scope;
    if (node.isCompound() || kind == NodeKind::Hierarchy) {
      for (Region& region : op.regions())
        for (Block& block : region.blocks()) {
          Scope& body = addScope(block, &node, kind == NodeKind::Hierarchy);
          node.bodies.push_back(&body);
          visit(body);
        }
      if (kind == NodeKind::For) carry(*node.bodies[0]);
    }
    collectAccesses(node);
    if (node.isCompound() && isIdle(node)) return;  // no node of the scope: nothing to wait for
    if (kind == NodeKind::Blocking) visitInside(op);
    ofOp_[&op] = &node;
    connect(node);
  }

  static bool isIdle(const Node& node) {
    return std::all_of(node.bodies.begin(), node.bodies.end(),
                       [](const Scope* body) { return body->nodes.empty(); });
  }

  /// Hierarchy ops inside a blocking op have bodies of their own.
  void visitInside(Operation& op) {
    op.walkWith([&](Operation& inner) {
      if (!asHierarchy(&inner)) return WalkResult::Advance;
      addRoot(inner);
      return WalkResult::Skip;
    });
  }

  void collectAccesses(Node& node) {
    Operation& op = *node.op;
    if (node.bodies.empty()) {
      node.accesses = op.numRegions() ? reader_.all(op) : accessesOf(op);
      dropShapes(node.accesses);
      node.usesChannels =
          isTransfer(op) ||
          (op.numRegions() && contains(op, [](Operation& inner) { return isTransfer(inner); }));
      classifyLifetime(node);
      return;
    }
    if (node.kind == NodeKind::Hierarchy) reader_.direct(op, node.accesses);
    for (const Scope* body : node.bodies)
      for (const Node* inner : body->nodes) {
        node.accesses.insert(node.accesses.end(), inner->accesses.begin(), inner->accesses.end());
        node.usesChannels |= inner->usesChannels;
        node.isFence |= inner->isFence && node.isCompound();
      }
    node.accesses = reader_.liftedOut(std::move(node.accesses), op);
    dropShapes(node.accesses);
  }

  void classifyLifetime(Node& node) {
    Operation* op = node.op;
    if (node.kind == NodeKind::Execute) {
      Block& body = op->region().front();
      bool isOne = !body.empty() && body.front().next() == body.terminator();
      if (isOne) op = &body.front();
    }
    node.allocates = hasOnly(*op, Effect::Allocate, Effect::Allocate);
    if (!hasOnly(*op, Effect::Allocate, Effect::Free)) return;
    node.isLifetime =
        std::all_of(node.accesses.begin(), node.accesses.end(), [&](const BufferAccess& access) {
          return access.buffer.kind == Buffer::Kind::Local &&
                 isMadeIn(access.buffer.value, *node.scope->block) &&
                 !isHandedOn(access.buffer.value);
        });
  }

  /// A loop or conditional gives it, or a view of it, to what is around.
  static bool isHandedOn(Value buffer, unsigned depth = 0) {
    if (depth > kDeepest) return true;
    for (OpOperand& use : buffer.uses()) {
      Operation& user = *use.owner();
      ExecuteOp execute = dynCast<ExecuteOp>(user.parentOp());
      bool isEnd = user.hasTrait(Trait::Terminator);
      if (isEnd && !execute) return true;
      if (isEnd && isHandedOn(execute->result(use.index() + 1), depth + 1)) return true;
      if (user.hasTrait(Trait::ViewLike) && user.numResults() &&
          isHandedOn(user.result(), depth + 1))
        return true;
    }
    return false;
  }

  static bool isMadeIn(Value buffer, Block& block) {
    Operation* maker = buffer.definingOp();
    if (maker && isa<ExecuteOp>(maker->parentOp())) maker = maker->parentOp();
    return maker && maker->block() == &block;
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

  void addMemoryEdges(Node& node) {
    Scope& scope = *node.scope;
    if (scope.barrier && !node.accesses.empty()) {
      addEdge(*scope.barrier, node);
      node.orderedByAll = true;
    }
    for (const BufferAccess& access : node.accesses) {
      if (access.buffer.kind == Buffer::Kind::Any) {
        orderWithAll(node);
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
    return reader_.mayConflict(access, *entry.access);
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
    bool isBarrier = std::any_of(node.accesses.begin(), node.accesses.end(),
                                 [](const auto& a) { return a.buffer.kind == Buffer::Kind::Any; });
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
      if (access.kind == AccessKind::Write) dropCovered(node, access, state);
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

  /// Nodes whose results `value` is computed from; an argument of a loop stands for the loop.
  const std::vector<Node*>& producersOf(Value value, unsigned depth = 0) {
    static const std::vector<Node*> none;
    if (isMemRef(value.type()) || isTokenType(value.type()) || depth > kDeepest) return none;
    auto known = producers_.find(value);
    if (known != producers_.end()) return known->second;
    return producers_[value] = findProducers(value, depth);
  }

  std::vector<Node*> findProducers(Value value, unsigned depth) {
    Operation* def = value.definingOp();
    if (!def) {
      Operation* owner = value.argumentBlock()->parentOp();
      bool isCarried = owner && isa<scf::ForOp>(owner) && value.index() > 0;
      Node* loop = isCarried ? open_ : nullptr;
      while (loop && loop->op != owner)
        loop = loop->scope->owner;
      return loop ? std::vector<Node*>{loop} : std::vector<Node*>();
    }
    if (auto node = ofOp_.find(def); node != ofOp_.end()) return {node->second};
    std::vector<Node*> result;
    for (Value operand : def->operands())
      for (Node* node : producersOf(operand, depth + 1))
        if (std::find(result.begin(), result.end(), node) == result.end()) result.push_back(node);
    // The value itself carries the order of the rest: whoever uses it has it.
    if (result.size() > kMostProducers) result.erase(result.begin(), result.end() - kMostProducers);
    return result;
  }

  void addValueEdges(Node& node) {
    open_ = &node;
    addOperandEdges(node, *node.op);
    if (node.bodies.empty() && node.op->numRegions())
      node.op->walk([&](Operation& inner) { addOperandEdges(node, inner); });
    if (!takesTokens(*node.op)) return;
    for (Value token : AsyncOp(node.op).dependencies()) {
      auto first = token.definingOp() ? ofOp_.find(token.definingOp()) : ofOp_.end();
      if (first != ofOp_.end() && first->second->scope == node.scope) addEdge(*first->second, node);
    }
  }

  void addOperandEdges(Node& node, Operation& op) {
    for (Value operand : op.operands())
      for (Node* producer : producersOf(operand))
        addDependency(node, *producer);
  }

  static constexpr unsigned kDeepest = 256;
  static constexpr size_t kMostProducers = 16;

  // -- Channels

  void addSenders(Node& node) {
    if (node.kind != NodeKind::Hierarchy) return;
    // One that is asynchronous already was not waited for, and may need the get to come to an end.
    if (AsyncOp(node.op).token()) return;
    for (std::string_view channel : channels_.drainable(HierarchyOp(node.op), reader_.indices())) {
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

  // -- Loops

  struct Touch {
    Node* node;
    const BufferAccess* access;
  };

  /// Finds the nodes of the body that touch what an earlier run of it may have touched.
  void carry(Scope& body) {
    Operation& loop = *body.owner->op;
    std::unordered_map<Value, std::vector<Touch>> touches;
    bool hasAny = false;
    for (Node* node : body.nodes)
      for (const BufferAccess& access : node->accesses) {
        hasAny |= access.buffer.kind == Buffer::Kind::Any;
        bool isOuter = !access.buffer.isMadeIn(loop);
        bool mayRunAhead = access.kind == AccessKind::Hold && node->usesChannels;
        if (isOuter && !mayRunAhead) touches[access.buffer.value].push_back({node, &access});
      }
    for (auto& [buffer, list] : touches) {
      bool onlyReads = std::all_of(list.begin(), list.end(), [](const Touch& touch) {
        return touch.access->kind == AccessKind::Read;
      });
      if (onlyReads && !hasAny) continue;
      bool isLong = list.size() > kMostCarried;
      for (const Touch& touch : list) {
        if (!hasAny && !isLong && !isCarried(touch, list, loop)) continue;
        touch.node->waitsOutside = true;
        touch.node->ordered.insert(buffer);
        touch.node->orderedByAll |= hasAny;
      }
    }
  }

  /// `list`: all that the body does to one buffer.
  bool isCarried(const Touch& later, const std::vector<Touch>& list, Operation& loop) {
    return std::any_of(list.begin(), list.end(), [&](const Touch& earlier) {
      return reader_.mayConflictAcross(*later.access, *earlier.access, loop);
    });
  }
  /// Accesses of one buffer in a loop that are compared pair by pair.
  static constexpr size_t kMostCarried = 24;

  void handDown(Node& node) {
    if (node.ordered.empty() && !node.orderedByAll) return;
    for (Scope* body : node.bodies)
      for (Node* inner : body->nodes)
        for (const BufferAccess& access : inner->accesses) {
          bool isAny = access.buffer.kind == Buffer::Kind::Any;
          if (!node.orderedByAll && !isAny && !node.ordered.count(access.buffer.value)) continue;
          inner->waitsOutside = true;
          inner->orderedByAll |= node.orderedByAll || isAny;
          inner->ordered.insert(access.buffer.value);
        }
  }

  Graph& graph_;
  ChannelIndex channels_;
  analysis::AccessReader reader_;
  ShapeBuffers shapes_;
  std::unordered_map<Operation*, Node*> ofOp_;
  std::unordered_map<Value, std::vector<Node*>> producers_;
  std::unordered_map<Node*, std::vector<Node*>> late_;
  Node* open_ = nullptr;
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
