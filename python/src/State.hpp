// What Python holds of the IR: a context with everything in it, trees of operations, and handles
// into them. A handle is asked for its operation each time it is used, and says an error when that
// is gone: nothing that Python does leads to freed memory.
#pragma once

#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace airlite::python {

namespace py = pybind11;

class OpHandle;
class BlockHandle;

/// A context and its handles. All members are used under the GIL; a Job uses the context without
/// it, and everybody else waits.
class State : public std::enable_shared_from_this<State> {
 public:
  State();
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// The context, when no job works on it.
  Context& context() {
    if (busy_) waitForJob();
    return context_;
  }

  std::shared_ptr<OpHandle> handleOf(Operation* op, const std::shared_ptr<class Tree>& tree);
  std::shared_ptr<BlockHandle> handleOf(Block* block, const std::shared_ptr<Tree>& tree);
  /// A new tree.
  std::shared_ptr<Tree> adopt(Operation* root);
  /// The tree that an operation is in.
  std::shared_ptr<Tree> treeOf(Operation* op);
  /// Destroys an operation that no block holds, or keeps it as long as others use its values.
  void discard(Operation* root);
  /// The handles of `op` and of all that is inside lead nowhere from now on.
  void invalidate(Operation& op);
  void invalidate(Block& block);
  /// All handles of a tree but that of its root.
  void invalidateInside(Tree& tree);
  /// The handles of `op` and of what is inside belong to another tree.
  void move(Operation& op, const std::shared_ptr<Tree>& to);

  // What texts were read as: a source that is read again would be kept again.
  std::unordered_map<std::string, Type> typeTexts;
  std::unordered_map<std::string, Attribute> attributeTexts;
  /// Files of Python that operations come from; 0: cannot be read.
  std::unordered_map<std::string, uint32_t> files;
  std::unordered_map<uint32_t, std::vector<uint32_t>> lineStarts;  ///< of these sources

 private:
  friend class Job;
  friend class OpHandle;
  friend class BlockHandle;
  friend class Tree;
  void waitForJob();
  void beginJob();
  void endJob();

  Context context_;
  std::unordered_map<Operation*, OpHandle*> ops_;
  std::unordered_map<Block*, BlockHandle*> blocks_;
  std::unordered_map<Operation*, std::weak_ptr<Tree>> trees_;  ///< by their roots
  std::vector<Operation*> unowned_;                            ///< used by others still
  std::vector<Operation*> pending_;  ///< discarded while a job was running
  bool busy_ = false;
  std::thread::id worker_;
  std::mutex mutex_;
  std::condition_variable done_;
};

/// An operation that no block holds, with all that is inside.
class Tree {
 public:
  Tree(std::shared_ptr<State> state, Operation* root) : state_(std::move(state)), root_(root) {}
  ~Tree() {
    if (!root_) return;
    state_->trees_.erase(root_);
    state_->discard(root_);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const std::shared_ptr<State>& state() const { return state_; }
  Operation* root() const { return root_; }
  /// It belongs to another tree now, or is gone.
  void release() {
    state_->trees_.erase(root_);
    root_ = nullptr;
  }

 private:
  std::shared_ptr<State> state_;
  Operation* root_;
};

/// An operation as Python holds it. There is one handle of each at a time.
class OpHandle : public std::enable_shared_from_this<OpHandle> {
 public:
  OpHandle(std::shared_ptr<Tree> tree, Operation* op) : tree_(std::move(tree)), op_(op) {}
  virtual ~OpHandle();

  /// An error when the operation was erased.
  Operation& op() const {
    if (!op_) failErased();
    tree_->state()->context();
    return *op_;
  }
  bool isValid() const { return op_ != nullptr; }
  const std::shared_ptr<Tree>& tree() const { return tree_; }
  State& state() const { return *tree_->state(); }

 private:
  friend class State;
  [[noreturn]] static void failErased();
  std::shared_ptr<Tree> tree_;
  Operation* op_;
};

/// A builtin.module.
class ModuleHandle final : public OpHandle {
 public:
  using OpHandle::OpHandle;
};

class BlockHandle : public std::enable_shared_from_this<BlockHandle> {
 public:
  BlockHandle(std::shared_ptr<Tree> tree, Block* block) : tree_(std::move(tree)), block_(block) {}
  ~BlockHandle();

  Block& block() const {
    if (!block_) failErased();
    tree_->state()->context();
    return *block_;
  }
  const std::shared_ptr<Tree>& tree() const { return tree_; }
  State& state() const { return *tree_->state(); }

 private:
  friend class State;
  [[noreturn]] static void failErased();
  std::shared_ptr<Tree> tree_;
  Block* block_;
};

struct RegionHandle {
  std::shared_ptr<OpHandle> owner;
  unsigned index = 0;
  Region& region() const { return owner->op().region(index); }
};

/// A result or an argument; one of the two owners is set.
struct ValueHandle {
  std::shared_ptr<OpHandle> op;
  std::shared_ptr<BlockHandle> block;
  Value raw;

  Value value() const;
  const std::shared_ptr<Tree>& tree() const { return op ? op->tree() : block->tree(); }
  State& state() const { return *tree()->state(); }
};

struct TypeHandle {
  std::shared_ptr<State> state;
  Type type;
  Type get() const { return state->context(), type; }
};

struct AttrHandle {
  std::shared_ptr<State> state;
  Attribute attr;
  Attribute get() const { return state->context(), attr; }
};

/// Work on a context without the GIL. Who else wants the context waits until it is done.
class Job {
 public:
  explicit Job(std::shared_ptr<State> state) : state_(std::move(state)) {
    state_->beginJob();
    released_.emplace();
  }
  ~Job() {
    released_.reset();
    state_->endJob();
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  Context& context() const { return state_->context_; }

 private:
  std::shared_ptr<State> state_;
  std::optional<py::gil_scoped_release> released_;
};

// -- Handles from what they are of

inline std::shared_ptr<OpHandle> handleOf(const std::shared_ptr<Tree>& tree, Operation* op) {
  return op ? tree->state()->handleOf(op, tree) : nullptr;
}
inline std::shared_ptr<BlockHandle> handleOf(const std::shared_ptr<Tree>& tree, Block* block) {
  return block ? tree->state()->handleOf(block, tree) : nullptr;
}
/// The operation or block of a value may be in any tree.
ValueHandle handleOf(State& state, Value value);
/// A tree of its own for an operation that no block holds.
std::shared_ptr<OpHandle> adopt(const std::shared_ptr<State>& state, Operation* root);

/// True when something outside of `op` uses a value of it or of what is inside.
bool hasUsesOutside(Operation& op);
bool hasUsesOutside(Block& block);

/// The context that this thread works with: of the innermost `with`, or that of the process.
const std::shared_ptr<State>& currentState();
void pushState(std::shared_ptr<State> state);
void popState();

}  // namespace airlite::python
