// Value: where a value lives, and what happens to its uses.
#include "airlite/ir/Value.hpp"

#include "airlite/ir/Operation.hpp"

namespace airlite {

Block* Value::parentBlock() const {
  return isBlockArgument() ? argumentBlock() : definingOp()->block();
}

Region* Value::parentRegion() const {
  Block* block = parentBlock();
  return block ? block->parent() : nullptr;
}

Location Value::location() const {
  if (isOpResult()) return definingOp()->location();
  return static_cast<detail::BlockArgumentImpl*>(impl_)->location;
}

bool Value::hasOneUse() const { return impl_->firstUse && !impl_->firstUse->nextUse(); }

unsigned Value::numUses() const {
  unsigned count = 0;
  for (OpOperand* use = impl_->firstUse; use; use = use->nextUse())
    ++count;
  return count;
}

void Value::replaceAllUsesWith(Value other) {
  if (other == *this) return;
  while (impl_->firstUse)
    impl_->firstUse->set(other);
}

void Value::replaceUsesIf(Value other, const std::function<bool(OpOperand&)>& predicate) {
  if (other == *this) return;
  for (OpOperand* use = impl_->firstUse; use;) {
    OpOperand* next = use->nextUse();  // setting moves the use to the list of `other`
    if (predicate(*use)) use->set(other);
    use = next;
  }
}

}  // namespace airlite
