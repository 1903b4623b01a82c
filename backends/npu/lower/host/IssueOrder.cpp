// The order of steps where some have to wait for others: what need not wait comes first.
//
// The host waits in one place at a time. When it waits for a task before it has started another
// one that this task needs, the design hangs. So a step that has to wait is held back while any
// other can go on. When all that is left has to wait, the first of them in the order of the program
// goes on: every step in front of it has been started, and in a program whose steps are right one
// after the other they need nothing that comes later.
#include "SequenceWriter.hpp"

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

class IssueOrder {
 public:
  IssueOrder(std::vector<SequenceStep> steps, const UnderWay& underWay)
      : pending_(std::move(steps)), underWay_(underWay) {}

  IssuedSteps run() {
    while (!pending_.empty()) {
      issueWhatNeedNotWait();
      if (pending_.empty()) break;
      force(pending_.front());
      issue(pending_.front());
      pending_.erase(pending_.begin());
    }
    return std::move(result_);
  }

 private:
  using Kind = SequenceStep::Kind;

  void issueWhatNeedNotWait() {
    std::vector<SequenceStep> held;
    std::set<const ShimPort*> heldPorts;
    bool isBarrier = false;  // a step without a task keeps its place
    for (SequenceStep& step : pending_) {
      bool stays = isBarrier || (!step.task && !held.empty()) ||
                   (step.task && (heldPorts.count(step.task->port) || mustFollow(step, held) ||
                                  hasToWait(step)));
      if (!stays) {
        issue(step);
        continue;
      }
      isBarrier = isBarrier || !step.task;
      if (step.task) heldPorts.insert(step.task->port);
      held.push_back(step);
    }
    pending_ = std::move(held);
  }

  static bool mustFollow(const SequenceStep& step, const std::vector<SequenceStep>& held) {
    return std::ranges::any_of(held, [&](const SequenceStep& other) {
      return other.task && other.task != step.task && conflict(*other.task, *step.task);
    });
  }

  bool hasToWait(const SequenceStep& step) {
    if (step.kind == Kind::Wait) return !step.task->port->sends && isUnderWay(*step.task);
    bool isFull = underWay_[step.task->port].size() >= kMaxUnderWay;
    bool conflicts = !conflictsOf(*step.task).empty();
    result_.hasConflicts |= conflicts;
    return isFull || conflicts;
  }

  bool isUnderWay(const Task& task) { return std::ranges::count(underWay_[task.port], &task) != 0; }

  std::vector<Task*> conflictsOf(const Task& task) const {
    std::vector<Task*> found;
    for (const auto& [port, tasks] : underWay_)
      for (Task* other : tasks)
        if (conflict(task, *other)) found.push_back(other);
    return found;
  }

  /// The host waits for all that is in the way of the step.
  void force(const SequenceStep& step) {
    if (!step.task) return;
    if (step.kind == Kind::Wait) return end(*step.task);
    for (Task* other : conflictsOf(*step.task))
      end(*other);
    auto& tasks = underWay_[step.task->port];
    if (tasks.size() >= kMaxUnderWay) end(*tasks.front());
  }

  /// A channel ends its tasks in their order.
  void end(const Task& task) {
    auto& tasks = underWay_[task.port];
    auto found = std::ranges::find(tasks, &task);
    if (found != tasks.end()) tasks.erase(tasks.begin(), found + 1);
  }

  void issue(const SequenceStep& step) {
    if (step.kind == Kind::Start) underWay_[step.task->port].push_back(step.task);
    result_.steps.push_back(step);
  }

  std::vector<SequenceStep> pending_;
  UnderWay underWay_;
  IssuedSteps result_;
};

}  // namespace

IssuedSteps issueEarly(std::vector<SequenceStep> steps, const UnderWay& underWay) {
  return IssueOrder(std::move(steps), underWay).run();
}

}  // namespace airlite::npu
