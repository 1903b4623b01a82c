// Kinds and accesses of the nodes of a dependency graph (see DependencyNodes.hpp).
#include "DependencyNodes.hpp"

#include "airlite/analysis/HandOver.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air::dependency {

using analysis::AccessKind;
using analysis::Buffer;
using analysis::BufferAccess;

namespace {

bool isIf(const Operation& op) {
  return isa<scf::IfOp>(&op) || isa<affine::IfOp>(&op) || isa<scf::IndexSwitchOp>(&op);
}

bool hasEffect(Operation& op, FunctionRef<bool(Effect)> which) {
  std::vector<EffectInstance> effects;
  return effectsOf(op, effects) && std::any_of(effects.begin(), effects.end(),
                                               [&](const auto& e) { return which(e.effect); });
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

bool isShapeUse(OpOperand& use, bool& shapes) {
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

bool decide(Value buffer) {
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
    bool moves = !limit || (isStore ? limit->isBeforeInBlock(user) : user->isBeforeInBlock(limit));
    if (moves) limit = user;
  }
  return shapes && (!lastStore || !firstUse || lastStore->isBeforeInBlock(firstUse));
}

/// A loop or conditional gives it, or a view of it, to what is around.
bool isHandedOn(Value buffer, unsigned depth = 0) {
  if (depth > kDeepest) return true;
  for (OpOperand& use : buffer.uses()) {
    Operation& user = *use.owner();
    ExecuteOp execute = dynCast<ExecuteOp>(user.parentOp());
    bool isEnd = user.hasTrait(Trait::Terminator);
    if (isEnd && !execute) return true;
    if (isEnd && isHandedOn(execute->result(use.index() + 1), depth + 1)) return true;
    if (user.hasTrait(Trait::ViewLike) && user.numResults() && isHandedOn(user.result(), depth + 1))
      return true;
  }
  return false;
}

bool isMadeIn(Value buffer, Block& block) {
  Operation* maker = buffer.definingOp();
  if (maker && isa<ExecuteOp>(maker->parentOp())) maker = maker->parentOp();
  return maker && maker->block() == &block;
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

}  // namespace

bool contains(Operation& op, FunctionRef<bool(Operation&)> what) {
  return op.walkWith([&](Operation& inner) {
    return &inner != &op && what(inner) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

bool takesTokens(Operation& op) {
  const std::vector<ValueDef>& results = op.def().results;
  return isAsyncOp(op) && !results.empty() &&
         results[0].type->accepts(DialectType::get(op.context(), "air.async.token"));
}

bool isSync(Operation& op) {
  return !takesTokens(op) && hasEffect(op, [](Effect effect) { return effect == Effect::Sync; });
}

bool ShapeBuffers::contains(Value buffer) {
  auto known = known_.find(buffer);
  if (known != known_.end()) return known->second;
  return known_[buffer] = decide(buffer);
}

std::optional<NodeKind> NodeReader::kindOf(Operation& op) {
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

NodeReader::NodeReader(Operation& function) {
  function.walk([&](Operation& op) {
    if (op.is("air.translate")) shared_.push_back(reader_.bufferOf(op.operand(0)));
  });
}

/// Where ranks reach into each other's memory, a transfer may say that it is filled, or read: what
/// the program does with it before the transfer is done then.
void NodeReader::addSignal(Node& node) const {
  for (const Buffer& buffer : shared_)
    node.accesses.push_back({buffer, AccessKind::Read, std::nullopt});
}

bool NodeReader::touchesMemory(Operation& op) {
  if (op.hasTrait(Trait::Pure) || op.hasTrait(Trait::ViewLike) || isa<memref::AllocaOp>(&op))
    return false;
  return !accessesOf(op).empty();
}

std::vector<BufferAccess> NodeReader::accessesOf(Operation& op) {
  std::vector<BufferAccess> accesses;
  reader_.direct(op, accesses);
  orderTurns(accesses);
  dropShapes(accesses);
  return accesses;
}

/// Cores take turns with L1 memory that they share: each reads what has been written since it read last,
/// so its reads keep their order.
void NodeReader::orderTurns(std::vector<BufferAccess>& accesses) {
  for (BufferAccess& access : accesses) {
    if (access.kind != AccessKind::Read || !access.buffer.isKnown()) continue;
    Value memory = access.buffer.value;
    auto [known, isNew] = turns_.emplace(memory, false);
    if (isNew) {
      Operation* maker = memory.definingOp();
      const bool isNextToCores = maker && isa<memref::AllocOp>(maker) &&
                                 !maker->parentOf<HerdOp>() &&
                                 memoryLevel(memory.type()) == MemoryLevel::L1;
      known->second = isNextToCores && analysis::handOverOf(memory).isShared;
    }
    if (known->second) access.kind = AccessKind::Write;
  }
}

void NodeReader::dropShapes(std::vector<BufferAccess>& accesses) {
  std::erase_if(accesses, [&](const BufferAccess& access) {
    return access.buffer.isKnown() && shapes_.contains(access.buffer.value);
  });
}

void NodeReader::collectAccesses(Node& node) {
  Operation& op = *node.op;
  if (node.bodies.empty()) {
    node.accesses = op.numRegions() ? reader_.all(op) : accessesOf(op);
    dropShapes(node.accesses);
    node.usesChannels =
        isTransfer(op) ||
        (op.numRegions() && contains(op, [](Operation& inner) { return isTransfer(inner); }));
    classifyLifetime(node);
    if (isTransfer(op)) addSignal(node);
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

}  // namespace airlite::air::dependency
