// What a core does, and how long each part of it takes when nobody keeps it waiting: its program runs
// on the simulated core, alone, and every lock and word of a stream is there at once. Cores with the
// same program and memory share one trace. It is made as far as somebody asks, and no further than until
// the program comes back to a state in which it was: cores of designs repeat what they do for ever.
#pragma once

#include "sim/array/State.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>

namespace airlite::npu::sim::model {

/// Where a core depends on others.
struct CoreEvent {
  /// Nothing: the program goes on and has asked for nothing, for a long time.
  enum class Kind : uint8_t {
    Acquire,
    Release,
    StreamIn,
    StreamOut,
    CascadeIn,
    CascadeOut,
    Nothing,
    End
  };
  Kind kind = Kind::End;
  uint32_t cycles = 0;  ///< since the event before
  uint32_t programCounter = 0;
  unsigned lock = 0;  ///< as core code counts
  int value = 0;      ///< what is acquired, or added
  /// Since the event before, of each bank of the tile.
  std::array<uint32_t, Banks::count> accesses{};
  uint32_t bundles = 0, products = 0, bankStalls = 0;  ///< the same; stalls for banks of its own
};

class CoreTrace {
 public:
  explicit CoreTrace(TileState& tile);
  ~CoreTrace();

  /// The event with that number; none is after one that is End.
  const CoreEvent& at(size_t number);
  /// Why it ended; empty: the program has.
  const std::string& fault() const { return fault_; }
  /// Of one instruction of the matrix unit (CoreWork).
  unsigned mostProducts() const { return tile_.core->work().mostProducts; }

 private:
  class Host;
  void extend();
  void findPeriod();
  uint64_t stateHash() const;

  TileState& tile_;
  std::unique_ptr<Host> host_;
  std::deque<CoreEvent> events_;
  /// Of the place of the first event, and of events that are Nothing: by state.
  std::unordered_map<uint64_t, size_t> visits_;
  size_t period_ = 0;  ///< the last so many events come again and again; 0: not known
  std::string fault_;
};

}  // namespace airlite::npu::sim::model
