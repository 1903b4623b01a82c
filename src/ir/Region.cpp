// Region: a list of blocks that an operation owns.
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Operation.hpp"

namespace airlite {

Region::~Region() { clear(); }

Region* Region::parentRegion() const { return parent_ ? parent_->parentRegion() : nullptr; }

Context& Region::context() const {
  assert(parent_ || first_);
  return parent_ ? parent_->context() : first_->context();
}

unsigned Region::index() const { return static_cast<unsigned>(this - parent_->regions().data()); }

unsigned Region::numBlocks() const {
  unsigned count = 0;
  for (Block* block = first_; block; block = block->next())
    ++count;
  return count;
}

Block& Region::addBlock(Context& context) {
  Block* block = Block::create(context);
  insert(block);
  return *block;
}

void Region::insert(Block* block, Block* before) {
  assert(!block->parent_ && "the block is in a region already");
  assert((!before || before->parent_ == this) && "`before` is in another region");
  block->parent_ = this;
  block->next_ = before;
  block->prev_ = before ? before->prev_ : last_;
  (block->prev_ ? block->prev_->next_ : first_) = block;
  (before ? before->prev_ : last_) = block;
  block->noteMembers();
}

void Region::takeBody(Region& other) {
  if (&other == this || other.empty()) return;
  for (Block& block : other.blocks()) {
    block.noteMembers();
    block.parent_ = this;
    block.noteMembers();
  }
  other.first_->prev_ = last_;
  (last_ ? last_->next_ : first_) = other.first_;
  last_ = other.last_;
  other.first_ = other.last_ = nullptr;
}

void Region::clear() {
  // All edges between the blocks go at once: one by one they would be searched for one by one.
  for (Block& block : blocks())
    block.predecessors_.clear();
  for (Block& block : blocks())
    for (Operation& op : block.ops())
      op.dropAllReferences();
  while (last_)
    last_->erase();
}

bool Region::isProperAncestor(const Region* other) const {
  if (!other) return false;
  for (const Region* region = other->parentRegion(); region; region = region->parentRegion())
    if (region == this) return true;
  return false;
}

void Region::walk(FunctionRef<void(Operation&)> callback) {
  for (Block& block : blocks())
    for (Operation& op : block.ops())
      op.walk(callback);
}

}  // namespace airlite
