// Which operands (or results) belong to which named group of a definition. Private to ir/.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "airlite/ir/OpDef.hpp"

namespace airlite::detail {

inline constexpr std::string_view kOperandSegments = "operandSegmentSizes";
inline constexpr std::string_view kResultSegments = "resultSegmentSizes";

/// Start and size of group `group` among `total` values. `segments` is the attribute with the sizes
/// when the definition has `sized` groups. What is malformed gives bounds inside [0, total]: the
/// verifier says what is wrong, the accessors only must not leave the array.
std::pair<unsigned, unsigned> groupBounds(std::span<const ValueDef> defs, unsigned total,
                                          bool sized, Attribute segments, unsigned group);

/// Number of values that are there in any case (Single), and of groups that are not.
struct GroupCounts {
  unsigned fixed = 0;
  unsigned flexible = 0;
};
GroupCounts countGroups(std::span<const ValueDef> defs);

}  // namespace airlite::detail
