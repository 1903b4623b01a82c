// The instances of a hierarchy op, the lanes of its cores, and the barriers where they meet.
#include "UnfoldRun.hpp"
#include "airlite/dialect/Lanes.hpp"

namespace airlite::analysis::unfold {

namespace {

constexpr int64_t kMostLanes = 64;

/// How often a core runs its body: once for each lane where something tells lanes apart.
int64_t lanesOf(UnfoldRun& run, air::HierarchyOp op) {
  air::HerdOp herd = dynCast<air::HerdOp>(op.op());
  if (!herd || !air::runsOncePerLane(herd)) return 1;
  return clipped(run, *op, air::waveSizeOf(*op).value_or(kMostLanes));
}

void setLane(UnfoldRun& run, air::HierarchyOp op, InstanceId instance, int64_t lane) {
  run.graph.out.instances[instance].lane = lane;
  auto [known, isNew] = run.laneIds.try_emplace(op.op());
  if (isNew)
    op->walk([&](Operation& inner) {
      if (inner.is("gpu.lane_id")) known->second.push_back(inner.result());
    });
  for (Value id : known->second)
    run.values.setNumber(id, lane);
}

template <class Fn>
void forEachInstance(UnfoldRun& run, air::HierarchyOp op, const std::vector<Range>& ranges,
                     int64_t lanes, Fn each) {
  forEachPoint(run, *op, ranges, [&](const std::vector<int64_t>& index) {
    for (int64_t lane = 0; lane < lanes && !run.graph.isStopped(); ++lane)
      each(index, lane);
  });
}

PointId acquireLocks(UnfoldRun& run, air::HierarchyOp op, Flow& flow) {
  if (op.affinity().empty()) return kNone;
  PointId acquire = run.graph.addStep(PointKind::Acquire, *op, flow);
  Point& point = run.graph.out.points[acquire];
  point.firstLock = static_cast<uint32_t>(run.graph.out.locks.size());
  for (Value token : op.affinity())
    if (Slot slot = run.values.get(token); slot.isKnown)
      run.graph.out.locks.push_back(static_cast<uint64_t>(slot.number));
  point.numLocks = static_cast<uint32_t>(run.graph.out.locks.size()) - point.firstLock;
  return acquire;
}

void waitForMemory(UnfoldRun& run, air::HierarchyOp op, Flow& flow) {
  std::vector<PointId> points{flow.at};
  for (Value operand : op.kernelOperands())
    if (isMemRef(operand)) points.push_back(run.values.get(operand).point);
  flow.at = run.graph.join(std::move(points), *op, flow);
}

/// Numbers are followed to the operand when they are asked for.
void bindArguments(UnfoldRun& run, air::HierarchyOp op) {
  for (unsigned i = 0; i < op.numKernelOperands(); ++i) {
    Slot slot = run.values.get(op.kernelOperands()[i]);
    if (!isToken(op.kernelArgument(i))) slot.isKnown = false;
    run.values.set(op.kernelArgument(i), slot);
  }
}

void checkBarriers(UnfoldRun& run, const Team& team, const Flow& flow) {
  for (size_t i = 0; i < team.arrived.size(); ++i)
    if (team.arrived[i] != team.size && !run.graph.isStopped())
      return run.graph.out.faults.push_back(
          {run.graph.out.points[team.barriers[i]].op, flow.instance,
           "only " + std::to_string(team.arrived[i]) + " of the " + std::to_string(team.size) +
               " cores of the herd come to barrier number " + std::to_string(i + 1)});
}

uint64_t coreOf(const std::vector<int64_t>& index) {
  uint64_t core = 0;
  for (int64_t i : index)
    core = (core << 20) | static_cast<uint64_t>(i & 0xfffff);
  return core + 1;
}

}  // namespace

void runInstances(UnfoldRun& run, air::HierarchyOp op, Flow& flow) {
  std::vector<Range> ranges;
  for (Value size : op.sizes()) {
    std::optional<int64_t> number = run.values.decide(size);
    if (!number) return run.graph.stop(*op, "a size is not an integer");
    ranges.push_back({0, *number, 1});
  }
  PointId acquire = acquireLocks(run, op, flow);
  // Each core gets its own part of memory next to it: it has to be there.
  if (isa<air::HerdOp>(op.op())) waitForMemory(run, op, flow);
  bindArguments(run, op);
  int64_t lanes = lanesOf(run, op);
  Team team;
  team.size = lanes;
  for (const Range& range : ranges)
    team.size *= range.count();
  std::vector<PointId> started;
  forEachInstance(run, op, ranges, lanes, [&](const std::vector<int64_t>& index, int64_t lane) {
    Flow instance = flow;
    instance.instance = run.graph.addInstance(op.op(), flow.instance, index);
    if (lanes > 1) setLane(run, op, instance.instance, lane);
    instance.started = &started;
    instance.process = ++run.processes;
    if (isa<air::LaunchOp>(op.op())) instance.launch = ++run.launches;
    if (isa<air::HerdOp>(op.op())) {
      instance.core =
          coreOf(index) * static_cast<uint64_t>(kMostLanes) + static_cast<uint64_t>(lane);
      instance.team = &team;
      instance.barriersPassed = 0;
    }
    for (unsigned i = 0; i < op.numDims(); ++i)
      run.values.setNumber(op.id(i), index[i]);
    walk(run, op->region(), instance);
    started.push_back(instance.at);
  });
  checkBarriers(run, team, flow);
  started.push_back(flow.at);
  flow.at = run.graph.join(std::move(started), *op, flow);
  addOpenRuns(run, *op, op.sizes(), flow);
  if (acquire == kNone) return;
  PointId release = run.graph.addStep(PointKind::Release, *op, flow);
  run.graph.out.points[release].begin = acquire;
}

void visitBarrier(UnfoldRun& run, Operation& op, Flow& flow) {
  if (!flow.team) return;
  Team& team = *flow.team;
  size_t number = flow.barriersPassed++;
  if (number == team.barriers.size()) {
    team.barriers.push_back(run.graph.addPoint(PointKind::Join, op, flow));
    team.arrived.push_back(0);
  }
  ++team.arrived[number];
  run.graph.addArc(flow.at, team.barriers[number]);
  flow.at = team.barriers[number];
}

}  // namespace airlite::analysis::unfold
