#include "AccessPairs.hpp"

#include <algorithm>
#include <array>

namespace airlite::npu {
namespace {

/// The aie.buffer that a memref is part of; null where that is not seen.
const Operation* bufferOf(Value memref) {
  Operation* op = memref.definingOp();
  while (op && !isa<aie::BufferOp>(op))
    op = op->numOperands() && op->operand(0).type().isa<MemRefType>() ? op->operand(0).definingOp()
                                                                      : nullptr;
  return op;
}

/// The memref that an op of a core's code accesses; null for other ops.
Value accessedBy(const Operation& op) {
  constexpr std::array kLoads = {"memref.load", "vector.load"};
  constexpr std::array kStores = {"memref.store", "vector.store"};
  auto isOne = [&](const char* name) { return op.is(name); };
  if (std::ranges::any_of(kLoads, isOne)) return op.operand(0);
  return std::ranges::any_of(kStores, isOne) ? op.operand(1) : Value();
}

int64_t bytesOf(const Operation& buffer) {
  return aie::BufferOp(const_cast<Operation*>(&buffer)).bytes().value_or(0);
}

bool isInnermost(Operation& op) {
  if (!op.is("scf.for")) return false;
  return std::ranges::none_of(op.region().front().ops(),
                              [](const Operation& inner) { return inner.numRegions() > 0; });
}

}  // namespace

AccessPairs::AccessPairs(aie::DeviceOp design) {
  design->walk([&](Operation& op) {
    if (isInnermost(op)) addLoop(op);
    if (auto descriptor = dynCast<aie::DmaBdOp>(&op))
      if (const Operation* buffer = bufferOf(descriptor.buffer()))
        moved_[buffer] = bytesOf(*buffer);
  });
}

void AccessPairs::addLoop(Operation& loop) {
  std::map<const Operation*, int64_t> accesses;
  for (Operation& op : loop.region().front().ops())
    if (Value memref = accessedBy(op))
      if (const Operation* buffer = bufferOf(memref)) ++accesses[buffer];
  for (const auto& [buffer, count] : accesses)
    accesses_[buffer] += count;
  for (auto a = accesses.begin(); a != accesses.end(); ++a)
    for (auto b = std::next(a); b != accesses.end(); ++b)
      counts_[{a->first, b->first}] += std::min(a->second, b->second);
}

int64_t AccessPairs::together(const Operation* a, const Operation* b) const {
  auto found = counts_.find(std::minmax(a, b));
  return found == counts_.end() ? 0 : found->second;
}

int64_t AccessPairs::beside(const Operation* a, const Operation* b) const {
  auto of = [](const std::map<const Operation*, int64_t>& map, const Operation* buffer) {
    auto found = map.find(buffer);
    return found == map.end() ? 0 : found->second;
  };
  return of(moved_, a) * of(accesses_, b) + of(moved_, b) * of(accesses_, a);
}

}  // namespace airlite::npu
