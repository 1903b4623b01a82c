// The locks of all tiles, and who waits for them, in the order in which they came.
#pragma once

#include "airlite/npu/device/Tile.hpp"
#include "airlite/npu/sim/array/Observer.hpp"
#include "sim/model/Events.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace airlite::npu::sim::model {

class LockTable {
 public:
  LockTable(Events& events, Observer* observer) : events_(events), observer_(observer) {}

  /// By configuration.
  void set(Tile tile, unsigned lock, int value, uint64_t now) {
    Lock& there = locks_[{tile, lock}];
    there.value = value;
    tell(tile, lock, there, now);
    grant(tile, lock, there, now);
  }
  int value(Tile tile, unsigned lock) const {
    const auto found = locks_.find({tile, lock});
    return found == locks_.end() ? 0 : found->second.value;
  }
  /// As in LockClient: below 0, at least so many are taken; else the lock has to hold just that. It is
  /// the turn of who asks once it holds.
  void acquire(Tile tile, unsigned lock, int value, uint64_t now, Turn turn, uint32_t number) {
    Lock& there = locks_[{tile, lock}];
    there.waiting.push_back({turn, number, value});
    grant(tile, lock, there, now);
  }
  void release(Tile tile, unsigned lock, int change, uint64_t now) {
    Lock& there = locks_[{tile, lock}];
    there.value += change;
    tell(tile, lock, there, now);
    grant(tile, lock, there, now);
  }

 private:
  struct Waiter {
    Turn turn;
    uint32_t number;
    int value;
  };
  struct Lock {
    int value = 0;
    std::deque<Waiter> waiting = {};
  };

  void tell(Tile tile, unsigned lock, const Lock& there, uint64_t now) {
    if (observer_) observer_->lock(tile, lock, now, unsigned(there.value));
  }
  /// Requests are answered at the end of their cycle.
  void grant(Tile tile, unsigned lock, Lock& there, uint64_t now) {
    for (size_t i = 0; i < there.waiting.size();) {
      const Waiter waiter = there.waiting[i];
      const bool takes = waiter.value < 0;
      if (takes ? there.value < -waiter.value : there.value != waiter.value) {
        ++i;
        continue;
      }
      there.waiting.erase(there.waiting.begin() + ptrdiff_t(i));
      if (takes) there.value += waiter.value, tell(tile, lock, there, now);
      events_.add(now + 1, waiter.turn, waiter.number);
    }
  }

  Events& events_;
  Observer* observer_;
  std::map<std::pair<Tile, unsigned>, Lock> locks_;
};

}  // namespace airlite::npu::sim::model
