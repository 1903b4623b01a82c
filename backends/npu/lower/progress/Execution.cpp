#include "Execution.hpp"

#include "airlite/ir/OpDef.hpp"
#include "airlite/npu/sim/array/Timing.hpp"

#include <algorithm>
#include <cstdlib>

namespace airlite::npu::progress {

namespace {

/// Rows between two tiles and, where both have a place, columns: the least that a route crosses.
int64_t hopsBetween(aie::TileOp from, aie::TileOp to) {
  auto rowOf = [](aie::TileOp tile) -> int64_t {
    if (auto row = tile.row()) return *row;
    auto kind = tile.kind();
    return kind && *kind == aie::TileKind::Mem ? 1 : 0;
  };
  auto a = from.id(), b = to.id();
  return std::abs(rowOf(from) - rowOf(to)) + (a && b ? std::abs(a->col - b->col) : 0);
}

/// Words that are under way on the shortest route. Longer ones hold more, which a design must not
/// need.
int64_t capacityOf(const aie::Endpoint& from, const aie::Endpoint& to) {
  constexpr sim::Timing depths;
  int64_t hops = hopsBetween(from.tile, to.tile);
  int64_t words = (hops + 1) * depths.slaveDepth + depths.localMasterDepth +
                  hops * (depths.outerMasterDepth + depths.hop);
  if (from.port.bundle == aie::Bundle::DMA) words += depths.egressDepth;
  if (to.port.bundle == aie::Bundle::DMA) words += depths.ingressDepth;
  return words;
}

PortKey endOf(const aie::Endpoint& end, bool isSource) {
  return portOf(end.tile, end.port.bundle, end.port.channel, isSource);
}

bool isHandMade(const Operation& op) {
  for (const char* name :
       {"aie.switchbox", "aie.objectfifo", "aie.objectfifo.link", "aie.shim_mux"})
    if (op.is(name)) return true;
  return false;
}

}  // namespace

template <class T> T& Execution::add(std::unique_ptr<T> process) {
  T& there = *process;
  there.id = static_cast<ProcessId>(processes.size());
  processes.push_back(std::move(process));
  return there;
}

Execution::Execution(aie::DeviceOp device) : device_(device) {
  for (Operation& op : device_.body().ops())
    if (isHandMade(op)) giveUp(&op, "streams that are not given as flows");
  for (Operation& op : device_.body().ops())
    if (isa<aie::LockOp>(&op)) machine.lock(op).value = aie::LockOp(&op).init();
  addFlows();
  for (Operation& op : device_.body().ops()) {
    if (aie::DmaOp dma = aie::asDmaOp(&op)) addDmas(dma);
    if (!isa<aie::CoreOp>(&op)) continue;
    aie::CoreOp core(&op);
    if (core.body().empty() || op.hasAttr("elf_file")) continue;
    machine.wake(add(makeCore(core, *this)).id);
  }
}

// -- The design -----------------------------------------------------------------------------------

void Execution::addFlows() {
  for (Operation& op : device_.body().ops()) {
    if (isa<aie::CascadeFlowOp>(&op)) addCascade(aie::CascadeFlowOp(&op));
    if (isa<aie::PacketFlowOp>(&op)) addPackets(aie::PacketFlowOp(&op));
    if (!isa<aie::FlowOp>(&op)) continue;
    aie::FlowOp flow(&op);
    aie::Endpoint from = flow.source(), to = flow.dest();
    if (!from.tile || !to.tile) return giveUp(&op, "a flow whose tiles are not known");
    if (to.port.bundle == aie::Bundle::TileControl)
      return giveUp(&op, "packets that write registers of a tile");
    PortKey source = endOf(from, true);
    int stream = machine.streamFrom(source, std::nullopt);
    if (stream < 0) stream = machine.addStream({source});
    machine.stream(stream).sinks.push_back(machine.sinkAt(endOf(to, false), capacityOf(from, to)));
  }
}

void Execution::addPackets(aie::PacketFlowOp flow) {
  for (const aie::Endpoint& from : flow.sources()) {
    PortKey source = endOf(from, true);
    int stream = machine.streamFrom(source, flow.packetId());
    if (stream < 0)
      stream = machine.addStream({source, flow.packetId(), flow.keepsHeader() ? 1 : 0});
    for (const aie::Endpoint& to : flow.dests()) {
      if (to.port.bundle == aie::Bundle::TileControl)
        return giveUp(flow.op(), "packets that write registers of a tile");
      machine.stream(stream).sinks.push_back(
          machine.sinkAt(endOf(to, false), capacityOf(from, to)));
    }
  }
}

void Execution::addCascade(aie::CascadeFlowOp flow) {
  constexpr sim::Timing depths;
  PortKey from = portOf(flow.source(), aie::Bundle::Core, -1, true);
  PortKey to = portOf(flow.dest(), aie::Bundle::Core, -1, false);
  machine.stream(machine.addStream({from}))
      .sinks.push_back(machine.sinkAt(to, depths.cascadeDepth));
}

void Execution::addDmas(aie::DmaOp dma) {
  for (Operation* op : dma.starts()) {
    aie::DmaStartOp start(op);
    if (start.isOutOfOrder()) return giveUp(op, "packets choose the descriptors");
    ChannelTask task;
    task.op = op;
    task.runs = start.repeatCount() + 1;
    Operation* at = op;
    auto nothing = [](Value) { return std::optional<int64_t>(); };
    std::string reason = readChain(start.firstBd(), nothing, task.chain, at);
    if (!reason.empty()) return giveUp(at, reason);
    if (task.chain.empty()) continue;
    DmaChannel& channel = channelAt(portOf(dma.tile(), start.channel()));
    channel.queue.push_back(&addTask(std::move(task)));
    machine.wake(channel.id);
  }
}

DmaChannel& Execution::channelAt(const PortKey& port) {
  DmaChannel*& there = channels_[port];
  if (!there) there = &add(std::make_unique<DmaChannel>(port));
  return *there;
}

ChannelTask& Execution::addTask(ChannelTask task) { return tasks_.emplace_back(std::move(task)); }

void Execution::count(uint64_t steps) {
  steps_ += steps;
  if (steps_ > maxSteps_) giveUp(sequence_, "it takes too many steps");
}

void Execution::giveUp(Operation* at, std::string reason) {
  if (isOpen()) return;
  outcome_ = {Outcome::Open, at, std::move(reason)};
}

// -- The run --------------------------------------------------------------------------------------

Outcome Execution::run(aie::RuntimeSequenceOp sequence, uint64_t maxSteps) {
  sequence_ = sequence.op();
  maxSteps_ = maxSteps;
  Process& host = add(makeHost(sequence, *this));
  machine.wake(host.id);
  host_ = &host;
  while (!hasEnded_ && !isOpen() && !machine.ready.empty()) {
    Process& process = *processes[static_cast<size_t>(machine.takeReady())];
    process.wait = process.run(*this);
  }
  if (isOpen()) return outcome_;
  if (hasEnded_) return {Outcome::Ends};
  return {Outcome::Hangs, host.wait.at};
}

}  // namespace airlite::npu::progress
