// aie-verify-progress: every runtime sequence of a design comes to its end.
//
// Runs each sequence on the design as Execution.hpp says, without data and time. A sequence that
// waits for ever is an error at the op that waits, with a note for each wait that it leads to. Where
// control depends on data, or the sequence changes registers itself, nothing is decided; a remark
// says where. docs/npu_progress.md says what is left out.
#include "Execution.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/npu/lower/Passes.hpp"
#include "airlite/pass/Pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace airlite::npu {

namespace {

using progress::Execution;
using progress::Outcome;
using progress::PortKey;
using progress::Process;
using progress::Wait;

std::string nameOf(const PortKey& port) {
  std::string tile = port.openTile ? std::string("a tile whose column is open")
                                   : fmt::format("({},{})", port.column, port.row);
  if (port.bundle == aie::Bundle::Core) return fmt::format("the core of {}", tile);
  return fmt::format("{} {} of {}", port.isSource ? "MM2S" : "S2MM", port.channel, tile);
}

/// Follows the waits from the host to a circle, or to something that nobody starts.
class Explanation {
 public:
  Explanation(Execution& execution, InFlightDiagnostic& error)
      : execution_(execution), error_(error) {}

  void follow(const Process* process) {
    while (process) {
      if (!seen_.insert(process).second) {
        error_.note(process->wait.at->location()) << "which waits already: a circle";
        return;
      }
      const Wait& wait = process->wait;
      if (!wait.at) return;
      if (seen_.size() > 1) error_.note(wait.at->location()) << say(*process);
      process = cause(*process);
    }
  }

 private:
  std::string say(const Process& process) const {
    const Wait& wait = process.wait;
    auto* channel = dynamic_cast<const progress::DmaChannel*>(&process);
    std::string who = channel ? nameOf(channel->port) : "the core";
    switch (wait.kind) {
      case Wait::Lock: {
        auto held = execution_.machine.lock(*wait.lock).value;
        return fmt::format("{} waits here for a lock that holds {}, and needs {}", who, held,
                           wait.needs);
      }
      case Wait::Words: return fmt::format("{} waits here for {} words", who, wait.needs);
      case Wait::Room: return fmt::format("{} has no room here for {} words", who, wait.needs);
      default: return who + " waits here";
    }
  }

  const Process* cause(const Process& process) {
    const Wait& wait = process.wait;
    switch (wait.kind) {
      case Wait::TaskEnd: return channelOf(*wait.task);
      case Wait::QueueRoom: return execution_.processes[static_cast<size_t>(wait.channel)].get();
      case Wait::Lock: return giverOf(*wait.lock, process);
      case Wait::Words: return senderTo(wait.sink);
      case Wait::Room: return readerOf(execution_.machine.sink(wait.sink).port);
      default: return nullptr;
    }
  }

  const Process* channelOf(const progress::ChannelTask& task) const {
    for (const auto& process : execution_.processes)
      if (auto* channel = dynamic_cast<const progress::DmaChannel*>(process.get()))
        if (std::ranges::find(channel->queue, &task) != channel->queue.end()) return channel;
    return nullptr;
  }

  const Process* readerOf(const PortKey& port) {
    for (const auto& process : execution_.processes) {
      auto* channel = dynamic_cast<const progress::DmaChannel*>(process.get());
      if (channel ? channel->port == port : takesFrom(*process, port))
        return idle(channel, process);
    }
    return nothingAt(port);
  }

  const Process* senderTo(int sink) {
    for (const progress::Stream& stream : execution_.machine.streams()) {
      if (std::ranges::find(stream.sinks, sink) == stream.sinks.end()) continue;
      for (const auto& process : execution_.processes) {
        auto* channel = dynamic_cast<const progress::DmaChannel*>(process.get());
        if (channel ? channel->port == stream.source : takesFrom(*process, stream.source))
          return idle(channel, process);
      }
      return nothingAt(stream.source);
    }
    return nullptr;
  }

  /// The process, unless it has no task: then nothing follows.
  const Process* idle(const progress::DmaChannel* channel,
                      const std::unique_ptr<Process>& process) {
    if (channel && channel->queue.empty()) return nothingAt(channel->port);
    return process.get();
  }

  const Process* nothingAt(const PortKey& port) {
    error_ << "; " << nameOf(port) << " has no task then";
    return nullptr;
  }

  /// A core, at a port of its own.
  bool takesFrom(const Process& process, const PortKey& port) const {
    aie::CoreOp core = coreAt(process.wait.at);
    if (!core || port.bundle != aie::Bundle::Core) return false;
    return progress::portOf(core.tile(), port.bundle, port.channel, port.isSource) == port;
  }

  static aie::CoreOp coreAt(Operation* op) {
    if (!op) return {};
    return isa<aie::CoreOp>(op) ? aie::CoreOp(op) : op->parentOf<aie::CoreOp>();
  }

  /// Who has a release of the lock: what is under way first.
  const Process* giverOf(Operation& lock, const Process& waits) const {
    const Process* found = nullptr;
    for (OpOperand& use : lock.result().uses()) {
      aie::UseLockOp release = dynCast<aie::UseLockOp>(use.owner());
      if (!release || release.action() != aie::LockAction::Release) continue;
      for (const auto& process : execution_.processes)
        if (process.get() != &waits && runs(*process, *release.op())) found = process.get();
    }
    return found;
  }

  static bool runs(const Process& process, Operation& release) {
    auto* channel = dynamic_cast<const progress::DmaChannel*>(&process);
    if (!channel) return coreAt(process.wait.at) && coreAt(process.wait.at) == coreAt(&release);
    for (const progress::ChannelTask* task : channel->queue)
      for (const progress::Descriptor& bd : task->chain)
        if (bd.release.op() == &release) return true;
    return false;
  }

  Execution& execution_;
  InFlightDiagnostic& error_;
  std::set<const Process*> seen_;
};

class VerifyProgress : public Pass {
 public:
  VerifyProgress()
      : Pass("aie-verify-progress", "Checks that the runtime sequences of designs come to an end") {
    anchor("builtin.module");
    option("max-steps", maxSteps_,
           "descriptors, requests of locks and ops of a run that are followed at most");
    example("airlite-opt --aie-verify-progress design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (maxSteps_ < 1)
      return module.emitError() << "aie-verify-progress: max-steps must be positive",
             PassResult::Failed;
    PassResult result = PassResult::Unchanged;
    module.walk([&](Operation& op) {
      if (isa<aie::RuntimeSequenceOp>(&op) && !check(aie::RuntimeSequenceOp(&op), context))
        result = PassResult::Failed;
    });
    return result;
  }

 private:
  bool check(aie::RuntimeSequenceOp sequence, PassContext& context) const {
    aie::DeviceOp device = sequence->parentOf<aie::DeviceOp>();
    if (!device) return true;
    Execution execution(device);
    Outcome outcome = execution.run(sequence, static_cast<uint64_t>(maxSteps_));
    if (outcome.kind == Outcome::Ends) return true;
    if (outcome.kind == Outcome::Open) {
      context.remark(*outcome.at, "progress is not checked: " + outcome.reason);
      return true;
    }
    Operation& at = outcome.at ? *outcome.at : *sequence.op();
    InFlightDiagnostic error = emitError(at.context(), at.location());
    error << "the design would hang: the host waits here for ever";
    Explanation(execution, error).follow(execution.host());
    return false;
  }

  int64_t maxSteps_ = 20'000'000;
};

}  // namespace

void registerVerifyProgress(PassRegistry& registry) { registry.add<VerifyProgress>(); }

}  // namespace airlite::npu
