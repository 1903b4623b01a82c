// The graph of points while it is made, and how far each process has come in it.
#pragma once

#include "airlite/analysis/Unfolding.hpp"

namespace airlite::analysis {

/// Cores of a herd meet at its barriers: the k-th time each at the k-th.
struct UnfoldTeam {
  int64_t size = 0;
  std::vector<PointId> barriers;
  std::vector<int64_t> arrived;
};

/// A process, as far as it has come.
struct UnfoldFlow {
  PointId at = kNone;
  InstanceId instance = 0;
  std::vector<PointId>* started = nullptr;  // ends of what was started and is not waited for
  uint32_t launch = 0;
  uint64_t core = 0;  // of the herd around it, plus one
  uint32_t process = 0;
  UnfoldTeam* team = nullptr;
  size_t barriersPassed = 0;
  unsigned calls = 0;
};

class UnfoldGraph {
 public:
  explicit UnfoldGraph(const UnfoldOptions& options) : options_(options) {}

  bool isStopped() const { return out.stoppedAt != nullptr; }

  void stop(Operation& op, std::string why) {
    if (isStopped()) return;
    out.stoppedAt = &op;
    out.stoppedBecause = std::move(why);
  }

  /// The program has more than the options allow.
  void stopAsTooLarge(Operation& op, std::string why) {
    stop(op, std::move(why));
    out.isTooLarge = true;
  }

  /// Of iterations and instances: those in which nothing happens make no points.
  bool hasTooManyInstances() const { return out.instances.size() > 2 * options_.maxPoints; }

  InstanceId addInstance(Operation* op, InstanceId outer, std::vector<int64_t> index) {
    if (op && hasTooManyInstances()) stopAsTooLarge(*op, "it runs too often");
    out.instances.push_back({op, outer, std::move(index)});
    return static_cast<InstanceId>(out.instances.size() - 1);
  }

  PointId addPoint(PointKind kind, Operation& op, const UnfoldFlow& flow) {
    if (out.points.size() >= options_.maxPoints) stopAsTooLarge(op, "the program is too large");
    Point point;
    point.kind = kind;
    point.op = &op;
    point.instance = flow.instance;
    out.points.push_back(point);
    return static_cast<PointId>(out.points.size() - 1);
  }

  void addArc(PointId from, PointId to) {
    if (from != kNone) out.arcs.push_back({from, to});
  }

  /// A point of its process.
  PointId addStep(PointKind kind, Operation& op, UnfoldFlow& flow) {
    PointId point = addPoint(kind, op, flow);
    addArc(flow.at, point);
    flow.at = point;
    return point;
  }

  /// The point at which all of `points` are done.
  PointId join(std::vector<PointId> points, Operation& op, const UnfoldFlow& flow);

  Unfolding out;

 private:
  const UnfoldOptions& options_;
};

}  // namespace airlite::analysis
