// Moves the words of one buffer descriptor after the other between memory and the FIFO of a channel.
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "sim/array/Banks.hpp"
#include "sim/array/BdCursor.hpp"
#include "sim/array/ChannelControl.hpp"
#include "sim/array/Compression.hpp"
#include "sim/array/DdrTraffic.hpp"
#include "sim/array/Fifo.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace airlite::npu::sim {

struct TileState;

/// One class: reading, writing and the compression of both move the same words between one cursor and one
/// FIFO, cycle by cycle.
class BdMover {
 public:
  /// `key`: of the channel, among those that ask for banks and locks.
  BdMover(TileState& tile, DmaDirection direction, unsigned key);

  Fifo<Flit>& fifo() { return fifo_; }
  const Fifo<Flit>& fifo() const { return fifo_; }
  /// Loses what is in the FIFO.
  void reset();

  /// A text: the model does not know what this descriptor would do.
  std::optional<std::string> load(const BufferDescriptor& bd, unsigned id,
                                  const ChannelControl& control);
  const BufferDescriptor& bd() const { return *bd_; }

  enum class Step : uint8_t { Goes, Done, Fault };
  /// One cycle. Done: the last word of the descriptor has moved. Fault: see `error`.
  Step move();
  const std::string& error() const { return error_; }
  /// Counts the runs of the descriptor, in its own words.
  void countIteration();

  int64_t left() const { return left_; }
  int64_t arriving() const { return arriving_; }
  bool compresses() const { return compresses_; }
  uint64_t words() const { return words_; }
  /// For a bank, or for DDR.
  bool waitsForMemory(uint64_t now) const { return memory_.blockedUntil > now; }
  /// Words of a compressed block have come that are not yet in memory.
  bool hasUnpacked() const { return compresses_ && left_ > arriving_; }

 private:
  bool isSender() const { return direction_ == DmaDirection::Mm2s; }
  unsigned depth() const;
  std::optional<std::string> wrongCompression(const BufferDescriptor& bd) const;
  uint8_t* wordAt(int64_t offset);
  uint8_t* useBank(TileState& owner, int64_t byte);
  uint8_t* useDdr(uint64_t address);
  std::optional<uint32_t> fromMemory();
  bool toMemory(uint32_t word);
  bool hasCome(int64_t words, bool isLast);
  bool takePacked();
  Step sendHeader();
  Step readWord();
  Step sendPacked();
  Step writeWord();
  Step writeUnpacked();
  Step ended() const { return left_ == 0 ? Step::Done : Step::Goes; }
  Step fault(std::string text) { return error_ = std::move(text), Step::Fault; }

  TileState& tile_;
  DmaDirection direction_;
  unsigned key_;
  Fifo<Flit> fifo_;
  std::optional<BufferDescriptor> bd_;
  unsigned bdId_ = 0;
  BdCursor cursor_;
  int64_t left_ = 0;      ///< words of this BD between memory and here
  int64_t arriving_ = 0;  ///< words of this BD that have not come by the stream, unpacked
  bool isOutOfOrder_ = false;
  bool finishesOnTlast_ = false;
  bool compresses_ = false;
  bool needsHeader_ = false;
  BlockShape shape_;
  Compressor compressor_;
  Decompressor decompressor_;
  int64_t sent_ = 0;    ///< of this channel, for the rate of the shim
  uint64_t words_ = 0;  ///< that moved between memory and the FIFO so far
  MemoryClient memory_;
  DdrRun ddrRun_;
  TileState* owner_ = nullptr;     ///< whose memory its last access was to; null: DDR
  const uint8_t* line_ = nullptr;  ///< the 16 bytes that its last access to a bank brought
  std::string error_;
};

}  // namespace airlite::npu::sim
