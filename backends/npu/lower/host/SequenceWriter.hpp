// Writes a runtime sequence: the order of its steps, and what has to be waited for before each.
#pragma once

#include "HostTasks.hpp"

#include <deque>
#include <map>
#include <memory>
#include <span>

namespace airlite::npu {

/// How a sequence is written.
struct SequenceOptions {
  bool hasIterations = false;    // several ends of launches: each waits for all that is under way
  bool coalesces = false;        // joins ordered transfers that follow each other in memory
  bool joins = false;            // iterations of a launch whose tasks of a channel are one
  bool keepsOrder = false;       // of the program, where tasks have to wait for each other
  bool endsWithReload = false;   // another design is loaded after it: nothing may be under way
  std::string resetDevice = {};  // is loaded at the end of each launch, when there is one
};

/// One thing that a sequence does.
struct SequenceStep {
  enum class Kind : uint8_t { Start, Wait, WriteParameter, SetLock };
  Kind kind = Kind::Start;
  Task* task = nullptr;         // Start, Wait
  Operation* target = nullptr;  // the aie.buffer or aie.lock
  int64_t index = 0;            // the word of the buffer
  MaybeStatic value = {};       // of the word, i32
  bool staysInPlace = false;    // parameters and locks: not for the whole iteration
  Location location = {};
};

/// Puts the steps of an iteration of a launch, or what stands outside of launches, into the order
/// in which they are issued:
///  - parameters of herds and their locks first, so that no core sees data before its parameters;
///  - transfers marked `air.runtime_hoist`;
///  - in a launch, what the device sends before what it is sent, as far as the queue takes it;
///  - where a channel has more tasks in a row than it may have under way, those of all channels
///    take turns, each at its share, so that none waits for data that another has not been sent.
/// Where tasks share memory, issueEarly is used instead of the last two.
/// Tasks of one channel, and tasks with a common element of memory, keep their order.
void orderSteps(std::vector<SequenceStep>& steps, bool isLaunch);
/// The first two of these. Returns how many steps stand in front now.
size_t armFirst(std::vector<SequenceStep>& steps);

/// Tasks of each channel of which it is not known that they are through, in their order.
using UnderWay = std::map<const ShimPort*, std::deque<Task*>>;

/// The order in which no step waits while another need not, but for that the program's. `underWay`:
/// before the first. Tasks of one channel, and tasks with a common element, keep their order.
struct IssuedSteps {
  std::vector<SequenceStep> steps = {};
  bool hasConflicts = false;  // some wait since they share memory with others
};
IssuedSteps issueEarly(std::vector<SequenceStep> steps, const UnderWay& underWay);

/// An iteration, or several whose tasks have become common ones: then the steps are in order.
struct StepGroup {
  std::vector<SequenceStep> steps;
  bool isJoined = false;
};

/// Groups as many iterations as have tasks that join (joinTasks) to so few of each channel that all
/// are under way at once, and of which none waits for one of another channel. `ends`: of each
/// iteration in `steps`. Waits of a joined group are left to the end of the launch.
std::vector<StepGroup> joinIterations(std::span<const SequenceStep> steps,
                                      std::span<const size_t> ends);

/// Tasks that a channel may have under way: the queue holds no more.
inline constexpr size_t kMaxUnderWay = 4;

/// Keeps these promises for what it writes:
///  - no channel has more than kMaxUnderWay tasks of which it is not known that they are through
///    (2 for those marked `air.preserve_shim_dma_order`, which are waited for at once at their
///    last), so a shim never needs more than its 16 descriptors;
///  - a task starts when those are through that have an element of memory in common with it which
///    one of them writes;
///  - tokens of a channel are waited for in the order of its tasks, each once.
/// A wait frees the descriptor of a task that sends, without asking whether it is through, and
/// waits for one that receives. At the end of a launch both are waited for.
/// One class: whether a step has to wait depends on every task that is under way, and each step
/// changes that.
class SequenceWriter {
 public:
  SequenceWriter(Block& body, const SequenceOptions& options);

  /// Where ops can be made that steps use.
  Builder& builder() { return builder_; }
  Task* start(Task task);
  void wait(std::span<Task* const> tasks, Location location);
  void writeParameter(Operation& buffer, int64_t index, MaybeStatic value, bool staysInPlace,
                      Location location);
  void setLock(Operation& lock, bool staysInPlace, Location location);
  /// What comes belongs to another iteration: steps keep to their side, unless tasks of several
  /// iterations become one. Then each channel has so few of them that all are under way at once,
  /// and their order among the channels does not matter.
  void endIteration();
  void endLaunch(std::span<Task* const> tasks, Location location);
  /// What comes until leaveLoop goes into the body of an scf.for, whose variable is returned; all
  /// of its tasks are waited for at the end of each run. `inside`: what the tasks there will be
  /// like.
  Value enterLoop(Value lower, Value upper, Value step, std::span<const Task> inside,
                  Location location);
  void leaveLoop();
  /// Waits for what somebody wants to know of, and puts arithmetic where it is used.
  void finish();

 private:
  using Queue = std::deque<Task*>;

  void flush(bool isLaunch);
  void order(std::vector<SequenceStep>& steps, bool isLaunch) const;
  void write(std::span<const SequenceStep> steps);
  void issue(Task& task);
  std::vector<Task*> mustEndBefore(const Task& task) const;
  void configure(Task& task);
  void await(Task& task);
  void free(Task& task);
  Operation* createTaskOp(std::string_view name, Task& task);
  void drain(const ShimPort& port, bool sendersToo);
  size_t underWayAt(Operation* tile) const;
  void coalesce();
  void waitForPaced(std::span<const SequenceStep> steps, size_t at, std::vector<Task*>& group);
  void create(const SequenceStep& step);

  SequenceOptions options_;
  Builder builder_;
  std::vector<SequenceStep> steps_;
  std::vector<size_t> iterationEnds_;  // in steps_, of those that may be joined
  std::vector<std::unique_ptr<Task>> tasks_;
  std::vector<const ShimPort*> order_;  // of their first tasks
  UnderWay underWay_;
  std::vector<std::pair<InsertPoint, UnderWay>> outer_;
};

}  // namespace airlite::npu
