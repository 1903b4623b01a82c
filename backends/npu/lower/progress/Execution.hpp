// Runs a design on a Machine: its cores, DMA channels and the runtime sequence that drives them.
#pragma once

#include "Machine.hpp"
#include "Walk.hpp"

#include <functional>
#include <memory>
#include <string>

namespace airlite::npu::progress {

class Execution;

/// Something that acts by itself.
class Process {
 public:
  virtual ~Process() = default;
  /// Goes on until it has to wait, and says for what.
  virtual Wait run(Execution& execution) = 0;

  ProcessId id = kNobody;
  Wait wait = {};
};

class DmaChannel : public Process {
 public:
  explicit DmaChannel(PortKey port) : port(port) {}
  Wait run(Execution& execution) override;

  PortKey port;
  std::deque<ChannelTask*> queue;         // the first one is under way
  std::vector<ProcessId> waitingForRoom;  // of the queue

 private:
  enum class Stage : uint8_t { Acquire, Move };
  bool advance(Execution& execution, Wait& wait);
  bool move(Execution& execution, const Descriptor& bd, Wait& wait);
  void endDescriptor(Execution& execution, const Descriptor& bd);
  void endChain(Execution& execution);

  Stage stage_ = Stage::Acquire;
  size_t at_ = 0;  // in the chain
  int64_t left_ = 0, runs_ = 0;
};

/// What became of the run of a sequence.
struct Outcome {
  enum Kind : uint8_t { Ends, Hangs, Open };
  Kind kind = Open;
  Operation* at = nullptr;  // Hangs: where the host waits; Open: what cannot be followed
  std::string reason = {};  // Open
};

/// One class: processes, their tasks and the machine belong together as long as a run lasts.
class Execution {
 public:
  explicit Execution(aie::DeviceOp device);

  /// Runs `sequence` from the state after loading. `maxSteps`: descriptors, lock requests and ops.
  Outcome run(aie::RuntimeSequenceOp sequence, uint64_t maxSteps);

  Machine machine;
  Parameters parameters;
  std::vector<std::unique_ptr<Process>> processes;

  DmaChannel& channelAt(const PortKey& port);
  ChannelTask& addTask(ChannelTask task);
  /// The first reason counts.
  void giveUp(Operation* at, std::string reason);
  bool isOpen() const { return outcome_.at != nullptr; }
  /// Gives up when there have been too many.
  void count(uint64_t steps);
  void noteEnd() { hasEnded_ = true; }
  /// The process of the sequence, from `run` on.
  const Process* host() const { return host_; }

 private:
  void addFlows();
  void addCascade(aie::CascadeFlowOp flow);
  void addPackets(aie::PacketFlowOp flow);
  void addDmas(aie::DmaOp dma);
  /// Gives it a number, and puts it among the processes.
  template <class T> T& add(std::unique_ptr<T> process);

  aie::DeviceOp device_;
  std::deque<ChannelTask> tasks_;
  std::map<PortKey, DmaChannel*> channels_;
  const Process* host_ = nullptr;
  Outcome outcome_;
  uint64_t steps_ = 0, maxSteps_ = 0;
  Operation* sequence_ = nullptr;
  bool hasEnded_ = false;
};

/// The chain of descriptors that begins with `block`. `number` knows lengths that are no constants.
/// Says why it cannot be followed, where it cannot.
std::string readChain(Block* block, const std::function<std::optional<int64_t>(Value)>& number,
                      std::vector<Descriptor>& chain, Operation*& at);

std::unique_ptr<Process> makeCore(aie::CoreOp core, const Execution& execution);
std::unique_ptr<Process> makeHost(aie::RuntimeSequenceOp sequence, const Execution& execution);

}  // namespace airlite::npu::progress
