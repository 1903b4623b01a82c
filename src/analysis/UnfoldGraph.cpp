// Points that wait for several others.
#include "UnfoldGraph.hpp"

#include <algorithm>

namespace airlite::analysis {

PointId UnfoldGraph::join(std::vector<PointId> points, Operation& op, const UnfoldFlow& flow) {
  std::erase(points, kNone);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.empty()) return kNone;
  if (points.size() == 1) return points.front();
  PointId point = addPoint(PointKind::Join, op, flow);
  for (PointId before : points)
    addArc(before, point);
  return point;
}

}  // namespace airlite::analysis
