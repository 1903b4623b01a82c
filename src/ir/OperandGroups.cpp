// Bounds of operand and result groups.
#include "OperandGroups.hpp"

#include <algorithm>

namespace airlite::detail {

namespace {

/// Size of each flexible group when no attribute says it: they share what is left evenly.
unsigned evenShare(Groups groups, unsigned total) {
  if (!groups.flexible || total <= groups.fixed()) return 0;
  return (total - groups.fixed()) / groups.flexible;
}

unsigned segmentAt(std::span<const int64_t> sizes, size_t i) {
  if (i >= sizes.size()) return 0;
  return static_cast<unsigned>(std::clamp<int64_t>(sizes[i], 0, INT32_MAX));
}

}  // namespace

std::pair<unsigned, unsigned> unevenGroupBounds(Groups groups, unsigned total, bool sized,
                                                Attribute segments, unsigned group) {
  std::span<const ValueDef> defs = groups.defs;
  if (group >= defs.size()) return {total, 0};
  DenseArrayAttr attr = segments.dynCast<DenseArrayAttr>();
  std::span<const int64_t> sizes = attr ? attr.values() : std::span<const int64_t>();
  unsigned share = sized ? 0 : evenShare(groups, total);
  auto sizeOf = [&](unsigned i) {
    if (sized) return segmentAt(sizes, i);
    return defs[i].arity == Arity::Single ? 1u : share;
  };
  unsigned start = 0;
  for (unsigned i = 0; i < group; ++i) start += std::min(sizeOf(i), total - start);
  return {start, std::min(sizeOf(group), total - start)};
}

}  // namespace airlite::detail
