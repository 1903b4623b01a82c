// What a core does, and how long each part of it takes when nobody keeps it waiting: its program runs
// on the simulated core, alone, and every lock and word of a stream is there at once. Cores with the
// same program and memory share one trace. It is made as far as somebody asks.
#pragma once

#include "sim/array/State.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace airlite::npu::sim::model {

/// Where a core depends on others.
struct CoreEvent {
  enum class Kind : uint8_t { Acquire, Release, StreamIn, StreamOut, CascadeIn, CascadeOut, End };
  Kind kind = Kind::End;
  uint32_t cycles = 0;  ///< since the event before
  uint32_t programCounter = 0;
  unsigned lock = 0;  ///< as core code counts
  int value = 0;      ///< what is acquired, or added
  /// Since the event before, of each bank of the tile.
  std::array<uint32_t, Banks::count> accesses{};
};

class CoreTrace {
 public:
  explicit CoreTrace(TileState& tile);
  ~CoreTrace();

  /// The event with that number; the last one is End.
  const CoreEvent& at(size_t number);
  /// Why it ended; empty: the program has.
  const std::string& fault() const { return fault_; }
  CoreWork work() const { return tile_.core->work(); }
  /// Cycles in which the core stood for a bank that it uses itself.
  uint64_t bankStalls() const;

 private:
  class Host;
  void extend();

  TileState& tile_;
  std::unique_ptr<Host> host_;
  std::deque<CoreEvent> events_;
  std::string fault_;
};

}  // namespace airlite::npu::sim::model
