// Bounds of operand and result groups.
#include "OperandGroups.hpp"

#include <algorithm>
#include <cstdint>

namespace airlite::detail {

namespace {

/// Size of each flexible group when no attribute says it: they share what is left evenly.
unsigned evenShare(Groups groups, unsigned total) {
  if (!groups.flexible || total <= groups.fixed()) return 0;
  return (total - groups.fixed()) / groups.flexible;
}

unsigned segmentAt(std::span<const int64_t> sizes, unsigned i, unsigned left) {
  if (i >= sizes.size() || sizes[i] < 0) return 0;
  return sizes[i] < left ? static_cast<unsigned>(sizes[i]) : left;
}

/// By the sizes that the attribute says, however wrong they are.
std::pair<unsigned, unsigned> segmentBounds(std::span<const int64_t> sizes, unsigned total,
                                            unsigned group) {
  unsigned start = 0;
  for (unsigned i = 0; i < group; ++i)
    start += segmentAt(sizes, i, total - start);
  return {start, segmentAt(sizes, group, total - start)};
}

}  // namespace

std::pair<unsigned, unsigned> unevenGroupBounds(Groups groups, unsigned total, bool sized,
                                                Attribute segments, unsigned group) {
  std::span<const ValueDef> defs = groups.defs;
  if (group >= defs.size()) return {total, 0};
  if (sized) return segmentBounds(arrayOf(segments), total, group);
  unsigned share = evenShare(groups, total);
  auto sizeOf = [&](unsigned i) { return defs[i].arity == Arity::Single ? 1u : share; };
  unsigned start = 0;
  for (unsigned i = 0; i < group; ++i)
    start += std::min(sizeOf(i), total - start);
  return {start, std::min(sizeOf(group), total - start)};
}

}  // namespace airlite::detail
