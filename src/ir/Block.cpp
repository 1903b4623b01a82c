// Block: a list of operations with arguments, and the order numbers of its operations.
#include "airlite/ir/Context.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Operation.hpp"

#include <algorithm>
#include <new>

namespace airlite {

// ---------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------

Block* Block::create(Context& context) {
  return new (context.allocate(sizeof(Block))) Block(context);
}

Block::~Block() {
  assert(predecessors_.empty() && "a terminator still names the block");
  replaceAllUsesWith(nullptr);
  while (!arguments_.empty())
    eraseArgument(numArguments() - 1);
}

void Block::erase() {
  for (Operation* op = last_; op; op = op->prev())
    op->dropAllReferences();
  while (last_)
    last_->erase();
  unlink();
  Context& context = *context_;
  this->~Block();
  context.deallocate(this, sizeof(Block));
}

void Block::noteMembers() {
  Operation* owner = parentOp();
  if (owner && owner->hasTrait(Trait::SymbolTable)) context_->noteSymbolChange();
}

void Block::unlink() {
  if (!parent_) return;
  noteMembers();
  (prev_ ? prev_->next_ : parent_->first_) = next_;
  (next_ ? next_->prev_ : parent_->last_) = prev_;
  parent_ = nullptr;
  prev_ = next_ = nullptr;
}

void Block::moveBefore(Block* other) {
  if (other == this) return;
  Region* region = other->parent_;
  unlink();
  region->insert(this, other);
}

// ---------------------------------------------------------------------------------------------
// Arguments
// ---------------------------------------------------------------------------------------------

std::vector<Value> Block::arguments() const {
  return std::vector<Value>(arguments_.begin(), arguments_.end());
}

Value Block::addArgument(Type type, Location location) {
  return insertArgument(numArguments(), type, location);
}

Value Block::insertArgument(unsigned index, Type type, Location location) {
  assert(index <= arguments_.size());
  using Impl = detail::BlockArgumentImpl;
  Impl* impl = new (context_->allocate(sizeof(Impl))) Impl();
  impl->type = type;
  impl->block = this;
  impl->index = index;
  impl->isArgument = true;
  impl->location = location;
  arguments_.insert(arguments_.begin() + index, impl);
  for (unsigned i = index + 1; i < arguments_.size(); ++i)
    arguments_[i]->index = i;
  return Value(impl);
}

void Block::eraseArgument(unsigned index) {
  assert(index < arguments_.size());
  detail::BlockArgumentImpl* impl = arguments_[index];
  assert(!impl->firstUse && "the argument is still used");
  Value(impl).replaceAllUsesWith(Value());
  arguments_.erase(arguments_.begin() + index);
  for (unsigned i = index; i < arguments_.size(); ++i)
    arguments_[i]->index = i;
  context_->deallocate(impl, sizeof(detail::BlockArgumentImpl));
}

// ---------------------------------------------------------------------------------------------
// Operations
// ---------------------------------------------------------------------------------------------

namespace {

constexpr uint32_t kMiddle = 1u << 31;
constexpr uint32_t kStride = 1u << 16;

/// A number strictly between `low` and `high`; 0 when there is none. Ends of the list are far
/// apart, so that adding at an end takes a stride.
uint32_t numberBetween(const uint32_t* low, const uint32_t* high) {
  if (!low && !high) return kMiddle;
  if (!high) return *low <= UINT32_MAX - kStride ? *low + kStride : 0;
  if (!low) return *high > kStride ? *high - kStride : 0;
  return *high - *low >= 2 ? *low + (*high - *low) / 2 : 0;
}

}  // namespace

Operation* Block::terminator() const {
  if (!last_) return nullptr;
  bool may = !last_->isRegistered() || last_->hasTrait(Trait::Terminator);
  return may ? last_ : nullptr;
}

void Block::insert(Operation* op, Operation* before) {
  assert(!op->block_ && "the operation is in a block already");
  assert((!before || before->block_ == this) && "`before` is in another block");
  noteMembers();
  Operation* prev = before ? before->prev_ : last_;
  op->block_ = this;
  op->prev_ = prev;
  op->next_ = before;
  if (!first_) orderValid_ = true;
  if (orderValid_) {
    op->order_ = numberBetween(prev ? &prev->order_ : nullptr, before ? &before->order_ : nullptr);
    orderValid_ = op->order_ != 0;
  }
  (prev ? prev->next_ : first_) = op;
  (before ? before->prev_ : last_) = op;
}

void Block::remove(Operation& op) {
  noteMembers();
  (op.prev_ ? op.prev_->next_ : first_) = op.next_;
  (op.next_ ? op.next_->prev_ : last_) = op.prev_;
  op.block_ = nullptr;
  op.prev_ = op.next_ = nullptr;
}

void Block::renumber() {
  uint64_t count = numOps();
  uint64_t stride = std::clamp<uint64_t>((uint64_t(1) << 31) / (count + 1), 1, kStride);
  uint64_t number = kMiddle - std::min<uint64_t>(kMiddle - 1, count / 2 * stride);
  for (Operation* op = first_; op; op = op->next_, number += stride)
    op->order_ = static_cast<uint32_t>(number);
  orderValid_ = true;
}

void Block::splice(Operation* before, Block& from, Operation* first, Operation* end) {
  if (!first || first == end || before == first) return;
  if (&from == this && before == end) return;
  noteMembers();
  from.noteMembers();
  Operation* last = end ? end->prev_ : from.last_;
  for (Operation* op = first; op != end; op = op->next_)
    op->block_ = this;
  (first->prev_ ? first->prev_->next_ : from.first_) = end;
  (end ? end->prev_ : from.last_) = first->prev_;
  Operation* prev = before ? before->prev_ : last_;
  first->prev_ = prev;
  last->next_ = before;
  (prev ? prev->next_ : first_) = first;
  (before ? before->prev_ : last_) = last;
  orderValid_ = false;
}

Block* Block::splitBefore(Operation* first) {
  Block* tail = create(*context_);
  if (parent_) parent_->insert(tail, next_);
  tail->splice(nullptr, *this, first);
  return tail;
}

unsigned Block::numOps() const {
  unsigned count = 0;
  for (Operation* op = first_; op; op = op->next())
    ++count;
  return count;
}

// ---------------------------------------------------------------------------------------------
// Control flow
// ---------------------------------------------------------------------------------------------

std::vector<Block*> Block::successors() const {
  std::vector<Block*> blocks;
  if (!last_) return blocks;
  for (unsigned i = 0; i < last_->numSuccessors(); ++i)
    if (Block* block = last_->successor(i)) blocks.push_back(block);
  return blocks;
}

std::vector<Block*> Block::predecessors() const {
  std::vector<Block*> blocks;
  for (Operation* op : predecessors_)
    if (op->block()) blocks.push_back(op->block());
  return blocks;
}

void Block::replaceAllUsesWith(Block* other) {
  if (other == this) return;
  std::vector<Operation*> users = predecessors_;  // setSuccessor changes the list
  for (Operation* op : users)
    for (unsigned i = 0; i < op->numSuccessors(); ++i)
      if (op->successor(i) == this) op->setSuccessor(i, other);
}

}  // namespace airlite
