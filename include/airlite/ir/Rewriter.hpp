// The builder that rewrites use: every change goes through it, so a driver can follow.
//
//   LogicalResult addOfZero(Operation& op, Rewriter& rewriter) {
//     if (constantIntOf(op.operand(1)) != 0) return failure();
//     rewriter.replaceOp(op, op.operand(0));
//     return success();
//   }
#pragma once

#include "airlite/ir/Builder.hpp"

namespace airlite {

/// Told about each change. All default to doing nothing.
class RewriteListener {
 public:
  virtual ~RewriteListener() = default;
  virtual void inserted(Operation&) {}
  virtual void modified(Operation&) {}
  /// Before it goes away.
  virtual void erased(Operation&) {}
  /// Users of the results change, the op itself may stay.
  virtual void replaced(Operation&) {}
};

class Rewriter : public Builder {
 public:
  explicit Rewriter(Context& context, RewriteListener* listener = nullptr)
      : Builder(context), listener_(listener) {}

  Operation* insert(Operation* op) override;
  /// All results of `op` become `values`; `op` is erased.
  void replaceOp(Operation& op, std::span<const Value> values);
  void replaceOp(Operation& op, Value value) { replaceOp(op, std::span<const Value>(&value, 1)); }
  /// Replaces by the results of `other` and erases `op`.
  void replaceOp(Operation& op, Operation& other);
  void replaceAllUses(Value from, Value to);
  /// Results must be unused. Nested ops go too.
  void eraseOp(Operation& op);
  /// Wrap every change in place in this.
  void modify(Operation& op, FunctionRef<void()> change) {
    change();
    if (listener_) listener_->modified(op);
  }
  void notifyModified(Operation& op) {
    if (listener_) listener_->modified(op);
  }
  /// Moves the ops of `source` (without arguments left in use) before `before`, mapping its
  /// arguments to `values`, and erases `source`.
  void inlineBlockBefore(Block& source, Operation& before, std::span<const Value> values);
  void eraseBlock(Block& block);
  void moveBefore(Operation& op, Operation& other);
  RewriteListener* listener() const { return listener_; }

 private:
  RewriteListener* listener_;
};

/// Tries to fold `op`. Success: `results` holds one replacement (attribute or value) per result,
/// or is empty when the op was changed in place.
LogicalResult foldOp(Operation& op, std::vector<FoldResult>& results);

/// The constant attribute that `value` is, looking at its defining ConstantLike op; else null.
Attribute constantOf(Value value);
/// Whether a value is the constant 0 (of floats: +0), which sums begin with.
bool isZero(Value value);
/// The integer constant that `value` is.
std::optional<int64_t> constantIntOf(Value value);

}  // namespace airlite
