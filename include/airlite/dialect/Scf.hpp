// Typed views of the scf dialect: structured loops, conditionals and switches.
//
//   if (auto loop = dynCast<scf::ForOp>(&op))
//     if (std::optional<int64_t> times = loop.tripCount()) unroll(loop, *times);
#pragma once

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <optional>
#include <span>
#include <vector>

namespace airlite::scf {

class YieldOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange values() const { return op_->operands(); }
  static YieldOp create(Builder& builder, Location location, std::span<const Value> values = {});
};

class ForOp : public OpView {
 public:
  using OpView::OpView;
  Value lowerBound() const { return op_->operand(0); }
  Value upperBound() const { return op_->operand(1); }
  Value step() const { return op_->operand(2); }
  OperandRange initArgs() const { return op_->operands().slice(3, op_->numOperands() - 3); }
  Region& region() const { return op_->region(0); }
  Block& body() const { return region().front(); }
  Value inductionVar() const { return body().argument(0); }
  unsigned numIterArgs() const { return op_->numOperands() - 3; }
  Value regionIterArg(unsigned i) const { return body().argument(i + 1); }
  std::vector<Value> regionIterArgs() const;
  YieldOp yield() const { return YieldOp(&body().back()); }
  Value yielded(unsigned i) const { return body().back().operand(i); }
  /// Times that the body runs when the bounds and the step are constants (a step of 0 or less
  /// gives nothing).
  std::optional<int64_t> tripCount() const;
  /// The body has its arguments; without iter args it ends with an empty scf.yield, otherwise the
  /// caller adds the yield.
  static ForOp create(Builder& builder, Location location, Value lower, Value upper, Value step,
                      std::span<const Value> initArgs = {});
};

class ReduceOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange values() const { return op_->operands(); }
  unsigned numReductions() const { return op_->numRegions(); }
  Block& reduction(unsigned i) const { return op_->region(i).front(); }
};

class ReduceReturnOp : public OpView {
 public:
  using OpView::OpView;
  Value value() const { return op_->operand(0); }
};

class ParallelOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange lowerBounds() const { return op_->operandGroup(0u); }
  OperandRange upperBounds() const { return op_->operandGroup(1u); }
  OperandRange steps() const { return op_->operandGroup(2u); }
  OperandRange initVals() const { return op_->operandGroup(3u); }
  unsigned numLoops() const { return steps().size(); }
  Region& region() const { return op_->region(0); }
  Block& body() const { return region().front(); }
  std::vector<Value> inductionVars() const { return body().arguments(); }
  ReduceOp reduce() const { return ReduceOp(&body().back()); }
  /// The body has its arguments. Without init values it ends with an empty scf.reduce, otherwise
  /// the caller adds the reduce.
  static ParallelOp create(Builder& builder, Location location, std::span<const Value> lower,
                           std::span<const Value> upper, std::span<const Value> steps,
                           std::span<const Value> initVals = {});
};

class IfOp : public OpView {
 public:
  using OpView::OpView;
  Value condition() const { return op_->operand(0); }
  Region& thenRegion() const { return op_->region(0); }
  Region& elseRegion() const { return op_->region(1); }
  Block& thenBlock() const { return thenRegion().front(); }
  bool hasElse() const { return !elseRegion().empty(); }
  Block& elseBlock() const { return elseRegion().front(); }
  YieldOp thenYield() const { return YieldOp(&thenBlock().back()); }
  YieldOp elseYield() const { return YieldOp(&elseBlock().back()); }
  /// Without result types both blocks end with an empty scf.yield, otherwise the caller adds them
  /// (and there is an else block whatever `withElse` says).
  static IfOp create(Builder& builder, Location location, std::span<const Type> resultTypes,
                     Value condition, bool withElse = false);
};

class ConditionOp : public OpView {
 public:
  using OpView::OpView;
  Value condition() const { return op_->operand(0); }
  OperandRange args() const { return op_->operands().slice(1, op_->numOperands() - 1); }
};

class WhileOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange inits() const { return op_->operands(); }
  Region& before() const { return op_->region(0); }
  Region& after() const { return op_->region(1); }
  Block& beforeBody() const { return before().front(); }
  Block& afterBody() const { return after().front(); }
  ConditionOp conditionOp() const { return ConditionOp(&beforeBody().back()); }
  YieldOp yield() const { return YieldOp(&afterBody().back()); }
};

class InParallelOp : public OpView {
 public:
  using OpView::OpView;
  Block& body() const { return op_->region(0).front(); }
};

class ForallOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange dynamicLowerBounds() const { return op_->operandGroup(0u); }
  OperandRange dynamicUpperBounds() const { return op_->operandGroup(1u); }
  OperandRange dynamicSteps() const { return op_->operandGroup(2u); }
  OperandRange outputs() const { return op_->operandGroup(3u); }
  /// One entry for each dimension; kDynamic where there is a dynamic operand.
  std::span<const int64_t> staticLowerBounds() const { return statics("staticLowerBound"); }
  std::span<const int64_t> staticUpperBounds() const { return statics("staticUpperBound"); }
  std::span<const int64_t> staticSteps() const { return statics("staticStep"); }
  unsigned rank() const { return static_cast<unsigned>(staticLowerBounds().size()); }
  /// All lower bounds are 0 and all steps are 1, statically.
  bool isNormalized() const;
  Region& region() const { return op_->region(0); }
  Block& body() const { return region().front(); }
  Value inductionVar(unsigned i) const { return body().argument(i); }
  /// Block argument that stands for output `i`.
  Value outputArg(unsigned i) const { return body().argument(rank() + i); }
  ArrayAttr mapping() const { return op_->attrOf<ArrayAttr>("mapping"); }
  InParallelOp terminator() const { return InParallelOp(&body().back()); }

 private:
  std::span<const int64_t> statics(std::string_view name) const {
    auto attr = op_->attrOf<DenseArrayAttr>(name);
    return attr ? attr.values() : std::span<const int64_t>();
  }
};

class IndexSwitchOp : public OpView {
 public:
  using OpView::OpView;
  Value arg() const { return op_->operand(0); }
  std::span<const int64_t> cases() const {
    auto attr = op_->attrOf<DenseArrayAttr>("cases");
    return attr ? attr.values() : std::span<const int64_t>();
  }
  unsigned numCases() const { return op_->numRegions() - 1; }
  Region& defaultRegion() const { return op_->region(0); }
  Region& caseRegion(unsigned i) const { return op_->region(i + 1); }
};

class ExecuteRegionOp : public OpView {
 public:
  using OpView::OpView;
  Region& region() const { return op_->region(0); }
};

/// Times that `for (i = lower; i < upper; i += step)` runs; nothing when step <= 0. Saturates at
/// INT64_MAX.
std::optional<int64_t> constantTripCount(int64_t lower, int64_t upper, int64_t step);

}  // namespace airlite::scf
