// What ops compute from integers.
#include "airlite/dialect/IndexValues.hpp"

#include "ConstantFolding.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite {

namespace {

using folding::maskOf;

int64_t numberOfBits(uint64_t bits, unsigned width) {
  return width == 1 ? static_cast<int64_t>(bits) : folding::signExtend(bits, width);
}

std::optional<int64_t> computeElement(Operation& op, const std::optional<ElementOp>& element,
                                      unsigned result, NumberOf numberOf) {
  if (!element) return std::nullopt;
  constexpr unsigned kMost = 4;
  uint64_t in[kMost] = {}, out[kMost] = {};
  if (op.numOperands() > kMost || op.numResults() > kMost) return std::nullopt;
  for (unsigned i = 0; i < op.numOperands(); ++i) {
    const unsigned width = numberWidth(op.operand(i).type());
    const auto number = width ? numberOf(op.operand(i)) : std::nullopt;
    if (!number) return std::nullopt;
    in[i] = static_cast<uint64_t>(*number) & maskOf(width);
  }
  if (element->compute(*element, in, out) != Evaluation::Value) return std::nullopt;
  return numberOfBits(out[result], numberWidth(op.result(result).type()));
}

std::optional<int64_t> computeSelect(Operation& op, NumberOf numberOf) {
  const auto condition = numberOf(op.operand(0));
  return condition ? numberOf(op.operand(*condition ? 1 : 2)) : std::nullopt;
}

/// What the body of an air.execute hands on; its first result is a token.
std::optional<int64_t> computeExecute(Operation& op, unsigned result, NumberOf numberOf) {
  Operation* end = op.region().hasOneBlock() ? op.region().front().terminator() : nullptr;
  const bool has = result > 0 && end && result <= end->numOperands();
  return has ? numberOf(end->operand(result - 1)) : std::nullopt;
}

std::optional<int64_t> computeArgument(Value argument, NumberOf numberOf) {
  air::HierarchyOp level = air::asHierarchy(argument.argumentBlock()->parentOp());
  if (!level || argument.index() < level.numDims()) return std::nullopt;
  const unsigned size = argument.index() - level.numDims();
  const Value outside = size < level.numDims() ? level.sizes()[size] : level.tiedOperand(argument);
  return outside ? numberOf(outside) : std::nullopt;
}

/// None where an operand is not known, or a result has no value (a division by zero, an overflow).
std::optional<std::vector<int64_t>> resultsOf(const affine::Application& application,
                                              NumberOf numberOf) {
  const auto operands = numbersOf(application.operands, numberOf);
  if (!operands) return std::nullopt;
  const size_t dims = application.map.numDims();
  return application.map.evaluate(std::span(*operands).first(dims),
                                  std::span(*operands).subspan(dims));
}

bool isMap(Operation& op) {
  return isa<affine::ApplyOp>(&op) || isa<affine::MinOp>(&op) || isa<affine::MaxOp>(&op);
}

std::optional<int64_t> computeMap(Operation& op, NumberOf numberOf) {
  const affine::Application application = affine::MapOp(&op).application();
  return isa<affine::MaxOp>(&op) ? lowerBound(application, numberOf)
                                 : upperBound(application, numberOf);
}

std::optional<bool> isInside(affine::IfOp choice, NumberOf numberOf) {
  const auto operands = numbersOf(choice.setOperands().vec(), numberOf);
  if (!operands) return std::nullopt;
  const size_t dims = choice.condition().numDims();
  return choice.condition().contains(std::span(*operands).first(dims),
                                     std::span(*operands).subspan(dims));
}

Region* caseRegion(scf::IndexSwitchOp choice, int64_t number) {
  for (unsigned i = 0; i < choice.numCases(); ++i)
    if (choice.cases()[i] == number) return &choice.caseRegion(i);
  return &choice.defaultRegion();
}

}  // namespace

const std::optional<ElementOp>& ElementOps::of(Operation& op) {
  const auto [entry, isNew] = known_.try_emplace(&op);
  if (isNew) entry->second = elementOp(op);
  return entry->second;
}

bool isSameNumber(Value a, Value b) {
  const std::optional<int64_t> number = constantIntOf(a);
  return a == b || (number && number == constantIntOf(b));
}

unsigned numberWidth(Type type) {
  if (type.isa<IndexType>()) return 64;
  const IntegerType integer = type.dynCast<IntegerType>();
  return integer && integer.width() <= 64 ? integer.width() : 0;
}

std::optional<int64_t> computeNumber(Value value, NumberOf numberOf, ElementOps* elements) {
  if (numberWidth(value.type()) == 0) return std::nullopt;
  if (value.isBlockArgument()) return computeArgument(value, numberOf);
  if (const auto constant = constantIntOf(value)) return constant;
  Operation& op = *value.definingOp();
  if (isa<air::ExecuteOp>(&op)) return computeExecute(op, value.index(), numberOf);
  if (isMap(op)) return computeMap(op, numberOf);
  if (op.numOperands() == 3 && op.is("arith.select")) return computeSelect(op, numberOf);
  if (elements) return computeElement(op, elements->of(op), value.index(), numberOf);
  return computeElement(op, elementOp(op), value.index(), numberOf);
}

std::optional<std::vector<int64_t>> numbersOf(std::span<const Value> values, NumberOf numberOf) {
  std::vector<int64_t> numbers;
  for (Value value : values) {
    const auto number = numberOf(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<int64_t> lowerBound(const affine::Application& application, NumberOf numberOf) {
  const auto results = resultsOf(application, numberOf);
  if (!results || results->empty()) return std::nullopt;
  return *std::max_element(results->begin(), results->end());
}

std::optional<int64_t> upperBound(const affine::Application& application, NumberOf numberOf) {
  const auto results = resultsOf(application, numberOf);
  if (!results || results->empty()) return std::nullopt;
  return *std::min_element(results->begin(), results->end());
}

Region* takenRegion(Operation& op, NumberOf numberOf) {
  if (isa<affine::IfOp>(&op)) {
    const auto holds = isInside(affine::IfOp(&op), numberOf);
    return holds ? &op.region(*holds ? 0 : 1) : nullptr;
  }
  if (!isa<scf::IfOp>(&op) && !isa<scf::IndexSwitchOp>(&op)) return nullptr;
  const auto number = numberOf(op.operand(0));
  if (!number) return nullptr;
  if (isa<scf::IfOp>(&op)) return &op.region(*number != 0 ? 0 : 1);
  return caseRegion(scf::IndexSwitchOp(&op), *number);
}

}  // namespace airlite
