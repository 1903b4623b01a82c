// Operation, Block and Region: the tree that a program is.
//
// An Operation owns its regions, a Region its blocks, a Block its operations and arguments. Lists
// are intrusive; insertion and removal are O(1). All memory comes from the Context.
//
//   module->walk([&](Operation& op) {              // inner ops first
//     if (!isa<memref::AllocOp>(&op)) return;
//     for (OpOperand& use : op.result().uses())
//       std::cout << use.owner()->name() << "\n";
//   });
#pragma once

#include "airlite/ir/Attribute.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/Location.hpp"
#include "airlite/ir/Value.hpp"
#include "airlite/support/FunctionRef.hpp"

#include <cassert>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace airlite {

class Block;
class Context;
class Operation;
class Region;
struct OpDef;
enum class Trait : uint64_t;

/// A list of nodes with `next()`, iterated so that the current node may be erased.
template <class Node> class IntrusiveIterator {
 public:
  using value_type = Node;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::forward_iterator_tag;
  IntrusiveIterator() = default;
  explicit IntrusiveIterator(Node* node) : node_(node), next_(node ? node->next() : nullptr) {}
  Node& operator*() const { return *node_; }
  Node* operator->() const { return node_; }
  IntrusiveIterator& operator++() {
    node_ = next_;
    next_ = node_ ? node_->next() : nullptr;
    return *this;
  }
  IntrusiveIterator operator++(int) {
    IntrusiveIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const IntrusiveIterator& other) const { return node_ == other.node_; }

 private:
  Node* node_ = nullptr;
  Node* next_ = nullptr;
};

template <class Node> struct IntrusiveRange {
  Node* first = nullptr;
  IntrusiveIterator<Node> begin() const { return IntrusiveIterator<Node>(first); }
  IntrusiveIterator<Node> end() const { return IntrusiveIterator<Node>(); }
  bool empty() const { return first == nullptr; }
};

/// Operands as values.
class OperandRange {
 public:
  OperandRange() = default;
  OperandRange(OpOperand* first, unsigned size) : first_(first), size_(size) {}
  class iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    iterator() = default;
    explicit iterator(OpOperand* at) : at_(at) {}
    Value operator*() const { return at_->get(); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++at_;
      return old;
    }
    bool operator==(const iterator&) const = default;

   private:
    OpOperand* at_ = nullptr;
  };
  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(first_ + size_); }
  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Value operator[](unsigned i) const {
    assert(i < size_);
    return first_[i].get();
  }
  Value front() const { return (*this)[0]; }
  Value back() const { return (*this)[size_ - 1]; }
  OpOperand& use(unsigned i) const { return first_[i]; }
  /// `count` operands from `start`.
  OperandRange slice(unsigned start, unsigned count) const {
    assert(start + count <= size_);
    return OperandRange(first_ + start, count);
  }
  std::vector<Value> vec() const;

 private:
  OpOperand* first_ = nullptr;
  unsigned size_ = 0;
};

/// Where cloning finds the new value (or block) for an old one.
class IRMapping {
 public:
  void map(Value from, Value to);
  void map(Block* from, Block* to);
  Value lookupOr(Value from) const;
  Value lookupOrNull(Value from) const;
  Block* lookupOr(Block* from) const;

 private:
  std::unordered_map<Value, Value> values_;
  std::unordered_map<Block*, Block*> blocks_;
};

enum class WalkOrder { PreOrder, PostOrder };
enum class WalkResult { Advance, Skip, Interrupt };

class Region {
 public:
  explicit Region(Operation* parent) : parent_(parent) {}
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  Operation* parentOp() const { return parent_; }
  Region* parentRegion() const;
  Context& context() const;
  unsigned index() const;

  bool empty() const { return first_ == nullptr; }
  bool hasOneBlock() const { return first_ && first_ == last_; }
  Block& front() const { return *first_; }
  Block& back() const { return *last_; }
  IntrusiveRange<Block> blocks() const { return {first_}; }
  unsigned numBlocks() const;
  /// Adds a new empty block at the end. A region under construction (OperationState::addRegion) has
  /// no op to ask for the context: it must be given.
  Block& addBlock(Context& context);
  Block& addBlock() { return addBlock(context()); }
  /// Adds an owned block before `before` (null: at the end).
  void insert(Block* block, Block* before = nullptr);
  /// Moves all blocks of `other` to the end of this region.
  void takeBody(Region& other);
  void clear();
  bool isProperAncestor(const Region* other) const;
  /// All operations inside, `callback` may erase the op that it is given (post-order).
  void walk(FunctionRef<void(Operation&)> callback);

 private:
  friend class Block;
  Operation* parent_;
  Block* first_ = nullptr;
  Block* last_ = nullptr;
};

class Block {
 public:
  static Block* create(Context& context);
  /// Unlinks and destroys; no value inside may be used outside any more.
  void erase();

  Region* parent() const { return parent_; }
  Operation* parentOp() const { return parent_ ? parent_->parentOp() : nullptr; }
  Context& context() const { return *context_; }
  Block* next() const { return next_; }
  Block* prev() const { return prev_; }
  bool isEntry() const { return parent_ && &parent_->front() == this; }

  unsigned numArguments() const { return static_cast<unsigned>(arguments_.size()); }
  Value argument(unsigned i) const { return Value(arguments_[i]); }
  std::vector<Value> arguments() const;
  Value addArgument(Type type, Location location);
  Value insertArgument(unsigned index, Type type, Location location);
  /// The argument must have no uses.
  void eraseArgument(unsigned index);

  bool empty() const { return first_ == nullptr; }
  Operation& front() const { return *first_; }
  Operation& back() const { return *last_; }
  IntrusiveRange<Operation> ops() const { return {first_}; }
  /// The last operation when it is a terminator (or may be one, unregistered); else null.
  Operation* terminator() const;
  /// Adds an unlinked op before `before` (null: at the end).
  void insert(Operation* op, Operation* before = nullptr);
  void append(Operation* op) { insert(op, nullptr); }
  /// Moves the ops [first, end) of another block before `before` (null: at the end).
  void splice(Operation* before, Block& from, Operation* first, Operation* end = nullptr);
  /// Moves all ops from `first` on to a new block right after this one.
  Block* splitBefore(Operation* first);
  unsigned numOps() const;

  std::vector<Block*> successors() const;
  /// Blocks whose terminators name this one; one entry per edge.
  const std::vector<Operation*>& predecessorTerminators() const { return predecessors_; }
  std::vector<Block*> predecessors() const;
  bool hasNoPredecessors() const { return predecessors_.empty(); }
  void replaceAllUsesWith(Block* other);
  void moveBefore(Block* other);

 private:
  friend class Operation;
  friend class Region;
  explicit Block(Context& context) : context_(&context) {}
  ~Block();
  void unlink();
  void remove(Operation& op);
  void renumber();
  /// The list of ops changes: tells the context when they are members of a symbol table.
  void noteMembers();

  Context* context_;
  Region* parent_ = nullptr;
  Block* prev_ = nullptr;
  Block* next_ = nullptr;
  Operation* first_ = nullptr;
  Operation* last_ = nullptr;
  bool orderValid_ = false;
  std::vector<detail::BlockArgumentImpl*> arguments_;
  std::vector<Operation*> predecessors_;
};

namespace detail {

/// The operands of an operation: at first in its allocation, elsewhere when they have grown.
class OperandList {
 public:
  /// `memory`: in the allocation of `owner`, for all of `values`.
  OperandList(Operation& owner, OpOperand* memory, std::span<const Value> values);

  OpOperand* begin() const { return first_; }
  OpOperand* end() const { return first_ + size_; }
  OpOperand& operator[](unsigned i) const { return first_[i]; }
  unsigned size() const { return size_; }

  void assign(Operation& owner, std::span<const Value> values);
  void erase(unsigned index);
  void free(Context& context);

 private:
  void grow(Operation& owner, std::span<const Value> values);

  OpOperand* first_;
  uint32_t size_;
  uint32_t capacity_ : 31;
  uint32_t isInline_ : 1;
};

}  // namespace detail

/// Everything needed to create an operation.
struct OperationState {
  OperationState() = default;
  OperationState(Location location, const OpDef& def);
  /// Looks the op up by name; the name must be registered.
  OperationState(Context& context, Location location, std::string_view name);

  Location location;
  const OpDef* def = nullptr;
  std::vector<Value> operands;
  std::vector<Type> resultTypes;
  NamedAttrList attributes;
  std::vector<std::unique_ptr<Region>> regions;
  std::vector<Block*> successors;

  void addOperands(std::span<const Value> values);
  void addOperands(OperandRange values);
  void addTypes(std::span<const Type> types);
  void addAttribute(Context& context, std::string_view name, Attribute value) {
    attributes.set(Identifier::get(context, name), value);
  }
  /// As new, but the memory of the lists is kept for the next operation.
  void restart(Location newLocation, const OpDef& newDef);
  Region& addRegion();
  /// Sizes of the operand groups, for ops with several variadic groups.
  void setOperandSegments(Context& context, std::span<const int32_t> sizes);
};

/// An operation is one allocation: header, operands, results, regions, successors.
///
/// One class: all of these are found from the header, and a change of each has to be noted there.
class Operation {
 public:
  static Operation* create(Context& context, OperationState& state);
  /// Unlinks and destroys; results must have no uses.
  void erase();
  /// Destroys an op that is in no block.
  void destroy();

  const OpDef& def() const { return *def_; }
  std::string_view name() const;
  bool is(std::string_view opName) const { return name() == opName; }
  bool isRegistered() const;
  bool hasTrait(Trait trait) const;
  Context& context() const { return attributes_.context(); }
  Location location() const { return location_; }
  void setLocation(Location location) { location_ = location; }

  Block* block() const { return block_; }
  Operation* next() const { return next_; }
  Operation* prev() const { return prev_; }
  Region* parentRegion() const { return block_ ? block_->parent() : nullptr; }
  Operation* parentOp() const { return block_ ? block_->parentOp() : nullptr; }
  Operation* parentOfName(std::string_view opName) const;
  template <class Op> Op parentOf() const;
  bool isProperAncestor(const Operation* other) const;
  bool isAncestor(const Operation* other) const { return other == this || isProperAncestor(other); }
  /// Both must be in the same block. Amortised O(1).
  bool isBeforeInBlock(const Operation* other) const;

  unsigned numResults() const { return numResults_; }
  Value result(unsigned i = 0) const {
    assert(i < numResults_);
    return Value(&results()[i]);
  }
  std::vector<Value> resultValues() const;
  std::vector<Type> resultTypes() const;
  bool hasResultUses() const;

  unsigned numOperands() const { return operands_.size(); }
  Value operand(unsigned i) const {
    assert(i < operands_.size());
    return operands_[i].get();
  }
  OpOperand& opOperand(unsigned i) const { return operands_[i]; }
  void setOperand(unsigned i, Value value) { operands_[i].set(value); }
  OperandRange operands() const { return OperandRange(operands_.begin(), operands_.size()); }
  std::vector<Type> operandTypes() const;
  /// Replaces all operands. Does not touch operandSegmentSizes: see setOperandGroup.
  void setOperands(std::span<const Value> values);
  void eraseOperand(unsigned index);
  /// The operands of group `group` of the definition (its position among the named operands).
  OperandRange operandGroup(unsigned group) const;
  OperandRange operandGroup(std::string_view name) const;
  /// Replaces one group and keeps operandSegmentSizes right.
  void setOperandGroup(unsigned group, std::span<const Value> values);
  /// First operand index and size of a group.
  std::pair<unsigned, unsigned> operandGroupBounds(unsigned group) const;
  std::pair<unsigned, unsigned> resultGroupBounds(unsigned group) const;
  /// The attribute operandSegmentSizes; null where there is none.
  Attribute operandSegments() const;
  void dropAllReferences();

  DictionaryAttr attributes() const { return attributes_; }
  void setAttributes(DictionaryAttr attributes);
  Attribute attr(std::string_view name) const { return attributes_.get(name); }
  template <class T> T attrOf(std::string_view name) const {
    Attribute a = attributes_.get(name);
    return a ? a.dynCast<T>() : T();
  }
  bool hasAttr(std::string_view name) const { return static_cast<bool>(attr(name)); }
  void setAttr(std::string_view name, Attribute value);
  void removeAttr(std::string_view name);

  unsigned numRegions() const { return numRegions_; }
  Region& region(unsigned i = 0) const {
    assert(i < numRegions_);
    return firstRegion()[i];
  }
  std::span<Region> regions() const { return {firstRegion(), numRegions_}; }

  unsigned numSuccessors() const { return numSuccessors_; }
  Block* successor(unsigned i) const { return successors()[i]; }
  void setSuccessor(unsigned i, Block* block);

  void moveBefore(Operation* other);
  void moveAfter(Operation* other);
  void moveTo(Block& block, Operation* before);
  void removeFromBlock();
  void replaceAllUsesWith(std::span<const Value> values);
  void replaceUsesOfWith(Value from, Value to);
  /// A deep copy in no block; operands are mapped, new results and blocks are added to `mapping`.
  Operation* clone(IRMapping& mapping) const;
  Operation* clone() const;
  Operation* cloneWithoutRegions(IRMapping& mapping) const;

  /// This op and everything inside. In post-order `callback` may erase the op it is given.
  void walk(FunctionRef<void(Operation&)> callback, WalkOrder order = WalkOrder::PostOrder);
  /// Pre-order with control over descent; returns Interrupt when the callback did.
  WalkResult walkWith(FunctionRef<WalkResult(Operation&)> callback);

  InFlightDiagnostic emitError() const;
  /// `'op.name' op <message>`.
  InFlightDiagnostic emitOpError() const;
  InFlightDiagnostic emitWarning() const;
  InFlightDiagnostic emitRemark() const;
  std::string str() const;

  /// What the verifier, which sees most ops many times as they were, found right and need not look
  /// at again: that operands, types and attributes fit the definition, and also that they keep
  /// what it says of them alone (OpDef::verifyAlone). A change of any of them forgets it.
  enum class Verified : uint8_t { Nothing, Shape, Alone };
  Verified verified() const { return static_cast<Verified>(verified_); }
  void setVerified(Verified part) { verified_ = static_cast<uint32_t>(part); }

 private:
  friend class Block;
  Operation(Context& context, OperationState& state);
  ~Operation();
  // After the header, in one allocation: results, regions, successors, operands (until they grow).
  detail::ValueImpl* results() const {
    return reinterpret_cast<detail::ValueImpl*>(const_cast<Operation*>(this) + 1);
  }
  Region* firstRegion() const { return reinterpret_cast<Region*>(results() + numResults_); }
  Block** successors() const { return reinterpret_cast<Block**>(firstRegion() + numRegions_); }

  const OpDef* def_;
  Block* block_ = nullptr;
  Operation* prev_ = nullptr;
  Operation* next_ = nullptr;
  Location location_;
  DictionaryAttr attributes_;
  uint32_t order_ = 0;
  uint32_t numResults_;
  uint32_t numRegions_;
  uint32_t numSuccessors_;
  uint32_t allocationSize_ : 29;
  uint32_t verified_ : 2;
  detail::OperandList operands_;  // after the counts: they say where its first memory lies
};

inline Operation* Value::definingOp() const {
  if (impl_->isArgument) return nullptr;
  return reinterpret_cast<Operation*>(impl_ - impl_->index) - 1;
}

inline void Value::setType(Type type) {
  impl_->type = type;
  if (Operation* op = definingOp()) op->setVerified(Operation::Verified::Nothing);
  for (OpOperand& use : uses())
    use.owner()->setVerified(Operation::Verified::Nothing);
}

inline void OpOperand::set(Value value) {
  if (value == value_) return;
  owner_->setVerified(Operation::Verified::Nothing);
  unlink();
  link(value);
}

inline unsigned OpOperand::index() const {
  return static_cast<unsigned>(this - &owner_->opOperand(0));
}

/// Owns a top-level operation (a module).
class OwningOp {
 public:
  OwningOp() = default;
  explicit OwningOp(Operation* op) : op_(op) {}
  OwningOp(OwningOp&& other) noexcept : op_(std::exchange(other.op_, nullptr)) {}
  OwningOp& operator=(OwningOp&& other) noexcept {
    std::swap(op_, other.op_);
    return *this;
  }
  ~OwningOp() {
    if (op_) op_->destroy();
  }
  Operation* get() const { return op_; }
  Operation& operator*() const { return *op_; }
  Operation* operator->() const { return op_; }
  explicit operator bool() const { return op_ != nullptr; }
  Operation* release() { return std::exchange(op_, nullptr); }

 private:
  Operation* op_ = nullptr;
};

/// Identity of a typed view class, unique per class.
using ViewId = const void*;
template <class Op> ViewId viewId() {
  static const char tag = 0;
  return &tag;
}
ViewId viewIdOf(const Operation& op);

/// Base of typed views (`air::HerdOp`): a pointer to an operation with named accessors on top.
class OpView {
 public:
  OpView() = default;
  explicit OpView(Operation* op) : op_(op) {}
  explicit operator bool() const { return op_ != nullptr; }
  Operation* op() const { return op_; }
  Operation* operator->() const { return op_; }
  Operation& operator*() const { return *op_; }
  bool operator==(const OpView&) const = default;

 protected:
  Operation* op_ = nullptr;
};

template <class Op> bool isa(const Operation* op) { return op && viewIdOf(*op) == viewId<Op>(); }
template <class Op> Op dynCast(Operation* op) { return isa<Op>(op) ? Op(op) : Op(); }
template <class Op> Op Operation::parentOf() const {
  for (Operation* op = parentOp(); op; op = op->parentOp())
    if (Op view = dynCast<Op>(op)) return view;
  return Op();
}

}  // namespace airlite
