// Folding of single operations, and constants seen through values.
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace airlite {
namespace {

/// Constants of a commutative op go to the right; the order is otherwise kept.
LogicalResult moveConstantsRight(Operation& op, std::span<const Attribute> constants) {
  auto isConstant = [](Attribute constant) { return static_cast<bool>(constant); };
  auto first = std::find_if(constants.begin(), constants.end(), isConstant);
  if (std::all_of(first, constants.end(), isConstant)) return failure();
  std::vector<Value> operands;
  for (unsigned i = 0; i < op.numOperands(); ++i)
    if (!constants[i]) operands.push_back(op.operand(i));
  for (unsigned i = 0; i < op.numOperands(); ++i)
    if (constants[i]) operands.push_back(op.operand(i));
  op.setOperands(operands);
  return success();
}

/// A fold to the op's own results is a change in place.
bool isItself(Operation& op, std::span<const FoldResult> results) {
  for (unsigned i = 0; i < results.size(); ++i)
    if (results[i].value != op.result(i)) return false;
  return true;
}

bool isComplete(Operation& op, std::span<const FoldResult> results) {
  return results.size() == op.numResults() &&
         std::all_of(results.begin(), results.end(), [](const FoldResult& r) { return bool(r); });
}

LogicalResult runFoldHook(Operation& op, std::span<const Attribute> constants,
                          std::vector<FoldResult>& results) {
  if (!op.def().foldFn || failed(op.def().foldFn(op, constants, results))) return failure();
  if (results.empty()) return success();
  assert(isComplete(op, results) && "a fold gives all results or none");
  if (!isComplete(op, results)) return failure();
  if (isItself(op, results)) results.clear();
  return success();
}

}  // namespace

LogicalResult foldOp(Operation& op, std::vector<FoldResult>& results) {
  results.clear();
  // A constant is its own fold: replacing it by itself would never end.
  if (op.hasTrait(Trait::ConstantLike)) return failure();
  bool commutes = op.hasTrait(Trait::Commutative);
  if (!op.def().foldFn && !commutes) return failure();
  std::array<Attribute, 8> few;
  std::vector<Attribute> many(op.numOperands() > few.size() ? op.numOperands() : 0);
  Attribute* constants = many.empty() ? few.data() : many.data();
  for (unsigned i = 0; i < op.numOperands(); ++i)
    constants[i] = constantOf(op.operand(i));
  std::span<const Attribute> all(constants, op.numOperands());
  if (succeeded(runFoldHook(op, all, results))) return success();
  results.clear();
  return commutes ? moveConstantsRight(op, all) : failure();
}

Attribute constantOf(Value value) {
  Operation* op = value ? value.definingOp() : nullptr;
  if (!op || !op->hasTrait(Trait::ConstantLike)) return Attribute();
  return op->attr("value");
}

bool isZero(Value value) {
  Attribute constant = constantOf(value);
  if (auto lanes = constant.dynCast<DenseElementsAttr>(); lanes && lanes.isSplat())
    constant = lanes.splatValue();
  if (auto number = constant.dynCast<FloatAttr>())
    return number.value() == 0 && !std::signbit(number.value());
  return constantInt(constant) == 0;
}

std::optional<int64_t> constantIntOf(Value value) {
  IntegerAttr attr = constantOf(value).dynCast<IntegerAttr>();
  return attr ? std::optional<int64_t>(attr.value()) : std::nullopt;
}

}  // namespace airlite
