// See InstanceNumbers.hpp.
#include "InstanceNumbers.hpp"

#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

Value sourceOf(Value value) {
  while (Block* block = value.argumentBlock()) {
    const air::HierarchyOp level = air::asHierarchy(block->parentOp());
    const Value outside = level ? level.tiedOperand(value) : Value();
    if (!outside) break;
    value = outside;
  }
  return value;
}

namespace {

/// A core may compute it in instances in which the host does not.
bool alwaysHasResult(Operation& op) {
  return isPure(op) || (arith::dividesIntegers(op) && constantIntOf(op.operand(1)).value_or(0) > 0);
}

/// Null where an instance may run the herd never or several times.
air::LaunchOp launchAround(air::HerdOp herd) {
  Operation* around = herd->parentOp();
  while (around && isa<air::SegmentOp>(around))
    around = around->parentOp();
  return around ? dynCast<air::LaunchOp>(around) : air::LaunchOp();
}

}  // namespace

std::optional<InstanceNumbers> InstanceNumbers::of(air::HerdOp herd) {
  const air::LaunchOp launch = launchAround(herd);
  const auto sizes = launch ? launch.constantSizes() : std::nullopt;
  if (!sizes) return std::nullopt;
  InstanceNumbers numbers(herd, launch, *sizes);
  for (unsigned i = 0; i < herd.numKernelOperands(); ++i) {
    const Value argument = herd.kernelArgument(i);
    if (!argument.type().isIntOrIndexOrFloat() || !argument.hasUses()) continue;
    if (!numbers.add(herd.kernelOperands()[i])) return std::nullopt;
    numbers.scalars_.push_back(i);
  }
  constexpr int64_t kMost = int64_t{1} << 30;  // a core counts in words
  for (int64_t size : *sizes) {
    if (size < 1 || numbers.count_ > kMost / size) return std::nullopt;
    numbers.count_ *= size;
  }
  return numbers;
}

bool InstanceNumbers::add(Value value) {
  value = sourceOf(value);
  if (!value.type().isIntOrIndexOrFloat()) return false;
  for (unsigned i = 0; i < launch_.numDims(); ++i) {
    if (value == launch_.sizeArgument(i)) return true;
    if (value == launch_.id(i)) return usesIds_ = true;
  }
  Operation* made = value.definingOp();
  if (!made || made->numRegions() || made->numResults() != 1 || !alwaysHasResult(*made))
    return false;
  if (std::ranges::find(ops_, made) != ops_.end()) return true;
  for (Value operand : made->operands())
    if (!add(operand)) return false;
  ops_.push_back(made);
  return true;
}

Value InstanceNumbers::count(Builder& builder, Value buffer) const {
  const Location location = herd_->location();
  const Type word = builder.intType(32);
  const auto make = [&](std::string_view op, std::initializer_list<Value> operands, Type type,
                        std::initializer_list<NamedAttribute> attributes = {}) {
    return builder.create(location, op, operands, {type}, attributes)->result();
  };
  const auto number = [&](int64_t value) {
    return builder.constant(location, builder.i32Attr(value));
  };
  const Value at = builder.constantIndex(location, 0);
  const Value now = make("memref.load", {buffer, at}, word);
  const Value next = make("arith.addi", {now, number(1)}, word);
  const auto equal = static_cast<int64_t>(arith::CmpIPredicate::eq);
  const Value isLast = make("arith.cmpi", {next, number(count_)}, builder.intType(1),
                            {builder.named("predicate", builder.i64Attr(equal))});
  const Value kept = make("arith.select", {isLast, number(0), next}, word);
  builder.create(location, "memref.store", {kept, buffer, at}, {});
  return now;
}

void InstanceNumbers::write(Builder& builder, Value number, IRMapping& mapping) const {
  const Location location = herd_->location();
  IRMapping made;
  int64_t stride = count_;
  for (unsigned i = 0; i < sizes_.size(); ++i) {
    stride /= sizes_[i];
    made.map(launch_.sizeArgument(i), builder.constantIndex(location, sizes_[i]));
    if (sizes_[i] == 1) {
      made.map(launch_.id(i), builder.constantIndex(location, 0));
      continue;
    }
    if (!number) continue;
    Value id = number;
    const auto divide = [&](std::string_view name, int64_t by) {
      const Value divisor = builder.constant(location, builder.i32Attr(by));
      id = builder.create(location, name, {id, divisor}, {id.type()})->result();
    };
    if (stride != 1) divide("arith.divui", stride);
    if (stride * sizes_[i] != count_) divide("arith.remui", sizes_[i]);
    made.map(launch_.id(i),
             builder.create(location, "arith.index_cast", {id}, {builder.indexType()})->result());
  }
  for (Operation* op : ops_) {
    for (Value operand : op->operands())
      made.map(operand, made.lookupOr(sourceOf(operand)));
    builder.clone(*op, made);
  }
  for (unsigned i : scalars_)
    mapping.map(herd_.kernelArgument(i), made.lookupOr(sourceOf(herd_.kernelOperands()[i])));
}

}  // namespace airlite::npu
