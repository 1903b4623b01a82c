// A DMA channel of the performance model: the states of array/Channel.hpp, with all words of a
// descriptor at once.
#pragma once

#include "airlite/npu/device/BufferDescriptor.hpp"
#include "airlite/npu/device/StreamWords.hpp"
#include "airlite/npu/sim/array/Array.hpp"
#include "airlite/npu/sim/array/Observer.hpp"
#include "sim/array/Banks.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

namespace airlite::npu::sim {
struct TileState;
}

namespace airlite::npu::sim::model {

class Model;

/// Of each bank of a core tile.
using BankAccesses = std::array<double, Banks::count>;

class ChannelModel {
 public:
  ChannelModel(Model& model, TileState& tile, DmaDirection direction, unsigned number, uint32_t id,
               uint32_t end)
      : model_(model), tile_(tile), place_{{}, direction, number}, id_(id), end_(end) {}

  void push(const QueueEntry& entry);
  /// Its time has come, or its lock.
  void turn();
  /// All words of the descriptor have moved.
  void ended();
  /// Words that moved between two cycles, for observers.
  void moved(uint64_t from, uint64_t to, double words);

  /// Whether it waits for something, and for what.
  std::optional<Wait> wait() const;
  uint64_t words() const { return words_; }
  uint64_t requests() const { return requests_; }
  const BankAccesses& accesses() const { return accesses_; }
  ChannelPlace place() const;
  uint32_t end() const { return end_; }

 private:
  enum class State : uint8_t { Idle, Starting, Acquiring, Moving, Releasing, Token };

  bool isSender() const { return place_.direction == DmaDirection::Mm2s; }
  void takeTask();
  void loadBd();
  void startMoving();
  void goOn();
  void sendToken();
  void wakeIn(uint64_t cycles);
  void tell(uint64_t cycle, ChannelActivity activity);

  Model& model_;
  TileState& tile_;
  ChannelPlace place_;
  uint32_t id_, end_;
  std::deque<QueueEntry> queue_;
  State state_ = State::Idle;
  bool hasRun_ = false;
  QueueEntry task_;
  unsigned runsLeft_ = 0, bdId_ = 0;
  std::optional<BufferDescriptor> bd_;
  uint64_t requestsOfBd_ = 0;
  uint64_t words_ = 0, requests_ = 0;
  BankAccesses accesses_{};        ///< so far
  BankAccesses accessesOfWord_{};  ///< of a word of the descriptor, on average
  ChannelActivity told_ = ChannelActivity::Idle;
  unsigned toldBd_ = 0;
};

/// How often a word of a descriptor asks for each bank of a core tile: once for a line of 16 bytes.
BankAccesses bankAccessesOf(const BufferDescriptor& bd, Generation generation);

/// Words of a descriptor that follow each other in memory without a gap.
uint64_t contiguousWords(const BufferDescriptor& bd);

}  // namespace airlite::npu::sim::model
