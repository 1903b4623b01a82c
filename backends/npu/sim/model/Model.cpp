#include "sim/model/Model.hpp"

#include <algorithm>
#include <utility>

namespace airlite::npu::sim::model {

Model::Model(ArrayState& from)
    : state(from),
      locks(events, from.options.observer),
      streams(from.options.timing, events),
      now(from.now) {
  addEnds();
  findWays();
  addCascades();
  streams.makeGroups();
  streams.setWatch(this);
  for (const auto& tile : state.tiles)
    for (unsigned lock = 0; lock < tile->locks.count(); ++lock)
      if (const unsigned value = tile->locks.value(lock))
        locks.set(tile->place, lock, int(value), now);
  for (const auto& tile : state.tiles)
    for (Channel& one : tile->channels)
      for (const QueueEntry& task : one.takeQueue())
        channel(tile->place, one.direction(), one.number()).push(task);
}

Model::~Model() = default;

// -- What there is ----------------------------------------------------------------------------------

void Model::addEnds() {
  const auto addEnd = [&](bool isSource, uint32_t owner, bool isOfCore) {
    ofEnd_.push_back(owner);
    isOfCore_.push_back(isOfCore);
    return streams.addEnd(isSource);
  };
  for (const auto& tile : state.tiles) {
    firstChannel_[tile->place] = uint32_t(channels_.size());
    for (const Channel& one : tile->channels) {
      const auto id = uint32_t(channels_.size());
      const uint32_t end = addEnd(one.direction() == DmaDirection::Mm2s, id, false);
      channels_.emplace_back(*this, *tile, one.direction(), one.number(), id, end);
    }
    if (tile->kind != TileKind::Core) continue;
    const auto id = uint32_t(cores_.size());
    CoreEnds ends;
    ends.streamIn = addEnd(false, id, true), ends.streamOut = addEnd(true, id, true);
    ends.cascadeIn = addEnd(false, id, true), ends.cascadeOut = addEnd(true, id, true);
    coreOf_[tile->place] = id;
    cores_.emplace_back(*this, *tile, id, ends);
  }
}

ChannelModel& Model::channel(Tile tile, DmaDirection direction, unsigned number) {
  const unsigned half = limitsOf(kindOfRow(tile.row)).channels;
  return channels_[firstChannel_.at(tile) + number + (direction == DmaDirection::Mm2s ? half : 0)];
}

void Model::fail(Tile tile, std::string text) {
  if (!state.fault) state.fault = Fault{tile, now, std::move(text), {}};
}

void Model::startCores() {
  for (CoreModel& core : cores_)
    if (core.tile().coreRuns && !core.isStarted()) core.start();
}

std::shared_ptr<CoreTrace> Model::traceOf(TileState& tile) {
  if (std::ranges::find(alone_, tile.place) != alone_.end())
    return std::make_shared<CoreTrace>(tile);
  std::vector<uint8_t> key = tile.program;
  key.insert(key.end(), tile.memory.begin(), tile.memory.end());
  std::shared_ptr<CoreTrace>& trace = traces_[std::move(key)];
  if (!trace) trace = std::make_shared<CoreTrace>(tile);
  return trace;
}

// -- Banks ------------------------------------------------------------------------------------------

BankAccesses Model::dmaAccesses(Tile tile) {
  BankAccesses all{};
  for (unsigned i = 0; i < 2 * limitsOf(kindOfRow(tile.row)).channels; ++i) {
    ChannelModel& one = channels_[firstChannel_.at(tile) + i];
    streams.look(one.end(), now);
    for (size_t bank = 0; bank < all.size(); ++bank)
      all[bank] += one.accesses()[bank];
  }
  return all;
}

// -- Time ---------------------------------------------------------------------------------------------

bool Model::runNext() {
  if (events.isEmpty() || state.fault) return false;
  const Event event = events.next();
  events.drop();
  now = std::max(now, event.cycle);
  handle(event);
  handleDone();
  return !state.fault;
}

void Model::handle(const Event& event) {
  switch (event.turn) {
    case Turn::Streams: return streams.turn(event);
    case Turn::Channel: return channels_[event.number].turn();
    case Turn::Core: return cores_[event.number].turn();
  }
}

void Model::handleDone() {
  streams.settle(now);
  for (std::vector<uint32_t> done = streams.takeDone(); !done.empty(); done = streams.takeDone()) {
    for (const uint32_t end : done)
      if (isOfCore_[end])
        cores_[ofEnd_[end]].wordMoved();
      else
        channels_[ofEnd_[end]].ended();
    streams.settle(now);
  }
}

void Model::moved(uint32_t end, uint64_t from, uint64_t to, double words) {
  if (!isOfCore_[end]) channels_[ofEnd_[end]].moved(from, to, words);
}

// -- What it was --------------------------------------------------------------------------------------

void Model::addTraffic(uint32_t source, int packet, uint64_t words) {
  const auto way = passages_.find({source, packet});
  if (way == passages_.end()) return;
  for (const Passage& passage : way->second)
    words_[passage] += words;
}

std::vector<Wait> Model::waits() const {
  std::vector<Wait> all;
  for (const CoreModel& core : cores_)
    if (auto wait = core.wait()) all.push_back(std::move(*wait));
  for (const ChannelModel& one : channels_)
    if (auto wait = one.wait()) all.push_back(std::move(*wait));
  std::ranges::stable_sort(all, {}, &Wait::tile);
  return all;
}

ArrayTraffic Model::traffic() const {
  ArrayTraffic traffic;
  for (const auto& [passage, words] : words_)
    traffic.ports.push_back({passage.tile,
                             *portAt(kindOfRow(passage.tile.row), PortSide::Master, passage.master),
                             words});
  for (const ChannelModel& one : channels_) {
    if (one.words() != 0) traffic.channels.push_back({one.place(), one.words()});
    traffic.ddrRequests[size_t(one.place().direction)] += one.requests();
  }
  for (const CoreModel& core : cores_)
    if (core.isStarted()) {
      traffic.work[core.tile().place] = core.work();
      traffic.bankStalls[core.tile().place] = core.bankStalls();
    }
  return traffic;
}

}  // namespace airlite::npu::sim::model
