// What index values are on one core of a herd.
#pragma once

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <optional>
#include <unordered_map>

namespace airlite::air {

class CoreEvaluator {
 public:
  /// The core (x, y) of a herd of two dimensions.
  CoreEvaluator(HerdOp herd, int64_t x, int64_t y) {
    known_[herd.id(0)] = x;
    known_[herd.id(1)] = y;
  }

  /// Null where it depends on more than the ids.
  std::optional<int64_t> operator()(Value value) {
    if (auto found = known_.find(value); found != known_.end()) return found->second;
    known_[value] = std::nullopt;  // no value depends on itself; keeps bad programs finite
    std::optional<int64_t> result = evaluate(value);
    known_[value] = result;
    return result;
  }

 private:
  std::optional<int64_t> evaluate(Value value) {
    if (std::optional<int64_t> constant = constantIntOf(value)) return constant;
    Operation* op = value.definingOp();
    if (!op) return std::nullopt;
    if (isa<ExecuteOp>(op) && value.index() > 0)
      return (*this)(ExecuteOp(op).body().back().operand(value.index() - 1));
    if (op->is("arith.index_cast")) return (*this)(op->operand(0));
    if (isa<affine::ApplyOp>(op)) return apply(affine::ApplyOp(op).application());
    return binary(*op);
  }

  std::optional<int64_t> apply(const affine::Application& application) {
    std::vector<int64_t> operands;
    for (Value operand : application.operands) {
      std::optional<int64_t> value = (*this)(operand);
      if (!value) return std::nullopt;
      operands.push_back(*value);
    }
    size_t dims = application.map.numDims();
    std::optional<std::vector<int64_t>> results = application.map.evaluate(
        std::span(operands).first(dims), std::span(operands).subspan(dims));
    return results ? std::optional(results->front()) : std::nullopt;
  }

  std::optional<int64_t> binary(Operation& op) {
    bool add = op.is("arith.addi"), sub = op.is("arith.subi"), mul = op.is("arith.muli");
    if (!add && !sub && !mul) return std::nullopt;
    std::optional<int64_t> lhs = (*this)(op.operand(0)), rhs = (*this)(op.operand(1));
    if (!lhs || !rhs) return std::nullopt;
    int64_t result = 0;
    bool overflow = add   ? __builtin_add_overflow(*lhs, *rhs, &result)
                    : sub ? __builtin_sub_overflow(*lhs, *rhs, &result)
                          : __builtin_mul_overflow(*lhs, *rhs, &result);
    return overflow ? std::nullopt : std::optional(result);
  }

  std::unordered_map<Value, std::optional<int64_t>> known_;
};

}  // namespace airlite::air
