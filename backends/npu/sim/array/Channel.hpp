// One DMA channel: its queue of tasks, the BD it works on, and the FIFO between memory and stream.
#pragma once

#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Observer.hpp"
#include "sim/array/Banks.hpp"
#include "sim/array/BdCursor.hpp"
#include "sim/array/Compression.hpp"
#include "sim/array/Fifo.hpp"
#include "sim/array/Locks.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace airlite::npu::sim {

struct TileState;

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
  bool isDone() const { return state_ == State::Idle && queue_.empty() && fifo_.isEmpty(); }

  uint32_t status() const;
  /// What it waits for; none when it is done or goes on.
  std::optional<Wait> wait() const;
  std::string name() const;
  DmaDirection direction() const { return direction_; }
  unsigned number() const { return number_; }
  /// No task, and nothing left of one.
  bool isIdle() const { return state_ == State::Idle && queue_.empty(); }
  unsigned bd() const { return bdId_; }
  /// That moved between memory and its FIFO so far.
  uint64_t words() const { return words_; }
  /// What it did in a cycle in which a word moved, or none.
  ChannelActivity activity(bool moved) const;
  /// Whether the descriptors of the task that runs, from the one at work on, release that lock.
  bool willRelease(Tile owner, unsigned lock);

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

  unsigned depth() const;  ///< of its FIFO
  void reset();
  bool isSender() const { return direction_ == DmaDirection::Mm2s; }
  void takeTask();
  void startRun();
  void takeHeader();
  std::optional<std::string> wrongCompression(const BufferDescriptor& bd) const;
  bool isPacket(const BufferDescriptor& bd) const;
  void loadBd();
  void startMoving();
  void moveWord();
  void sendHeader();
  std::optional<uint32_t> fromMemory();
  void readWord();
  void sendPacked();
  bool toMemory(uint32_t word);
  bool hasCome(int64_t words, bool isLast);
  void writeWord();
  void writeUnpacked();
  bool takePacked();
  void endBd();
  void endRelease();
  void endTask();
  void sendToken();
  void exchange();  ///< between its FIFO and the switch
  uint8_t* wordAt(int64_t offset);
  uint8_t* useBank(TileState& owner, int64_t byte);
  void countIteration();
  void fault(std::string text);
  Origin origin() const;
  unsigned key() const;
  Tile memTile(int64_t window) const;
  Tile lockTile(unsigned lock, unsigned& number) const;
  bool releases(const BufferDescriptor& bd, Tile owner, unsigned lock) const;
  bool someBdReleases(Tile owner, unsigned lock);
  bool isPaused() const;

  TileState& tile_;
  DmaDirection direction_;
  unsigned number_;
  std::optional<unsigned> port_;  ///< of the switch; a shim's multiplexer may change it
  std::deque<QueueEntry> queue_;
  Fifo<Flit> fifo_;
  State state_ = State::Idle;
  uint64_t until_ = 0;
  uint8_t controllerId_ = 0;
  bool isHeld_ = false;  ///< in reset
  bool isOutOfOrder_ = false;
  bool mayCompress_ = false;  ///< or decompress, where BDs say so
  bool pausesMemory_ = false, pausesStream_ = false;
  bool hasRun_ = false;

  QueueEntry task_;
  unsigned runsLeft_ = 0;
  unsigned bdId_ = 0;
  std::optional<BufferDescriptor> bd_;
  BdCursor cursor_;
  int64_t left_ = 0;      ///< words of this BD between memory and here
  int64_t arriving_ = 0;  ///< words of this BD that have not come by the stream, unpacked
  bool compresses_ = false;
  BlockShape shape_;
  Compressor compressor_;
  Decompressor decompressor_;
  int64_t sent_ = 0;  ///< of this channel, for the rate of the shim
  uint64_t words_ = 0;
  bool needsHeader_ = false;
  LockClient lock_;
  BankClient banks_;
  const uint8_t* line_ = nullptr;  ///< the 16 bytes that its last access to a bank brought
};

}  // namespace airlite::npu::sim
