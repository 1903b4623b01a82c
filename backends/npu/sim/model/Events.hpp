// What happens next in the performance model, in the order of time.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

namespace airlite::npu::sim::model {

/// Whose turn it is.
enum class Turn : uint8_t { Streams, Channel, Core };

struct Event {
  uint64_t cycle = 0;
  uint64_t order = 0;  ///< events of a cycle come in the order in which they were made
  Turn turn = Turn::Streams;
  uint32_t number = 0;
  /// Of a group of streams: what it was when the event was made. Another one makes it void.
  uint64_t version = 0;
};

class Events {
 public:
  void add(uint64_t cycle, Turn turn, uint32_t number, uint64_t version = 0) {
    queue_.push({cycle, count_++, turn, number, version});
  }
  bool isEmpty() const { return queue_.empty(); }
  const Event& next() const { return queue_.top(); }
  void drop() { queue_.pop(); }

 private:
  struct IsLater {
    bool operator()(const Event& a, const Event& b) const {
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.order > b.order;
    }
  };
  std::priority_queue<Event, std::vector<Event>, IsLater> queue_;
  uint64_t count_ = 0;
};

}  // namespace airlite::npu::sim::model
