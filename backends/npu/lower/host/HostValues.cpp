// Constants and runtime values of a host function.
#include "HostValues.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite::npu {

using aie::MaybeStatic;

namespace {

unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.cast<IntegerType>().width(); }

int64_t signExtend(uint64_t bits, unsigned width) {
  if (width >= 64) return static_cast<int64_t>(bits);
  uint64_t sign = uint64_t{1} << (width - 1);
  bits &= (uint64_t{1} << width) - 1;
  return static_cast<int64_t>((bits ^ sign) - sign);
}

bool isScalar(Type type) { return type.isIntOrIndex() && widthOf(type) <= 64; }

std::vector<int64_t> constantsOf(std::span<const MaybeStatic> operands) {
  std::vector<int64_t> constants;
  for (const MaybeStatic& operand : operands)
    constants.push_back(operand.constant);
  return constants;
}

std::optional<int64_t> foldMap(affine::MapOp op, std::span<const int64_t> operands) {
  size_t numDims = op.map().numDims();
  auto results = op.map().evaluate(operands.first(numDims), operands.subspan(numDims));
  if (!results || results->empty()) return std::nullopt;
  int64_t found = results->front();
  for (int64_t result : *results)
    found = op->is("affine.min") ? std::min(found, result) : std::max(found, result);
  return found;
}

std::optional<int64_t> foldElement(Operation& op, std::span<const int64_t> operands) {
  auto element = elementOp(op);
  if (!element || op.numResults() != 1) return std::nullopt;
  std::vector<uint64_t> in;
  for (unsigned i = 0; i < operands.size(); ++i) {
    unsigned width = widthOf(op.operand(i).type());
    uint64_t mask = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    in.push_back(static_cast<uint64_t>(operands[i]) & mask);
  }
  uint64_t out = 0;
  if (element->compute(*element, in.data(), &out) != Evaluation::Value) return std::nullopt;
  return signExtend(out, widthOf(op.result().type()));
}

}  // namespace

std::optional<int64_t> HostValues::fold(Operation& op, std::span<const MaybeStatic> operands) {
  std::vector<int64_t> constants = constantsOf(operands);
  if (op.is("affine.apply") || op.is("affine.min") || op.is("affine.max"))
    return foldMap(affine::MapOp(&op), constants);
  if (op.is("arith.index_cast"))
    return signExtend(static_cast<uint64_t>(constants[0]), widthOf(op.result().type()));
  return foldElement(op, constants);
}

std::optional<MaybeStatic> HostValues::compute(Operation& op, unsigned result) {
  if (!isPure(op) || op.numRegions() != 0) return std::nullopt;
  std::vector<MaybeStatic> operands;
  bool isConstant = isScalar(op.result(result).type());
  for (Value operand : op.operands()) {
    auto found = find(operand);
    if (!found) return std::nullopt;
    isConstant = isConstant && found->isConstant() && isScalar(operand.type());
    operands.push_back(*found);
  }
  if (isConstant && op.numOperands())
    if (auto folded = fold(op, operands)) return MaybeStatic{*folded, Value()};
  IRMapping mapping;
  for (unsigned i = 0; i < op.numOperands(); ++i)
    mapping.map(op.operand(i), materialize(operands[i], op.operand(i).type(), op.location()));
  // Those who read sequences know arith.
  if (auto apply = dynCast<affine::ApplyOp>(&op)) {
    affine::Application application{apply.map(), {}};
    for (Value operand : op.operands())
      application.operands.push_back(mapping.lookupOr(operand));
    auto expanded = affine::expandMap(builder_, op.location(), application);
    if (expanded) return MaybeStatic{0, expanded->front()};
  }
  return MaybeStatic{0, builder_.clone(op, mapping)->result(result)};
}

std::optional<MaybeStatic> HostValues::find(Value value) {
  if (auto known = known_.find(value); known != known_.end()) return known->second;
  if (auto done = computed_.find(value); done != computed_.end()) return done->second;
  if (auto constant = constantIntOf(value)) return MaybeStatic{*constant, Value()};
  Operation* source = value.definingOp();
  auto found = source ? compute(*source, value.index()) : std::nullopt;
  if (found) computed_[value] = *found;
  return found;
}

std::optional<int64_t> HostValues::constant(Value value) {
  auto found = find(value);
  return found && found->isConstant() ? std::optional(found->constant) : std::nullopt;
}

Value HostValues::materialize(MaybeStatic number, Type type, Location location) {
  if (number.value) return number.value;
  return builder_.constant(location, IntegerAttr::get(type, number.constant));
}

}  // namespace airlite::npu
