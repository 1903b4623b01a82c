// See InstanceNumbers.hpp.
#include "InstanceNumbers.hpp"

#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace airlite::npu {

namespace {

/// What a value is outside of the levels that hand it on.
Value sourceOf(Value value) {
  while (Block* block = value.argumentBlock()) {
    const air::HierarchyOp level = air::asHierarchy(block->parentOp());
    const Value outside = level ? level.tiedOperand(value) : Value();
    if (!outside) break;
    value = outside;
  }
  return value;
}

bool isIdOrSize(Value value, air::LaunchOp launch) {
  for (unsigned i = 0; i < launch.numDims(); ++i)
    if (value == launch.id(i) || value == launch.sizeArgument(i)) return true;
  return false;
}

bool isOfInstance(Value value, air::LaunchOp launch) {
  value = sourceOf(value);
  if (!value.type().isIntOrIndex()) return false;
  if (isIdOrSize(value, launch)) return true;
  Operation* made = value.definingOp();
  return made && made->numRegions() == 0 && made->numResults() == 1 && isPure(*made) &&
         std::ranges::all_of(made->operands(),
                             [&](Value operand) { return isOfInstance(operand, launch); });
}

/// Null where an instance may run the herd never or several times.
air::LaunchOp launchAround(air::HerdOp herd) {
  Operation* around = herd->parentOp();
  while (around && isa<air::SegmentOp>(around))
    around = around->parentOp();
  return around ? dynCast<air::LaunchOp>(around) : air::LaunchOp();
}

}  // namespace

std::optional<InstanceNumbers> InstanceNumbers::of(air::HerdOp herd,
                                                   std::span<const unsigned> scalars) {
  const air::LaunchOp launch = launchAround(herd);
  const auto sizes = launch ? launch.constantSizes() : std::nullopt;
  if (!sizes) return std::nullopt;
  for (unsigned i : scalars)
    if (!isOfInstance(herd.kernelOperands()[i], launch)) return std::nullopt;
  constexpr int64_t kMost = int64_t{1} << 30;  // a core counts in words
  int64_t count = 1;
  for (int64_t size : *sizes) {
    if (size < 1 || count > kMost / size) return std::nullopt;
    count *= size;
  }
  return InstanceNumbers(herd, launch, {scalars.begin(), scalars.end()}, *sizes, count);
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
  std::function<Value(Value)> inCore = [&](Value value) {
    value = sourceOf(value);
    if (const Value known = made.lookupOrNull(value)) return known;
    for (Value operand : value.definingOp()->operands())
      made.map(operand, inCore(operand));
    builder.clone(*value.definingOp(), made);
    return made.lookupOr(value);
  };
  for (unsigned i : scalars_)
    mapping.map(herd_.kernelArgument(i), inCore(herd_.kernelOperands()[i]));
}

}  // namespace airlite::npu
