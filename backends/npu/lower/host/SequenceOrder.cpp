// The order of the steps between two ends of launches.
#include "SequenceWriter.hpp"

#include <algorithm>
#include <map>

namespace airlite::npu {

namespace {

bool isStart(const SequenceStep& step) { return step.kind == SequenceStep::Kind::Start; }

bool isArming(const SequenceStep& step) {
  bool arms =
      step.kind == SequenceStep::Kind::WriteParameter || step.kind == SequenceStep::Kind::SetLock;
  return arms && !step.staysInPlace;
}

/// Two steps that must stay as they are: of one channel, of common memory, or a task and the wait
/// for it.
bool areOrdered(const SequenceStep& a, const SequenceStep& b) {
  if (!a.task || !b.task) return false;
  return a.task->port == b.task->port || conflict(*a.task, *b.task);
}

/// Moves the starts that `isEarly` wants to `front`, in their order, over steps that need not come
/// before them. Returns the place after them.
template <class Predicate>
size_t moveToFront(std::vector<SequenceStep>& steps, size_t front, Predicate isEarly) {
  for (size_t i = front; i < steps.size(); ++i) {
    if (!isStart(steps[i]) || !isEarly(*steps[i].task)) continue;
    bool mayMove = true;
    for (size_t j = front; j < i; ++j)
      mayMove = mayMove && !areOrdered(steps[j], steps[i]);
    if (!mayMove) continue;
    auto begin = steps.begin() + static_cast<std::ptrdiff_t>(front);
    auto at = steps.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(begin, at, at + 1);
    ++front;
  }
  return front;
}

// -- Taking turns ---------------------------------------------------------------------------------

/// A start among those of its channel: number `number` of `count`.
struct Turn {
  SequenceStep step;
  size_t port = 0;  // in the order of their first starts
  size_t number = 0, count = 0;
};

bool isWoven(const SequenceStep& step) {
  return isStart(step) && !step.task->has("air.preserve_shim_dma_order");
}

bool sharesMemory(std::span<const SequenceStep> run) {
  for (size_t i = 0; i < run.size(); ++i)
    for (size_t j = i + 1; j < run.size(); ++j)
      if (run[i].task->port != run[j].task->port && conflict(*run[i].task, *run[j].task))
        return true;
  return false;
}

void weave(std::span<SequenceStep> run) {
  std::vector<const ShimPort*> ports;
  std::vector<size_t> counts;
  std::vector<Turn> turns;
  for (const SequenceStep& step : run) {
    auto found = std::find(ports.begin(), ports.end(), step.task->port);
    size_t port = static_cast<size_t>(found - ports.begin());
    if (found == ports.end()) ports.push_back(step.task->port), counts.push_back(0);
    turns.push_back({step, port, counts[port]++});
  }
  if (*std::max_element(counts.begin(), counts.end()) <= kMaxUnderWay || ports.size() == 1) return;
  if (sharesMemory(run)) return;
  for (Turn& turn : turns)
    turn.count = counts[turn.port];
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    size_t left = a.number * b.count, right = b.number * a.count;
    return left != right ? left < right : a.port < b.port;
  });
  for (size_t i = 0; i < run.size(); ++i)
    run[i] = turns[i].step;
}

}  // namespace

size_t armFirst(std::vector<SequenceStep>& steps) {
  auto armed = std::stable_partition(steps.begin(), steps.end(), isArming);
  size_t front = static_cast<size_t>(armed - steps.begin());
  return moveToFront(steps, front, [](const Task& task) { return task.has("air.runtime_hoist"); });
}

void orderSteps(std::vector<SequenceStep>& steps, bool isLaunch) {
  size_t front = armFirst(steps);
  std::map<const ShimPort*, size_t> received;
  if (isLaunch)
    moveToFront(steps, front, [&](const Task& task) {
      return !task.port->sends && ++received[task.port] <= kMaxUnderWay;
    });
  for (size_t begin = front; begin < steps.size();) {
    size_t end = begin;
    while (end < steps.size() && isWoven(steps[end]))
      ++end;
    if (end > begin) weave(std::span(steps).subspan(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace airlite::npu
