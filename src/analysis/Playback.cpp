#include "Playback.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace airlite::analysis {

namespace {

/// A transfer on its way. Finished by the last receive of each destination that takes a part.
struct Transfer {
  PointId send;
  int64_t elements;
  uint32_t readers;
};

struct Receiver {
  std::deque<PointId> waiting;  // the first one is being filled
  int64_t missing = 0;          // elements of the first one; -1: it has not begun
  uint64_t transfer = 0;        // the next one that it takes from
  int64_t taken = 0;            // elements of that
  bool isFilling = false;
};

struct LaneState {
  std::deque<PointId> waitingSends, waitingSents;
  std::vector<Transfer> transfers;
  std::vector<std::vector<PointId>> takers;  // of each transfer: receives that finish it
  uint64_t taken = 0;                        // by all destinations
  std::vector<Receiver> receivers;
  bool countsTransfers = false;  // sizes are not known: a put is as large as a get
};

class Player {
 public:
  Player(const Unfolding& unfolding, uint64_t seed) : in_(unfolding), rng_(seed) {}

  Playback play() {
    prepare();
    while (!ready_.empty()) {
      if (rng_ != 0) std::swap(ready_[random(ready_.size())], ready_.back());
      PointId point = ready_.back();
      ready_.pop_back();
      begin(point);
    }
    return std::move(out_);
  }

 private:
  uint64_t random(size_t below) {
    rng_ = rng_ * 6364136223846793005ull + 1442695040888963407ull;
    return (rng_ >> 33) % below;
  }

  void prepare() {
    out_.happened.assign(in_.points.size(), false);
    out_.ready.assign(in_.points.size(), false);
    graph_ = graph::Digraph(static_cast<graph::NodeId>(in_.points.size()), in_.arcs);
    pending_.assign(in_.points.size(), 0);
    for (const graph::Arc& arc : in_.arcs)
      ++pending_[arc.to];
    lanes_.resize(in_.lanes.size());
    for (size_t i = 0; i < lanes_.size(); ++i) {
      lanes_[i].receivers.resize(in_.lanes[i].numDestinations);
      out_.firstReceiver.push_back(numReceivers_);
      numReceivers_ += in_.lanes[i].numDestinations;
    }
    out_.sendsOf.resize(lanes_.size());
    out_.receivesOf.resize(numReceivers_);
    for (const Point& point : in_.points)
      if (point.lane != kNone && point.kind != PointKind::Sent && point.elements < 0)
        lanes_[point.lane].countsTransfers = true;
    // The last is taken first.
    for (size_t i = in_.points.size(); i-- > 0;)
      if (pending_[i] == 0) makeReady(static_cast<PointId>(i));
  }

  void makeReady(PointId point) {
    out_.ready[point] = true;
    ready_.push_back(point);
  }

  void happen(PointId point) {
    out_.happened[point] = true;
    out_.order.push_back(point);
    for (PointId next : graph_.successors(point))
      if (--pending_[next] == 0) makeReady(next);
  }

  int64_t elementsOf(PointId point) const {
    return lanes_[in_.points[point].lane].countsTransfers ? 1 : in_.amountOf(in_.points[point]);
  }

  void begin(PointId id) {
    const Point& point = in_.points[id];
    switch (point.kind) {
      case PointKind::Send:
        lanes_[point.lane].waitingSends.push_back(id);
        return progress(point.lane);
      case PointKind::Sent:
        lanes_[point.lane].waitingSents.push_back(id);
        return progress(point.lane);
      case PointKind::Receive:
        lanes_[point.lane].receivers[point.destination].waiting.push_back(id);
        return progress(point.lane);
      case PointKind::Acquire: return acquire(id);
      case PointKind::Release: release(point.begin); return happen(id);
      default: return happen(id);
    }
  }

  // -- Channels
  // ------------------------------------------------------------------------------------

  void progress(uint32_t lane) {
    for (bool moved = true; moved;) {
      moved = send(lane);
      for (uint32_t i = 0; i < lanes_[lane].receivers.size(); ++i)
        moved |= receive(lane, i);
      moved |= finishSends(lane);
    }
  }

  bool send(uint32_t lane) {
    LaneState& state = lanes_[lane];
    uint64_t depth = static_cast<uint64_t>(in_.lanes[lane].depth);
    bool moved = false;
    while (!state.waitingSends.empty() && state.transfers.size() < state.taken + depth) {
      PointId point = state.waitingSends.front();
      state.waitingSends.pop_front();
      if (state.transfers.size() >= depth) addTakers(state, state.transfers.size() - depth, point);
      state.transfers.push_back({point, elementsOf(point), in_.lanes[lane].numDestinations});
      state.takers.emplace_back();
      out_.sendsOf[lane].push_back(point);
      numberOf_[point] = state.transfers.size();
      happen(point);
      moved = true;
    }
    return moved;
  }

  /// `point` came after transfer number `transfer` was sent and taken: the gets that took it were in
  /// line by then, but need not have written what they took.
  void addTakers(const LaneState& state, uint64_t transfer, PointId point) {
    out_.arcs.push_back({state.transfers[transfer].send, point});
    for (PointId taker : state.takers[transfer])
      out_.arcs.push_back({in_.points[taker].begin, point});
  }

  bool finishSends(uint32_t lane) {
    LaneState& state = lanes_[lane];
    uint64_t ahead = static_cast<uint64_t>(in_.lanes[lane].depth) - 1;
    bool moved = false;
    for (size_t i = 0; i < state.waitingSents.size();) {
      PointId point = state.waitingSents[i];
      uint64_t number = numberOf_[in_.points[point].begin];
      if (number > state.taken + ahead) {
        ++i;
        continue;
      }
      state.waitingSents.erase(state.waitingSents.begin() + static_cast<ptrdiff_t>(i));
      if (number > ahead) addTakers(state, number - 1 - ahead, point);
      happen(point);
      moved = true;
    }
    return moved;
  }

  bool receive(uint32_t lane, uint32_t destination) {
    LaneState& state = lanes_[lane];
    Receiver& receiver = state.receivers[destination];
    bool moved = false;
    while (!receiver.waiting.empty()) {
      PointId point = receiver.waiting.front();
      if (!receiver.isFilling) receiver.missing = elementsOf(point);
      receiver.isFilling = true;
      moved |= fill(state, receiver, point);
      if (receiver.missing > 0) break;
      receiver.isFilling = false;
      receiver.waiting.pop_front();
      out_.receivesOf[out_.firstReceiver[lane] + destination].push_back(point);
      happen(point);
      moved = true;
    }
    return moved;
  }

  bool fill(LaneState& state, Receiver& receiver, PointId point) {
    bool moved = false;
    while (receiver.transfer < state.transfers.size()) {
      Transfer& transfer = state.transfers[receiver.transfer];
      if (receiver.missing == 0 && transfer.elements > 0) break;
      int64_t part = std::min(receiver.missing, transfer.elements - receiver.taken);
      out_.arcs.push_back({transfer.send, point});
      receiver.missing -= part;
      receiver.taken += part;
      moved = true;
      if (receiver.taken < transfer.elements) break;
      receiver.taken = 0;
      state.takers[receiver.transfer++].push_back(point);
      --transfer.readers;
      while (state.taken < state.transfers.size() && state.transfers[state.taken].readers == 0)
        ++state.taken;
    }
    return moved;
  }

  // -- Affinity
  // ------------------------------------------------------------------------------------

  std::span<const uint64_t> locksOf(PointId acquire) const {
    const Point& point = in_.points[acquire];
    return std::span(in_.locks).subspan(point.firstLock, point.numLocks);
  }

  void acquire(PointId point) {
    std::span<const uint64_t> locks = locksOf(point);
    bool isFree = std::none_of(locks.begin(), locks.end(),
                               [&](uint64_t lock) { return held_.count(lock) != 0; });
    if (!isFree) return waitingForLocks_.push_back(point);
    for (uint64_t lock : locks)
      held_[lock] = true;
    happen(point);
  }

  void release(PointId acquirePoint) {
    for (uint64_t lock : locksOf(acquirePoint))
      held_.erase(lock);
    for (PointId waiting : std::exchange(waitingForLocks_, {}))
      acquire(waiting);
  }

  const Unfolding& in_;
  uint64_t rng_;
  Playback out_;
  graph::Digraph graph_;
  std::vector<uint32_t> pending_;
  std::vector<PointId> ready_;
  std::vector<LaneState> lanes_;
  uint32_t numReceivers_ = 0;
  std::unordered_map<PointId, uint64_t> numberOf_;  // of a send: how many its lane had with it
  std::map<uint64_t, bool> held_;
  std::vector<PointId> waitingForLocks_;
};

}  // namespace

Playback play(const Unfolding& unfolding, uint64_t seed) { return Player(unfolding, seed).play(); }

}  // namespace airlite::analysis
