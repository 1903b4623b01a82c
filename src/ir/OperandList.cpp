// Operands in memory: in the allocation of their operation until they grow.
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace airlite::detail {

OperandList::OperandList(Operation& owner, OpOperand* memory, std::span<const Value> values)
    : first_(memory), size_(static_cast<uint32_t>(values.size())), capacity_(size_), isInline_(1) {
  for (uint32_t i = 0; i < size_; ++i)
    new (first_ + i) OpOperand(&owner, values[i]);
}

void OperandList::free(Context& context) {
  std::destroy_n(first_, size_);
  if (!isInline_) context.deallocate(first_, capacity_ * sizeof(OpOperand));
  size_ = 0;
}

void OperandList::grow(Operation& owner, std::span<const Value> values) {
  const uint32_t count = static_cast<uint32_t>(values.size());
  const uint32_t capacity = std::max(count, capacity_ * 2u);
  free(owner.context());
  first_ = static_cast<OpOperand*>(owner.context().allocate(capacity * sizeof(OpOperand)));
  isInline_ = 0;
  capacity_ = capacity;
  size_ = count;
  for (uint32_t i = 0; i < count; ++i)
    new (first_ + i) OpOperand(&owner, values[i]);
}

void OperandList::assign(Operation& owner, std::span<const Value> values) {
  if (values.size() > capacity_) return grow(owner, values);
  const uint32_t count = static_cast<uint32_t>(values.size());
  const uint32_t shared = std::min(count, size_);
  for (uint32_t i = 0; i < shared; ++i)
    first_[i].set(values[i]);
  for (uint32_t i = shared; i < count; ++i)
    new (first_ + i) OpOperand(&owner, values[i]);
  for (uint32_t i = shared; i < size_; ++i)
    first_[i].~OpOperand();
  size_ = count;
}

void OperandList::erase(unsigned index) {
  assert(index < size_);
  for (unsigned i = index; i + 1 < size_; ++i)
    first_[i].set(first_[i + 1].get());
  first_[--size_].~OpOperand();
}

}  // namespace airlite::detail
