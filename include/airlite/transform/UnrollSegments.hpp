// A segment for each instance of a segment's iteration space.
//
//   if (obstacleToUnroll(segment).empty())
//     for (const SegmentInstance& each : unrollSegment(segment)) visit(each.segment, each.ids);
#pragma once

#include "airlite/dialect/Air.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace airlite::air {

/// One instance, and its ids in the iteration space.
struct SegmentInstance {
  SegmentOp segment;
  std::vector<int64_t> ids;
};

/// Why `segment` cannot be unrolled; empty when it can.
std::string_view obstacleToUnroll(SegmentOp segment);

/// Replaces `segment` by its instances, `NAME_i_j`, the last dimension first.
std::vector<SegmentInstance> unrollSegment(SegmentOp segment);

}  // namespace airlite::air
