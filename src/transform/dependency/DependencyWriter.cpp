// Writes tokens and dependency lists.
#include "DependencyWriter.hpp"

#include "DependencyNodes.hpp"
#include "TokenResults.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air::dependency {

namespace {

bool isReshape(const Operation& op) {
  return op.is("memref.reshape") || op.is("memref.expand_shape") || op.is("memref.collapse_shape");
}

void addDependencies(Operation& op, std::span<const Value> tokens) {
  std::vector<Value> list(tokens.begin(), tokens.end());
  for (Value existing : AsyncOp(&op).dependencies())
    if (std::find(list.begin(), list.end(), existing) == list.end()) list.push_back(existing);
  if (op.hasTrait(Trait::AttrSizedOperandSegments))
    AsyncOp(&op).setDependencies(list);
  else
    op.setOperands(list);  // execute and wait_all: nothing else
}

}  // namespace

// -- A block --------------------------------------------------------------------------------------

void Writer::write(Scope& scope, Value incoming) {
  for (size_t i = 0; i < scope.nodes.size(); ++i) {
    Operation* next = i + 1 < scope.nodes.size() ? scope.nodes[i + 1]->op : nullptr;
    write(*scope.nodes[i], incoming, next);
  }
  if (scope.isIsolated) waitAtEnd(scope);
}

void Writer::write(Node& node, Value incoming, Operation* next) {
  std::vector<Value> tokens = tokensFor(node, incoming);
  switch (node.kind) {
    case NodeKind::Wrapped: return writeWrapped(node, tokens);
    case NodeKind::Join:
      if (!node.op) {
        node.token = join(*next, tokens);
        return;
      }
      [[fallthrough]];
    case NodeKind::Execute:
    case NodeKind::Movement:
    case NodeKind::Hierarchy: return writeExisting(node, tokens);
    case NodeKind::For: return writeFor(node, tokens);
    case NodeKind::Parallel: return writeParallel(node, tokens);
    case NodeKind::If: return writeIf(node, tokens);
    case NodeKind::Blocking: return writeBlocking(*node.op, tokens);
  }
}

/// The latest first; what is outside last, but for transfers first, as users of the existing tools
/// see them. A transfer in a loop always names the token that the loop carries.
std::vector<Value> Writer::tokensFor(Node& node, Value incoming) {
  bool covered = std::any_of(node.before.begin(), node.before.end(),
                             [](const Node* first) { return first->coversOutside; });
  bool isMovement = node.kind == NodeKind::Movement && !node.wasAsync;
  bool inLoop = node.scope->owner && node.scope->owner->kind == NodeKind::For;
  bool takesIncoming = incoming && ((node.waitsOutside && !covered) || (isMovement && inLoop));
  // What was beside earlier runs of its loop stays so.
  bool isBeside = node.wasAsync && !node.isCarried && node.scope->outside;
  node.coversOutside = covered || (takesIncoming && !isBeside);
  if (isBeside) incoming = node.scope->outside;
  reduce(node, search_);
  std::vector<Value> tokens;
  for (const Node* first : node.before)
    if (first->token) tokens.push_back(first->token);
  if (takesIncoming) tokens.insert(isMovement ? tokens.begin() : tokens.end(), incoming);
  return tokens;
}

Value Writer::join(Operation& before, std::span<const Value> tokens) {
  return joinTokens(before, tokens, tokenType_);
}

Value Writer::joinSinks(Scope& scope, Value incoming, Operation& before) {
  std::vector<Value> tokens;
  bool covered = false;
  for (const Node* node : scope.nodes) {
    if (!node->token || node->isLifetime || node->isAwaited) continue;
    tokens.push_back(node->token);
    covered |= node->coversOutside;
  }
  if (!covered) tokens.push_back(incoming);
  return join(before, tokens);
}

/// The frame of a function goes with its return.
static bool hasStack(Operation& function) {
  return function.hasTrait(Trait::Function) &&
         contains(function, [](Operation& op) { return isa<memref::AllocaOp>(&op); });
}

/// Tokens do not go from block to block: where there are more, each one ends when all of it is
/// done.
void Writer::waitAtEnd(Scope& scope) {
  Operation* terminator = scope.block->terminator();
  if (!terminator) return;
  if (terminator->numSuccessors() == 0 && !hasStack(*scope.block->parentOp())) return;
  std::vector<Value> tokens;
  for (const Node* node : scope.nodes)
    if (node->token && !node->hasSuccessor) tokens.push_back(node->token);
  if (!tokens.empty())
    Builder::before(*terminator).create(terminator->location(), "air.wait_all", tokens, {});
}

// -- Ops ------------------------------------------------------------------------------------------

void Writer::writeWrapped(Node& node, std::span<const Value> tokens) {
  Operation& op = *node.op;
  Context& context = op.context();
  OperationState state(context, op.location(), "air.execute");
  state.operands.assign(tokens.begin(), tokens.end());
  state.resultTypes.push_back(tokenType_);
  state.addTypes(op.resultTypes());
  Block& body = state.addRegion().addBlock(context);
  Operation* execute = Builder::before(op).create(state);
  for (unsigned i = 0; i < op.numResults(); ++i)
    op.result(i).replaceAllUsesWith(execute->result(i + 1));
  op.moveTo(body, nullptr);
  // Reshapes happen where their result is used, so that they are ordered with what fills it.
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    Operation* reshape = op.operand(i).definingOp();
    if (!reshape || !isReshape(*reshape)) continue;
    op.setOperand(i, Builder::before(op).clone(*reshape)->result());
    if (!reshape->hasResultUses()) reshape->erase();
  }
  Builder::atEnd(body).create(op.location(), "air.execute_terminator", op.resultValues(), {});
  node.op = execute;
  node.token = execute->result(0);
}

/// Nothing inside may run on, into what comes later in it or beyond it. What the program waits for itself may until then: what
/// stands between may be what it waits for.
void Writer::writeBlocking(Operation& op, std::span<const Value> tokens) {
  if (!tokens.empty()) Builder::before(op).create(op.location(), "air.wait_all", tokens, {});
  op.walkWith([&](Operation& inner) {
    Value token = &inner != &op && isAsyncOp(inner) ? AsyncOp(&inner).token() : Value();
    if (token && !token.hasUses())
      Builder::after(inner).create(inner.location(), "air.wait_all", {&token, 1}, {});
    return asHierarchy(&inner) || isa<ExecuteOp>(&inner) ? WalkResult::Skip : WalkResult::Advance;
  });
}

void Writer::writeExisting(Node& node, std::span<const Value> tokens) {
  if (!AsyncOp(node.op).token()) node.op = withToken(*node.op, 0, tokenType_);
  addDependencies(*node.op, tokens);
  node.token = AsyncOp(node.op).token();
  for (Scope* body : node.bodies)
    write(*body, Value());
}

void Writer::writeFor(Node& node, std::span<const Value> tokens) {
  Value init = join(*node.op, tokens);
  node.op = withToken(*node.op, node.op->numResults(), tokenType_, {&init, 1});
  Block& body = node.op->region().front();
  Value carried = body.addArgument(tokenType_, node.op->location());
  node.bodies[0]->outside = init;
  write(*node.bodies[0], carried);
  Operation& yield = body.back();
  addOperand(yield, joinSinks(*node.bodies[0], carried, yield));
  node.token = node.op->result(node.op->numResults() - 1);
}

void Writer::writeIf(Node& node, std::span<const Value> tokens) {
  Value init = join(*node.op, tokens);
  node.op = withToken(*node.op, node.op->numResults(), tokenType_);
  addMissingBranches(*node.op);
  for (Scope* body : node.bodies)
    write(*body, init);
  for (Region& region : node.op->regions()) {
    auto scope = std::find_if(node.bodies.begin(), node.bodies.end(),
                              [&](const Scope* body) { return body->block == &region.front(); });
    Operation& yield = region.front().back();
    addOperand(yield, scope == node.bodies.end() ? join(yield, {&init, 1})
                                                 : joinSinks(**scope, init, yield));
  }
  node.token = node.op->result(node.op->numResults() - 1);
}

void Writer::writeParallel(Node& node, std::span<const Value> tokens) {
  Value init = join(*node.op, tokens);
  int32_t loops = static_cast<int32_t>(scf::ParallelOp(node.op).numLoops());
  int32_t inits = static_cast<int32_t>(scf::ParallelOp(node.op).initVals().size());
  int32_t sizes[] = {loops, loops, loops, inits + 1};
  // The list of operands grows at its end: the inits.
  OperationState segments(node.op->location(), node.op->def());
  segments.setOperandSegments(node.op->context(), sizes);
  for (NamedAttribute attr : segments.attributes.entries())
    node.op->setAttr(attr.name.str(), attr.value);
  node.op = withToken(*node.op, node.op->numResults(), tokenType_, {&init, 1});
  Scope& body = *node.bodies[0];
  write(body, init);
  Operation& reduce = body.block->back();
  addReduction(reduce, joinSinks(body, init, reduce));
  node.token = node.op->result(node.op->numResults() - 1);
}

/// Two instances are done when both are.
void Writer::addReduction(Operation& reduce, Value token) {
  OperationState state(reduce.location(), reduce.def());
  state.addOperands(reduce.operands());
  state.operands.push_back(token);
  state.attributes = reduce.attributes();
  for (Region& region : reduce.regions())
    state.addRegion().takeBody(region);
  Block& block = state.addRegion().addBlock(reduce.context());
  Value both[] = {block.addArgument(tokenType_, reduce.location()),
                  block.addArgument(tokenType_, reduce.location())};
  Builder builder = Builder::atEnd(block);
  Operation* joined =
      builder.create(reduce.location(), "air.wait_all", both, std::span(&tokenType_, 1));
  Value result = joined->result();
  builder.create(reduce.location(), "scf.reduce.return", std::span(&result, 1), {});
  Builder::before(reduce).create(state);
  reduce.erase();
}

}  // namespace airlite::air::dependency
