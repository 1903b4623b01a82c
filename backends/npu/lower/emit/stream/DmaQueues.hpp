// What is known, while a runtime sequence is lowered, of the DMA channels it drives: which
// descriptors of a tile are taken, how many tasks may still stand in a queue, whose tokens have
// been waited for. Numbers only: nothing of the IR.
#pragma once

#include "airlite/npu/device/Device.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace airlite::npu {

/// A DMA channel of the array.
struct DmaPlace {
  Tile tile;
  DmaDirection direction = DmaDirection::S2mm;
  uint8_t channel = 0;

  TileKind kind() const { return kindOfRow(tile.row); }
  friend constexpr auto operator<=>(const DmaPlace&, const DmaPlace&) = default;
};

/// A task is a number of whoever keeps them.
using TaskId = unsigned;

/// The descriptors of one tile.
class BdPool {
 public:
  static constexpr int free = -1, reserved = -2;

  BdPool() { owners_.fill(free); }
  /// Part of the configuration: never given out.
  void reserve(unsigned bd) { owners_[bd] = reserved; }
  /// The task that holds `bd`, or one of the constants above.
  int owner(unsigned bd) const { return owners_[bd]; }
  void give(unsigned bd, TaskId task) { owners_[bd] = int(task); }
  /// The lowest free one in `bank`.
  std::optional<unsigned> firstFree(Range bank) const;
  unsigned countFree(Range bank) const;
  void release(TaskId task);

 private:
  std::array<int, 48> owners_;
};

/// What was pushed into the queue of one channel, in order. A channel ends its tasks in this order,
/// so that the end of one is the end of all before it.
class ChannelQueue {
 public:
  void push(TaskId task, bool issuesToken);
  /// Nothing less can be said of the tasks in the queue or running: at most so many.
  unsigned mayBeQueued() const;
  /// The queue was seen with room for one task.
  void sawRoom();
  /// How many tokens must be taken until that of the oldest waiting start of `task` has been. None:
  /// there is no such start.
  std::optional<unsigned> tokensUntil(TaskId task) const;
  bool awaitsToken() const;
  /// A token was taken: the oldest task with one is done. False: nobody issues one.
  bool takeToken();
  /// The program says that the task is done.
  void assumeDone(TaskId task);
  /// Whether a start of the task may be under way.
  bool isActive(TaskId task) const;
  /// Tasks that may be under way, the oldest first.
  std::vector<TaskId> active() const;

 private:
  struct Push {
    TaskId task;
    bool hasToken;  ///< one that nobody has taken yet
    bool isDone = false;
  };
  void finishUntil(size_t index);

  std::vector<Push> pushes_;
  unsigned mostQueued_ = taskQueueDepth;  ///< what the last look at the queue said
};

}  // namespace airlite::npu
