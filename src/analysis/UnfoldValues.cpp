// Integer arithmetic of the control of a program, on demand.
#include "UnfoldValues.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::analysis {

namespace {

/// Deeper expressions are programs made to be slow: their value is assumed.
constexpr unsigned kDeepestUnfolded = 500;

/// Bits of an index or integer; 0 for other types and wider ones.
unsigned widthOf(Type type) {
  if (type.isa<IndexType>()) return 64;
  IntegerType integer = type.dynCast<IntegerType>();
  return integer && integer.width() <= 64 ? integer.width() : 0;
}

/// i1 is 0 or 1, everything else signed.
int64_t fromBits(uint64_t bits, unsigned width) {
  if (width == 64) return static_cast<int64_t>(bits);
  bits &= (uint64_t{1} << width) - 1;
  if (width == 1 || !(bits >> (width - 1))) return static_cast<int64_t>(bits);
  return static_cast<int64_t>(bits | ~((uint64_t{1} << width) - 1));
}

uint64_t toBits(int64_t number, unsigned width) {
  uint64_t bits = static_cast<uint64_t>(number);
  return width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

}  // namespace

std::optional<int64_t> UnfoldValues::evaluate(Value value, bool assumes, unsigned depth) {
  if (widthOf(value.type()) == 0) return std::nullopt;
  if (const Slot* slot = slots_.find(value.impl()); slot && slot->isKnown) return slot->number;
  if (const Memo* memo = memos_.find(value.impl()); memo && memo->epoch == epoch_)
    if (memo->isKnown) return memo->number;
  std::optional<int64_t> number;
  if (depth < kDeepestUnfolded) number = compute(value, assumes, depth + 1);
  if (!number && assumes) number = assume(value);
  if (number) memos_[value.impl()] = {epoch_, true, *number};
  return number;
}

std::optional<int64_t> UnfoldValues::assume(Value value) {
  if (const int64_t* known = assumed_.find(value.impl())) return *known;
  int64_t number = options_.assume(value);
  assumed_[value.impl()] = number;
  assumptions.push_back({value, number});
  return number;
}

std::optional<int64_t> UnfoldValues::compute(Value value, bool assumes, unsigned depth) {
  // What has been assumed once stays, also where the assumption would not have been made.
  if (const int64_t* known = assumed_.find(value.impl())) return *known;
  if (value.isBlockArgument()) return computeArgument(value, assumes, depth);
  Operation& op = *value.definingOp();
  if (std::optional<int64_t> constant = constantIntOf(value)) return constant;
  if (isa<air::ExecuteOp>(&op)) {
    Operation* end = op.region().hasOneBlock() ? op.region().front().terminator() : nullptr;
    bool has = value.index() > 0 && end && value.index() <= end->numOperands();
    return has ? evaluate(end->operand(value.index() - 1), assumes, depth) : std::nullopt;
  }
  if (isa<affine::ApplyOp>(&op) || isa<affine::MinOp>(&op) || isa<affine::MaxOp>(&op))
    return computeMap(op, assumes, depth);
  const std::optional<ElementOp>& element = elementOf(op);
  return element ? computeElement(op, *element, value, assumes, depth) : std::nullopt;
}

std::optional<int64_t> UnfoldValues::computeArgument(Value value, bool assumes, unsigned depth) {
  Operation* owner = value.argumentBlock()->parentOp();
  air::HierarchyOp hierarchy = air::asHierarchy(owner);
  if (!hierarchy || value.index() < hierarchy.numDims()) return std::nullopt;
  bool isSize = value.index() < 2 * hierarchy.numDims();
  Value outside = isSize ? hierarchy.sizes()[value.index() - hierarchy.numDims()]
                         : hierarchy.tiedOperand(value);
  return outside ? evaluate(outside, assumes, depth) : std::nullopt;
}

const std::optional<ElementOp>& UnfoldValues::elementOf(Operation& op) {
  auto [entry, isNew] = elements_.try_emplace(&op);
  if (isNew) entry->second = elementOp(op);
  return entry->second;
}

std::optional<int64_t> UnfoldValues::computeElement(Operation& op, const ElementOp& element,
                                                    Value result, bool assumes, unsigned depth) {
  constexpr unsigned kMost = 4;
  uint64_t in[kMost] = {}, out[kMost] = {};
  if (op.numOperands() > kMost || op.numResults() > kMost) return std::nullopt;
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    std::optional<int64_t> number = evaluate(op.operand(i), assumes, depth);
    if (!number) return std::nullopt;
    in[i] = toBits(*number, widthOf(op.operand(i).type()));
  }
  if (element.compute(element, in, out) != Evaluation::Value) return std::nullopt;
  return fromBits(out[result.index()], widthOf(result.type()));
}

std::optional<int64_t> UnfoldValues::computeMap(Operation& op, bool assumes, unsigned depth) {
  affine::Application application = affine::MapOp(&op).application();
  std::vector<int64_t> operands;
  for (Value operand : application.operands) {
    std::optional<int64_t> number = evaluate(operand, assumes, depth);
    if (!number) return std::nullopt;
    operands.push_back(*number);
  }
  unsigned dims = application.map.numDims();
  auto results =
      application.map.evaluate(std::span(operands).first(dims), std::span(operands).subspan(dims));
  if (!results || results->empty()) return std::nullopt;
  return isa<affine::MaxOp>(&op) ? *std::max_element(results->begin(), results->end())
                                 : *std::min_element(results->begin(), results->end());
}

std::optional<int64_t> UnfoldValues::number(const LinearSum& sum) {
  int64_t total = sum.constant;
  for (const LinearSum::Term& term : sum.terms) {
    std::optional<int64_t> value = number(term.symbol);
    int64_t product = 0;
    if (!value || __builtin_mul_overflow(*value, term.coefficient, &product) ||
        __builtin_add_overflow(total, product, &total))
      return std::nullopt;
  }
  return total;
}

}  // namespace airlite::analysis
