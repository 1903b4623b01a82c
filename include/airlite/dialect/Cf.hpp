// The cf dialect: unstructured control flow between blocks.
//
//   cf::BranchOp::create(builder, location, *next, std::array{sum});
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>
#include <span>
#include <vector>

namespace airlite {
class Builder;
}

namespace airlite::cf {

/// What the terminator `op` passes to its successor `index`; empty optional when `op` is not an op
/// of this dialect that says so.
std::optional<OperandRange> successorOperands(Operation& op, unsigned index);

class BranchOp : public OpView {
 public:
  using OpView::OpView;
  static BranchOp create(Builder& builder, Location location, Block& dest,
                         std::span<const Value> operands);
  Block* dest() const { return op_->successor(0); }
  OperandRange destOperands() const { return op_->operands(); }
};

class CondBranchOp : public OpView {
 public:
  using OpView::OpView;
  static CondBranchOp create(Builder& builder, Location location, Value condition, Block& trueDest,
                             std::span<const Value> trueOperands, Block& falseDest,
                             std::span<const Value> falseOperands);
  Value condition() const { return op_->operand(0); }
  Block* trueDest() const { return op_->successor(0); }
  Block* falseDest() const { return op_->successor(1); }
  OperandRange trueOperands() const { return op_->operandGroup(1); }
  OperandRange falseOperands() const { return op_->operandGroup(2); }
};

class SwitchOp : public OpView {
 public:
  using OpView::OpView;
  Value flag() const { return op_->operand(0); }
  Block* defaultDest() const { return op_->successor(0); }
  OperandRange defaultOperands() const { return op_->operandGroup(1); }
  unsigned numCases() const { return op_->numSuccessors() - 1; }
  Block* caseDest(unsigned i) const { return op_->successor(i + 1); }
  OperandRange caseOperands(unsigned i) const;
  /// Sign-extended.
  int64_t caseValue(unsigned i) const;
};

}  // namespace airlite::cf
