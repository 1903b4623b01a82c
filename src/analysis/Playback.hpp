// Plays an unfolding: points happen when all that leads to them has, puts and gets when their
// channel lets them. What is left when nothing can happen is stuck.
#pragma once

#include "airlite/analysis/Unfolding.hpp"

namespace airlite::analysis {

struct Playback {
  std::vector<PointId> order;  // as they happened
  std::vector<bool> happened;
  std::vector<bool> ready;       // all that leads to it has happened; it may wait for a channel
  std::vector<graph::Arc> arcs;  // that channels add, as data moved in this play
  /// Several processes send to (receive from) one place in no fixed order, or hold one lock:
  /// another play may go another way. Found by the caller, who knows what is ordered.
  std::vector<std::vector<PointId>> sendsOf;     // of each lane, as they happened
  std::vector<std::vector<PointId>> receivesOf;  // of each lane and destination, as they happened
  std::vector<uint32_t> firstReceiver;           // of each lane: its place in receivesOf

  bool isStuck() const { return order.size() != happened.size(); }
};

/// `seed`: in which order what may happen happens. O(points + arcs).
Playback play(const Unfolding& unfolding, uint64_t seed);

}  // namespace airlite::analysis
