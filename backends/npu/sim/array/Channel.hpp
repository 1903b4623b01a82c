// One DMA channel: its queue of tasks, and what it does for one descriptor after the other. BdMover
// moves the words.
#pragma once

#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Observer.hpp"
#include "sim/array/BdMover.hpp"
#include "sim/array/ChannelControl.hpp"
#include "sim/array/Locks.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace airlite::npu::sim {

struct TileState;

/// One class: one state decides what a cycle does and what the channel reports about itself.
class Channel {
 public:
  Channel(TileState& tile, DmaDirection direction, unsigned number);

  /// A write to the start queue. A text: there is no room, or no such task.
  std::optional<std::string> push(uint32_t word);
  std::optional<std::string> setControl(uint32_t word);

  void step();
  /// Whether a step could do anything, but for words that come by the switch.
  bool isBusy() const;
  /// Waits for time alone.
  bool ripens() const;
  bool isDone() const { return state_ == State::Idle && queue_.empty() && mover_.fifo().isEmpty(); }

  uint32_t status() const;
  /// What it waits for; none when it is done or continues.
  std::optional<Wait> wait() const;
  std::string name() const;
  DmaDirection direction() const { return direction_; }
  unsigned number() const { return number_; }
  /// No task, and nothing left of one.
  /// Words that it has received and no descriptor has taken; 0 of one that sends.
  unsigned wordsWaiting() const;
  bool isIdle() const { return state_ == State::Idle && queue_.empty(); }
  unsigned bd() const { return bdId_; }
  /// The descriptor at work, and the operation of the stream that wrote it.
  Origin origin() const;
  /// That moved between memory and its FIFO so far.
  uint64_t words() const { return mover_.words(); }
  /// What it did in a cycle in which a word moved, or none.
  ChannelActivity activity(bool moved) const;
  /// Whether the descriptors of the task that runs, from the one at work on, release that lock.
  bool willRelease(Tile owner, unsigned lock);
  const ChannelControl& control() const { return control_; }
  /// The tasks that wait, which it has no more.
  std::deque<QueueEntry> takeQueue() { return std::exchange(queue_, {}); }

 private:
  enum class State : uint8_t {
    Idle,
    Starting,
    AwaitingPacket,
    Acquiring,
    Moving,
    Releasing,
    Token
  };

  void reset();
  bool isSender() const { return direction_ == DmaDirection::Mm2s; }
  void takeTask();
  void startRun();
  void takeHeader();
  bool isPacket(const BufferDescriptor& bd) const;
  void loadBd();
  void startMoving();
  void moveWord();
  void endBd();
  void endRelease();
  void endTask();
  void sendToken();
  void exchange();  ///< between its FIFO and the switch
  void fault(std::string text);
  unsigned key() const;
  bool isPaused() const;

  TileState& tile_;
  DmaDirection direction_;
  unsigned number_;
  std::optional<unsigned> port_;  ///< of the switch; a shim's multiplexer may change it
  std::deque<QueueEntry> queue_;
  ChannelControl control_;
  BdMover mover_;
  State state_ = State::Idle;
  uint64_t until_ = 0;
  bool hasRun_ = false;

  QueueEntry task_;
  unsigned runsLeft_ = 0;
  unsigned bdId_ = 0;
  LockClient lock_;
};

}  // namespace airlite::npu::sim
