// Which iterations of a launch are issued as one, because their tasks join.
#include "SequenceWriter.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

/// The tasks of a channel in one or several iterations, and what they join to.
struct PortTasks {
  std::vector<Task*> tasks;
  std::vector<Task> joined;
};

bool isLess(const std::vector<PortTasks>& ports) {
  return std::any_of(ports.begin(), ports.end(),
                     [](const PortTasks& port) { return port.joined.size() < port.tasks.size(); });
}

/// Do all fit into the queues at once, in whatever order their channels come by?
bool isOrderFree(const std::vector<PortTasks>& ports) {
  for (const PortTasks& port : ports)
    if (port.joined.size() > kMaxUnderWay) return false;
  for (size_t i = 0; i < ports.size(); ++i)
    for (size_t j = i + 1; j < ports.size(); ++j)
      for (const Task& a : ports[i].joined)
        for (const Task& b : ports[j].joined)
          if (conflict(a, b)) return false;
  return true;
}

std::vector<PortTasks> joinedByPort(std::span<const SequenceStep> steps) {
  std::vector<PortTasks> ports;
  for (const SequenceStep& step : steps) {
    if (step.kind != SequenceStep::Kind::Start) continue;
    auto found = std::find_if(ports.begin(), ports.end(), [&](const PortTasks& port) {
      return port.tasks.front()->port == step.task->port;
    });
    if (found == ports.end()) found = ports.insert(found, PortTasks());
    found->tasks.push_back(step.task);
    found->joined.push_back(*step.task);
  }
  for (PortTasks& port : ports)
    joinTasks(port.joined);
  return ports;
}

/// The first tasks of all channels, feeds before what is received, then the second ones, and so on:
/// each start costs the host time, in which the array should have work.
std::vector<SequenceStep> inTurns(std::vector<PortTasks>& ports) {
  std::stable_partition(ports.begin(), ports.end(),
                        [](const PortTasks& port) { return port.tasks.front()->port->sends; });
  std::vector<SequenceStep> steps;
  for (size_t turn = 0; turn < kMaxUnderWay; ++turn)
    for (const PortTasks& port : ports)
      if (turn < port.joined.size()) steps.emplace_back().task = port.tasks[turn];
  return steps;
}

/// The steps of iterations that become one, or of all of them in a better order; none when their order has to stay.
std::vector<SequenceStep> joinSteps(std::span<const SequenceStep> steps, bool isAll) {
  for (const SequenceStep& step : steps)
    if (!step.task) return {};  // a parameter or a lock, for one iteration
  std::vector<PortTasks> ports = joinedByPort(steps);
  if ((!isAll && !isLess(ports)) || !isOrderFree(ports)) return {};
  for (PortTasks& port : ports)
    for (size_t i = 0; i < port.tasks.size(); ++i)
      if (i < port.joined.size())
        *port.tasks[i] = port.joined[i];
      else
        port.tasks[i]->isDone = true;  // with those that are left
  return inTurns(ports);
}

}  // namespace

std::vector<StepGroup> joinIterations(std::span<const SequenceStep> steps,
                                      std::span<const size_t> ends) {
  std::vector<StepGroup> groups;
  size_t begin = 0, most = ends.size();
  for (size_t next = 0; next < ends.size();) {
    // Each try looks at all of its steps: after the first group no far larger ones are tried.
    size_t count = std::min(most, ends.size() - next);
    std::span<const SequenceStep> some;
    StepGroup group;
    for (;; count = (count + 1) / 2) {
      some = steps.subspan(begin, ends[next + count - 1] - begin);
      group.steps = joinSteps(some, some.size() == ends.back());
      group.isJoined = !group.steps.empty();
      if (group.isJoined || count == 1) break;
    }
    if (!group.isJoined) group.steps.assign(some.begin(), some.end());
    groups.push_back(std::move(group));
    most = 4 * count;
    next += count;
    begin = ends[next - 1];
  }
  return groups;
}

}  // namespace airlite::npu
