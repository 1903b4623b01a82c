#include "Machine.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::progress {

PortKey portOf(aie::TileOp tile, aie::Bundle bundle, int64_t channel, bool isSource) {
  if (auto id = tile.id()) return {nullptr, id->col, id->row, bundle, channel, isSource};
  return {tile.op(), 0, 0, bundle, channel, isSource};
}

PortKey portOf(aie::TileOp tile, aie::Channel channel) {
  return portOf(tile, aie::Bundle::DMA, channel.index, channel.direction == aie::Direction::MM2S);
}

void Machine::wake(ProcessId process) {
  if (process == kNobody) return;
  size_t number = static_cast<size_t>(process);
  if (isReady_.size() <= number) isReady_.resize(number + 1, false);
  if (isReady_[number]) return;
  isReady_[number] = true;
  ready.push_back(process);
}

ProcessId Machine::takeReady() {
  ProcessId process = ready.front();
  ready.pop_front();
  isReady_[static_cast<size_t>(process)] = false;
  return process;
}

void Machine::wakeAll(std::vector<ProcessId>& processes) {
  for (ProcessId process : std::exchange(processes, {}))
    wake(process);
}

// -- Locks ----------------------------------------------------------------------------------------

bool Machine::acquire(aie::UseLockOp use, int64_t value, ProcessId process) {
  LockState& state = lock(*use.lock().op());
  bool takes = use.action() == aie::LockAction::AcquireGreaterEqual;
  if (takes ? state.value >= value : state.value == value) {
    if (takes) state.value -= value;
    return true;
  }
  if (std::ranges::find(state.waiting, process) == state.waiting.end())
    state.waiting.push_back(process);
  return false;
}

void Machine::release(aie::UseLockOp use, int64_t value) {
  LockState& state = lock(*use.lock().op());
  state.value += value;
  wakeAll(state.waiting);
}

// -- Streams --------------------------------------------------------------------------------------

int Machine::sinkAt(const PortKey& port, int64_t capacity) {
  auto [at, isNew] = sinkNumbers_.try_emplace(port, static_cast<int>(sinks_.size()));
  if (isNew) sinks_.push_back({port, capacity});
  Sink& there = sink(at->second);
  there.capacity = std::min(there.capacity, capacity);
  return at->second;
}

int Machine::findSink(const PortKey& port) const {
  auto found = sinkNumbers_.find(port);
  return found == sinkNumbers_.end() ? -1 : found->second;
}

int Machine::addStream(Stream stream) {
  int number = static_cast<int>(streams_.size());
  streamNumbers_[{stream.source, stream.packet}] = number;
  streams_.push_back(std::move(stream));
  return number;
}

int Machine::streamFrom(const PortKey& source, std::optional<int64_t> packet) const {
  auto found = streamNumbers_.find({source, packet});
  return found == streamNumbers_.end() ? -1 : found->second;
}

int64_t Machine::send(int number, int64_t words, bool isFirst, bool isLast, ProcessId process,
                      int& blocking) {
  const Stream& stream = this->stream(number);
  blocking = -1;
  int64_t room = words;
  for (int end : stream.sinks) {
    Sink& there = sink(end);
    bool isTaken = stream.packet && there.sender != -1 && there.sender != number;
    int64_t free = isTaken ? 0 : there.capacity + there.asked - there.stored;
    if (isFirst) free -= stream.headerWords;
    if (free < room) room = std::max<int64_t>(free, 0), blocking = end;
  }
  if (blocking >= 0) sink(blocking).writers.push_back(process);
  if (room == 0) return 0;
  for (int end : stream.sinks) {
    Sink& there = sink(end);
    there.stored += room + (isFirst ? stream.headerWords : 0);
    if (stream.packet) there.sender = number;
    wake(there.reader);
    if (!stream.packet || !isLast || room < words) continue;
    there.sender = -1;
    wakeAll(there.writers);
  }
  return room;
}

int64_t Machine::take(int number, int64_t words, ProcessId process) {
  Sink& from = sink(number);
  int64_t taken = std::min(words, from.stored);
  from.stored -= taken;
  from.asked = words - taken;
  from.reader = from.asked > 0 ? process : kNobody;
  wakeAll(from.writers);
  return taken;
}

}  // namespace airlite::npu::progress
