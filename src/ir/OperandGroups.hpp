// Which operands (or results) belong to which named group of a definition. Private to ir/.
#pragma once

#include "Storage.hpp"
#include "airlite/ir/OpDef.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace airlite::detail {

inline constexpr std::string_view kOperandSegments = "operandSegmentSizes";
inline constexpr std::string_view kResultSegments = "resultSegmentSizes";

/// The named groups of operands, or of results, of a definition.
struct Groups {
  std::span<const ValueDef> defs;
  unsigned flexible;  // that are not Single
  /// Number of values that are there in any case.
  unsigned fixed() const { return static_cast<unsigned>(defs.size()) - flexible; }
};
inline Groups operandGroups(const OpDef& def) { return {def.operands, def.flexibleOperands}; }
inline Groups resultGroups(const OpDef& def) { return {def.results, def.flexibleResults}; }

/// The numbers of a dense array; none of what is not such an array.
inline std::span<const int64_t> arrayOf(Attribute segments) {
  if (!segments || segments.storage()->kind != AttrKind::DenseArray) return {};
  return static_cast<const DenseArrayAttrStorage*>(segments.storage())->values;
}

/// Start and size of group `group` by `sizes`; nothing where a size is wrong, which is rare.
inline std::optional<std::pair<unsigned, unsigned>> rightSegment(std::span<const int64_t> sizes,
                                                                 unsigned total, unsigned group) {
  if (group >= sizes.size()) return std::nullopt;
  int64_t before = 0, signs = 0;
  for (unsigned i = 0; i <= group; ++i) {
    signs |= sizes[i];
    before += sizes[i] & INT32_MAX;
  }
  if (signs < 0 || signs > INT32_MAX || before > int64_t{total}) return std::nullopt;
  return std::pair(static_cast<unsigned>(before - sizes[group]),
                   static_cast<unsigned>(sizes[group]));
}

/// Start and size of group `group` among `total` values. `segments` is the attribute with the sizes
/// when the definition has `sized` groups. What is malformed gives bounds inside [0, total]: the
/// verifier says what is wrong, the accessors only must not leave the array.
inline std::pair<unsigned, unsigned> groupBounds(Groups groups, unsigned total, bool sized,
                                                 Attribute segments, unsigned group);
/// The same where a group may hold more or less than one value, and no attribute rightly says how
/// many.
std::pair<unsigned, unsigned> unevenGroupBounds(Groups groups, unsigned total, bool sized,
                                                Attribute segments, unsigned group);

inline std::pair<unsigned, unsigned> groupBounds(Groups groups, unsigned total, bool sized,
                                                 Attribute segments, unsigned group) {
  if (sized && group < groups.defs.size())
    if (auto bounds = rightSegment(arrayOf(segments), total, group)) return *bounds;
  bool even = !sized && total == groups.defs.size() && group < total;  // nearly every op
  return even ? std::pair(group, 1u) : unevenGroupBounds(groups, total, sized, segments, group);
}

}  // namespace airlite::detail
