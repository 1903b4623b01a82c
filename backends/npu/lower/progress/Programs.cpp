// Processes that are programs: cores, and the runtime sequence of the host.
#include "Execution.hpp"
#include "airlite/dialect/Aiex.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"

#include <deque>
#include <map>

namespace airlite::npu::progress {

namespace {

constexpr size_t kQueueDepth = 4;  // tasks that wait in a channel's queue

bool isCoreAction(const Operation& op) {
  return isa<aie::UseLockOp>(&op) || op.is("aie.get_stream") || op.is("aie.put_stream") ||
         op.is("aie.get_cascade") || op.is("aie.put_cascade");
}

/// A process that goes through code, action by action.
class ProgramProcess : public Process {
 public:
  /// `obstacle`: what is said of code whose way is not known.
  ProgramProcess(Block& entry, Walk::IsOfInterest isAction, const Parameters& parameters,
                 const char* obstacle)
      : walk_(entry, isAction, parameters), obstacle_(obstacle) {}

  Wait run(Execution& execution) override {
    while (!execution.isOpen()) {
      uint64_t before = walk_.steps();
      Operation* op = walk_.next();
      execution.count(1 + walk_.steps() - before);
      if (walk_.obstacle()) return execution.giveUp(walk_.obstacle(), obstacle_), Wait();
      if (!op) return end(execution);
      Wait wait;
      if (!act(execution, *op, wait)) return wait;
      walk_.pass();
    }
    return {};
  }

 protected:
  /// False when it has to wait, or the run has been given up.
  virtual bool act(Execution& execution, Operation& op, Wait& wait) = 0;
  virtual Wait end(Execution& execution) = 0;

  Walk walk_;

 private:
  const char* obstacle_;
};

class CoreProcess : public ProgramProcess {
 public:
  CoreProcess(aie::CoreOp core, const Parameters& parameters)
      : ProgramProcess(core.body().front(), isCoreAction, parameters,
                       "the way of a core depends on data"),
        core_(core) {}

  Wait run(Execution& execution) override {
    if (!walk_.matters(*core_.op())) return end(execution);  // it may begin again for ever
    return ProgramProcess::run(execution);
  }

 private:
  Wait end(Execution&) override { return {Wait::Ended, core_.op()}; }

  bool act(Execution& execution, Operation& op, Wait& wait) override {
    if (isa<aie::UseLockOp>(&op)) return useLock(execution, aie::UseLockOp(&op), wait);
    bool isCascade = op.name().ends_with("_cascade");
    bool sends = op.name().starts_with("aie.put");
    int64_t channel = 0;
    if (op.is("aie.get_stream")) channel = walk_.number(op.operand(0)).value_or(0);
    // A cascade has a port of its own, which no flow names.
    PortKey port = portOf(core_.tile(), aie::Bundle::Core, isCascade ? -1 : channel, sends);
    Machine& machine = execution.machine;
    if (sends) {
      int stream = machine.streamFrom(port, std::nullopt), blocking = -1;
      if (stream < 0) return execution.giveUp(&op, "nothing takes what it sends"), false;
      wait = {Wait::Room, &op, nullptr, 1};
      bool isSent = machine.send(stream, 1, true, true, id, blocking) == 1;
      wait.sink = blocking;
      return isSent;
    }
    int sink = machine.findSink(port);
    if (sink < 0) return execution.giveUp(&op, "no flow ends at its stream"), false;
    wait = {Wait::Words, &op, nullptr, 1, sink};
    return machine.take(sink, 1, id) == 1;
  }

  bool useLock(Execution& execution, aie::UseLockOp use, Wait& wait) {
    aie::MaybeStatic written = use.value();
    auto value =
        written.isConstant() ? std::optional(written.constant) : walk_.number(written.value);
    if (!value || !use.lock())
      return execution.giveUp(use.op(), "the lock or its value is not known"), false;
    if (use.action() == aie::LockAction::Release) {
      execution.machine.release(use, *value);
      return true;
    }
    wait = {Wait::Lock, use.op(), use.lock().op(), *value};
    return execution.machine.acquire(use, *value, id);
  }

  aie::CoreOp core_;
};

bool isHostAction(const Operation& op) { return op.name().starts_with("aiex."); }

class HostProcess : public ProgramProcess {
 public:
  HostProcess(aie::RuntimeSequenceOp sequence, const Parameters& parameters)
      : ProgramProcess(sequence.body(), isHostAction, parameters,
                       "the sequence depends on numbers") {}

 private:
  Wait end(Execution& execution) override { return execution.noteEnd(), Wait{Wait::Ended}; }

  bool act(Execution& execution, Operation& op, Wait& wait) override {
    if (isa<aiex::ConfigureTaskOp>(&op)) return configure(execution, aiex::ConfigureTaskOp(&op));
    if (op.is("aiex.dma_start_task")) return start(execution, op, wait);
    if (op.is("aiex.dma_await_task")) return await(op, wait);
    if (op.is("aiex.npu.dma_memcpy_nd")) return copy(execution, op, wait);
    if (op.is("aiex.npu.dma_wait")) return awaitCopy(execution, op, wait);
    if (op.is("aiex.dma_free_task") || op.is("aiex.npu.preempt")) return true;
    if (op.is("aiex.configure")) return true;  // what it runs is a sequence that is checked itself
    if (op.is("aiex.npu.rtp_write")) return writeParameter(execution, op);
    if (op.is("aiex.set_lock")) return setLock(execution, op);
    execution.giveUp(&op, "what it changes is not followed");
    return false;
  }

  bool configure(Execution& execution, aiex::ConfigureTaskOp op) {
    auto number = [&](Value value) { return walk_.number(value); };
    auto channel = op.channel();
    aie::MaybeStatic written = op.repeatCount();
    auto repeats = written.isConstant() ? std::optional(written.constant) : number(written.value);
    if (!channel || !op.tile() || !repeats || op.body().empty())
      return execution.giveUp(op.op(), "the channel or the runs of a task are not known"), false;
    ChannelTask task;
    task.op = op.op();
    task.runs = *repeats + 1;
    Operation* at = op.op();
    std::string reason = readChain(&op.body().front(), number, task.chain, at);
    if (!reason.empty()) return execution.giveUp(at, reason), false;
    tasks_[op.op()] = std::pair(&execution.addTask(std::move(task)), portOf(op.tile(), *channel));
    return true;
  }

  std::pair<ChannelTask*, PortKey> taskOf(const Operation& op) const {
    auto found = tasks_.find(op.operand(0).definingOp());
    return found == tasks_.end() ? std::pair<ChannelTask*, PortKey>() : found->second;
  }

  bool start(Execution& execution, Operation& op, Wait& wait) {
    auto [task, port] = taskOf(op);
    if (!task) return execution.giveUp(&op, "the task is not known"), false;
    return push(execution, op, task, port, wait);
  }

  bool push(Execution& execution, Operation& op, ChannelTask* task, const PortKey& port,
            Wait& wait) {
    DmaChannel& channel = execution.channelAt(port);
    if (channel.queue.size() > kQueueDepth) {  // one is under way
      wait = {Wait::QueueRoom, &op};
      wait.channel = channel.id;
      channel.waitingForRoom.push_back(id);
      return false;
    }
    channel.queue.push_back(task);
    execution.machine.wake(channel.id);
    return true;
  }

  /// The shim channel that a copy or a wait for one names.
  static aie::ShimDmaAllocationOp namedShim(Operation& op, std::string_view attribute) {
    auto name = op.attrOf<SymbolRefAttr>(attribute);
    return name ? dynCast<aie::ShimDmaAllocationOp>(lookupSymbol(&op, name))
                : aie::ShimDmaAllocationOp();
  }

  /// Of a copy; none where its sizes are not known, or are not whole words.
  static std::optional<int64_t> wordsOf(const Operation& op) {
    const auto sizes = op.attrOf<DenseArrayAttr>("static_sizes");
    int64_t all = aie::elementBytes(elementTypeOrSelf(op.operand(0).type())).value_or(0);
    for (int64_t size : sizes ? sizes.values() : std::span<const int64_t>())
      if (size < 0 || __builtin_mul_overflow(all, size, &all)) return std::nullopt;
    return all > 0 && all % aie::kWordBytes == 0 ? std::optional(all / aie::kWordBytes)
                                                 : std::nullopt;
  }

  /// A task of one descriptor, made and started at once.
  bool copy(Execution& execution, Operation& op, Wait& wait) {
    const auto shim = namedShim(op, "metadata");
    const std::optional<int64_t> words = wordsOf(op);
    if (!shim || !shim.tile() || !words)
      return execution.giveUp(&op, "the channel or the length of a copy is not known"), false;
    const PortKey port = portOf(shim.tile(), shim.channel());
    ChannelTask*& task = copies_[&op];
    if (!task) {
      Descriptor whole;
      whole.op = &op;
      whole.words = *words;
      ChannelTask made;
      made.op = &op;
      made.chain = {whole};
      task = &execution.addTask(std::move(made));
    }
    if (!push(execution, op, task, port, wait)) return false;
    auto token = op.attrOf<IntegerAttr>("issue_token");
    const bool receives = shim.channel().direction == aie::Direction::S2MM;
    if (receives || (token && token.value() != 0)) tokens_[port].push_back(task);
    copies_.erase(&op);
    return true;
  }

  /// The oldest copy of the channel that nobody has waited for.
  bool awaitCopy(Execution& execution, Operation& op, Wait& wait) {
    const auto shim = namedShim(op, "symbol");
    if (!shim || !shim.tile()) return execution.giveUp(&op, "the channel is not known"), false;
    std::deque<ChannelTask*>& waiting = tokens_[portOf(shim.tile(), shim.channel())];
    if (waiting.empty()) return execution.giveUp(&op, "no copy gives a token"), false;
    if (!awaitTask(*waiting.front(), wait)) return false;
    waiting.pop_front();
    return true;
  }

  bool await(Operation& op, Wait& wait) {
    auto [task, port] = taskOf(op);
    return !task || awaitTask(*task, wait);
  }

  bool awaitTask(ChannelTask& awaited, Wait& wait) {
    ChannelTask* task = &awaited;
    if (task->isDone) return true;
    wait = {Wait::TaskEnd, task->op};
    wait.task = task;
    task->waiting.push_back(id);
    return false;
  }

  bool writeParameter(Execution& execution, Operation& op) {
    auto name = op.attrOf<SymbolRefAttr>("buffer");
    auto index = op.attrOf<IntegerAttr>("index");
    Operation* buffer = name ? lookupSymbol(&op, name) : nullptr;
    if (!buffer || !index) return true;
    if (auto value = walk_.number(op.operand(0)))
      execution.parameters[{buffer, index.value()}] = *value;
    else
      execution.parameters.erase({buffer, index.value()});
    return true;
  }

  static bool setLock(Execution& execution, Operation& op) {
    auto value = op.attrOf<IntegerAttr>("value");
    Operation* lock = op.numOperands() ? op.operand(0).definingOp() : nullptr;
    if (!value || !lock) return execution.giveUp(&op, "the lock is not known"), false;
    LockState& state = execution.machine.lock(*lock);
    state.value = value.value();
    execution.machine.wakeAll(state.waiting);
    return true;
  }

  std::map<Operation*, std::pair<ChannelTask*, PortKey>> tasks_;
  std::map<Operation*, ChannelTask*> copies_;           // that wait for room in their queue
  std::map<PortKey, std::deque<ChannelTask*>> tokens_;  // of copies, oldest first
};

}  // namespace

std::unique_ptr<Process> makeCore(aie::CoreOp core, const Execution& execution) {
  return std::make_unique<CoreProcess>(core, execution.parameters);
}

std::unique_ptr<Process> makeHost(aie::RuntimeSequenceOp sequence, const Execution& execution) {
  return std::make_unique<HostProcess>(sequence, execution.parameters);
}

}  // namespace airlite::npu::progress
