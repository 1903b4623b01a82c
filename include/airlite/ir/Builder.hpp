// Creates operations at an insertion point.
//
//   Builder builder = Builder::before(op);
//   Value zero = builder.constantIndex(op.location(), 0);
//   builder.create(op.location(), "arith.addi", {zero, index}, {builder.indexType()});
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <initializer_list>
#include <span>
#include <string_view>

namespace airlite {

/// Inserts before `before` in `block`, or at its end.
struct InsertPoint {
  Block* block = nullptr;
  Operation* before = nullptr;
};

class Builder {
 public:
  explicit Builder(Context& context) : context_(&context) {}
  Builder(Context& context, InsertPoint point) : context_(&context), point_(point) {}
  static Builder before(Operation& op) { return Builder(op.context(), {op.block(), &op}); }
  static Builder after(Operation& op) { return Builder(op.context(), {op.block(), op.next()}); }
  static Builder atEnd(Block& block) { return Builder(block.context(), {&block, nullptr}); }
  static Builder atStart(Block& block) {
    return Builder(block.context(), {&block, block.empty() ? nullptr : &block.front()});
  }
  virtual ~Builder() = default;

  Context& context() const { return *context_; }
  InsertPoint insertPoint() const { return point_; }
  void setInsertPoint(InsertPoint point) { point_ = point; }
  void setBefore(Operation& op) { point_ = {op.block(), &op}; }
  void setAfter(Operation& op) { point_ = {op.block(), op.next()}; }
  void setToStart(Block& block) { point_ = {&block, block.empty() ? nullptr : &block.front()}; }
  void setToEnd(Block& block) { point_ = {&block, nullptr}; }

  /// Creates and inserts. Result types are inferred when none are given and the op can.
  Operation* create(OperationState& state);
  Operation* create(Location location, std::string_view name, std::span<const Value> operands,
                    std::span<const Type> results, std::span<const NamedAttribute> attrs = {});
  Operation* create(Location location, std::string_view name, std::initializer_list<Value> operands,
                    std::initializer_list<Type> results,
                    std::initializer_list<NamedAttribute> attrs = {});
  /// Inserts an op that exists already.
  virtual Operation* insert(Operation* op);
  Operation* clone(const Operation& op, IRMapping& mapping) { return insert(op.clone(mapping)); }
  Operation* clone(const Operation& op) { return insert(op.clone()); }

  // Short forms.
  NamedAttribute named(std::string_view name, Attribute value) const;
  IndexType indexType() const { return IndexType::get(*context_); }
  IntegerType intType(unsigned width) const { return IntegerType::get(*context_, width); }
  FloatType f32() const { return FloatType::get(*context_, FloatKind::F32); }
  IntegerAttr indexAttr(int64_t value) const { return IntegerAttr::getIndex(*context_, value); }
  IntegerAttr i64Attr(int64_t value) const { return IntegerAttr::get(intType(64), value); }
  IntegerAttr i32Attr(int64_t value) const { return IntegerAttr::get(intType(32), value); }
  StringAttr stringAttr(std::string_view text) const { return StringAttr::get(*context_, text); }
  UnitAttr unitAttr() const { return UnitAttr::get(*context_); }
  /// `arith.constant` of index type.
  Value constantIndex(Location location, int64_t value);
  Value constant(Location location, Attribute typedValue);

 protected:
  Context* context_;
  InsertPoint point_;
};

}  // namespace airlite
