// SSA values and their uses. A value knows its uses as an intrusive list: unlinking is O(1).
// Include Operation.hpp: it completes what is declared here.
//
//   for (OpOperand& use : value.uses()) visit(*use.owner());
//   value.replaceAllUsesWith(other);
#pragma once

#include "airlite/ir/Location.hpp"
#include "airlite/ir/Type.hpp"

#include <cstdint>
#include <functional>
#include <iterator>

namespace airlite {

class Block;
class OpOperand;
class Operation;
class Region;
class Value;

namespace detail {
/// What every value is made of. Results are stored right after their operation, so that the index
/// leads to it: most of a program is values, and small ones are read faster.
struct ValueImpl {
  Type type;
  OpOperand* firstUse = nullptr;
  uint32_t index = 0;
  bool isArgument = false;
};
struct BlockArgumentImpl : ValueImpl {
  Block* block = nullptr;
  Location location;
};
}  // namespace detail

class UseIterator {
 public:
  using value_type = OpOperand;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::forward_iterator_tag;
  UseIterator() = default;
  explicit UseIterator(OpOperand* use) : use_(use) {}
  OpOperand& operator*() const { return *use_; }
  OpOperand* operator->() const { return use_; }
  UseIterator& operator++();
  UseIterator operator++(int) {
    UseIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const UseIterator&) const = default;

 private:
  OpOperand* use_ = nullptr;
};

struct UseRange {
  OpOperand* first;
  UseIterator begin() const { return UseIterator(first); }
  UseIterator end() const { return UseIterator(); }
  bool empty() const { return first == nullptr; }
};

/// A result of an operation or an argument of a block: a pointer-sized handle.
class Value {
 public:
  Value() = default;
  explicit Value(detail::ValueImpl* impl) : impl_(impl) {}

  explicit operator bool() const { return impl_ != nullptr; }
  bool operator==(const Value&) const = default;
  detail::ValueImpl* impl() const { return impl_; }

  Type type() const { return impl_->type; }
  inline void setType(Type type);  // in Operation.hpp
  Context& context() const { return impl_->type.context(); }

  bool isBlockArgument() const { return impl_->isArgument; }
  bool isOpResult() const { return !impl_->isArgument; }
  /// Result number or argument number.
  unsigned index() const { return impl_->index; }
  /// Null for a block argument.
  inline Operation* definingOp() const;  // in Operation.hpp
  /// The block of an argument; null for an op result.
  Block* argumentBlock() const {
    return impl_->isArgument ? static_cast<detail::BlockArgumentImpl*>(impl_)->block : nullptr;
  }
  /// The block that the value lives in: of the argument or of the defining op.
  Block* parentBlock() const;
  Region* parentRegion() const;
  Location location() const;

  UseRange uses() const { return UseRange{impl_->firstUse}; }
  bool hasUses() const { return impl_->firstUse != nullptr; }
  bool hasOneUse() const;
  unsigned numUses() const;
  void replaceAllUsesWith(Value other);
  void replaceUsesIf(Value other, const std::function<bool(OpOperand&)>& predicate);

 private:
  detail::ValueImpl* impl_ = nullptr;
};

/// One use of a value by an operation, linked into the use list of the value.
class OpOperand {
 public:
  OpOperand(Operation* owner, Value value) : owner_(owner) { link(value); }
  ~OpOperand() { unlink(); }
  OpOperand(const OpOperand&) = delete;
  OpOperand& operator=(const OpOperand&) = delete;

  Value get() const { return value_; }
  inline void set(Value value);  // in Operation.hpp
  Operation* owner() const { return owner_; }
  /// Its number among the operands of the owner.
  inline unsigned index() const;  // in Operation.hpp
  OpOperand* nextUse() const { return next_; }

 private:
  friend class Operation;
  void link(Value value) {
    value_ = value;
    if (!value) return;
    OpOperand*& head = value.impl()->firstUse;
    next_ = head;
    back_ = &head;
    if (next_) next_->back_ = &next_;
    head = this;
  }
  void unlink() {
    if (!value_) return;
    *back_ = next_;
    if (next_) next_->back_ = back_;
    next_ = nullptr;
    back_ = nullptr;
    value_ = Value();
  }

  Value value_;
  OpOperand* next_ = nullptr;
  OpOperand** back_ = nullptr;  // the pointer that points at this use
  Operation* owner_;
};

inline UseIterator& UseIterator::operator++() {
  use_ = use_->nextUse();
  return *this;
}

}  // namespace airlite

template <> struct std::hash<airlite::Value> {
  size_t operator()(airlite::Value v) const noexcept { return std::hash<const void*>()(v.impl()); }
};
