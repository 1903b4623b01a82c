#include "State.hpp"

#include "Errors.hpp"

#include <algorithm>
#include <chrono>

namespace airlite::python {
namespace {

/// Contexts of the `with` blocks that a thread is in.
thread_local std::vector<std::shared_ptr<State>> statesOfThread;

template <class Visit> void visitBlocks(Operation& op, const Visit& visit) {
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      visit(block);
}

/// Whether something that is not `isInside` uses a value of the block or of what is in it, or goes
/// to one of its blocks.
template <class IsInside> bool isUsedFromOutside(Block& block, const IsInside& isInside);

template <class IsInside> bool isUsedFromOutside(Value value, const IsInside& isInside) {
  for (OpOperand& use : value.uses())
    if (!isInside(*use.owner())) return true;
  return false;
}

template <class IsInside> bool isUsedFromOutside(Operation& op, const IsInside& isInside) {
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (isUsedFromOutside(op.result(i), isInside)) return true;
  bool isUsed = false;
  visitBlocks(op, [&](Block& block) { isUsed = isUsed || isUsedFromOutside(block, isInside); });
  return isUsed;
}

template <class IsInside> bool isUsedFromOutside(Block& block, const IsInside& isInside) {
  for (unsigned i = 0; i < block.numArguments(); ++i)
    if (isUsedFromOutside(block.argument(i), isInside)) return true;
  for (const Operation* terminator : block.predecessorTerminators())
    if (!isInside(*terminator)) return true;
  for (Operation& op : block.ops())
    if (isUsedFromOutside(op, isInside)) return true;
  return false;
}

/// In the block, or in what is in it.
bool isInBlock(const Operation& op, const Block& block) {
  const Block* at = op.block();
  while (at && at != &block)
    at = at->parentOp() ? at->parentOp()->block() : nullptr;
  return at != nullptr;
}

}  // namespace

// -- State ----------------------------------------------------------------------------------------

State::State() { registerAllDialects(context_); }

State::~State() {
  // Some of these may use values of others: no use is left before the first one goes.
  for (Operation* op : unowned_)
    op->walk([](Operation& inner) { inner.dropAllReferences(); });
  for (Operation* op : unowned_)
    op->destroy();
}

void State::waitForJob() {
  if (worker_ == std::this_thread::get_id())
    fail("the context is in use: this thread compiles or runs one of its programs");
  while (busy_) {
    {
      py::gil_scoped_release release;
      std::unique_lock lock(mutex_);
      done_.wait_for(lock, std::chrono::milliseconds(50));
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void State::beginJob() {
  context();
  busy_ = true;
  worker_ = std::this_thread::get_id();
}

void State::endJob() {
  {
    const std::lock_guard lock(mutex_);
    busy_ = false;
    worker_ = {};
  }
  done_.notify_all();
  for (Operation* op : std::exchange(pending_, {}))
    discard(op);
}

std::shared_ptr<OpHandle> State::handleOf(Operation* op, const std::shared_ptr<Tree>& tree) {
  OpHandle*& known = ops_[op];
  if (known) return known->shared_from_this();
  std::shared_ptr<OpHandle> handle;
  if (op->is("builtin.module"))
    handle = std::make_shared<ModuleHandle>(tree, op);
  else
    handle = std::make_shared<OpHandle>(tree, op);
  known = handle.get();
  return handle;
}

std::shared_ptr<BlockHandle> State::handleOf(Block* block, const std::shared_ptr<Tree>& tree) {
  BlockHandle*& known = blocks_[block];
  if (known) return known->shared_from_this();
  auto handle = std::make_shared<BlockHandle>(tree, block);
  known = handle.get();
  return handle;
}

std::shared_ptr<Tree> State::adopt(Operation* root) {
  auto tree = std::make_shared<Tree>(shared_from_this(), root);
  trees_[root] = tree;
  return tree;
}

std::shared_ptr<Tree> State::treeOf(Operation* op) {
  while (Operation* outer = op->parentOp())
    op = outer;
  if (const auto found = trees_.find(op); found != trees_.end())
    if (auto tree = found->second.lock()) return tree;
  std::erase(unowned_, op);
  return adopt(op);
}

void State::discard(Operation* root) {
  if (busy_) return pending_.push_back(root);
  invalidate(*root);
  if (hasUsesOutside(*root)) return unowned_.push_back(root);
  root->destroy();
}

void State::invalidate(Block& block) {
  if (const auto found = blocks_.find(&block); found != blocks_.end()) {
    found->second->block_ = nullptr;
    blocks_.erase(found);
  }
  for (Operation& op : block.ops())
    invalidate(op);
}

void State::invalidate(Operation& op) {
  if (ops_.empty() && blocks_.empty()) return;
  if (const auto found = ops_.find(&op); found != ops_.end()) {
    found->second->op_ = nullptr;
    ops_.erase(found);
  }
  visitBlocks(op, [&](Block& block) { invalidate(block); });
}

void State::invalidateInside(Tree& tree) {
  std::erase_if(ops_, [&](const auto& entry) {
    if (entry.second->tree_.get() != &tree || entry.first == tree.root()) return false;
    entry.second->op_ = nullptr;
    return true;
  });
  std::erase_if(blocks_, [&](const auto& entry) {
    if (entry.second->tree_.get() != &tree) return false;
    entry.second->block_ = nullptr;
    return true;
  });
}

void State::move(Operation& op, const std::shared_ptr<Tree>& to) {
  op.walk([&](Operation& inner) {
    if (const auto found = ops_.find(&inner); found != ops_.end()) found->second->tree_ = to;
    visitBlocks(inner, [&](Block& block) {
      if (const auto held = blocks_.find(&block); held != blocks_.end()) held->second->tree_ = to;
    });
  });
}

// -- Handles --------------------------------------------------------------------------------------

OpHandle::~OpHandle() {
  if (op_) tree_->state()->ops_.erase(op_);
}

void OpHandle::failErased() {
  fail("this operation does not exist any more: it was erased, or passes have run on its module");
}

BlockHandle::~BlockHandle() {
  if (block_) tree_->state()->blocks_.erase(block_);
}

void BlockHandle::failErased() {
  fail("this block does not exist any more: it was erased, or passes have run on its module");
}

Value ValueHandle::value() const {
  if (op) return op->op(), raw;
  Block& owner = block->block();
  for (unsigned i = 0; i < owner.numArguments(); ++i)
    if (owner.argument(i) == raw) return raw;
  fail("this argument does not exist any more: it was erased");
}

ValueHandle handleOf(State& state, Value value) {
  if (Operation* op = value.definingOp()) return {handleOf(state.treeOf(op), op), nullptr, value};
  Block* block = value.argumentBlock();
  return {nullptr, handleOf(state.treeOf(block->parentOp()), block), value};
}

std::shared_ptr<OpHandle> adopt(const std::shared_ptr<State>& state, Operation* root) {
  return state->handleOf(root, state->adopt(root));
}

bool hasUsesOutside(Operation& root) {
  return isUsedFromOutside(root, [&](const Operation& user) { return root.isAncestor(&user); });
}

bool hasUsesOutside(Block& block) {
  return isUsedFromOutside(block, [&](const Operation& user) { return isInBlock(user, block); });
}

// -- The context of a thread ----------------------------------------------------------------------

const std::shared_ptr<State>& currentState() {
  if (!statesOfThread.empty()) return statesOfThread.back();
  // Never destroyed: handles may outlive everything else that ends with the process.
  static auto* const ofProcess = new std::shared_ptr<State>(std::make_shared<State>());
  return *ofProcess;
}

void pushState(std::shared_ptr<State> state) { statesOfThread.push_back(std::move(state)); }

void popState() {
  if (statesOfThread.empty()) fail("this thread is in no `with` block of a context");
  statesOfThread.pop_back();
}

}  // namespace airlite::python
