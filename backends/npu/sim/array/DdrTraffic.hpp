// One direction of the way between the shims and DDR, which all shims share. It serves requests one
// after the other, at a rate; what shims ask for above it waits. A request moves at most so many
// bytes, and a shorter one occupies the way as long: that is what makes short rows expensive.
// Source: docs/hardware/timing.md (DDR).
#pragma once

#include "airlite/npu/sim/array/Timing.hpp"
#include "sim/array/MemoryClient.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu::sim {

class DdrTraffic {
 public:
  /// `key`: a number of its own for each channel, the same in every run.
  void request(unsigned key, MemoryClient& client) { requests_.push_back({key, &client}); }
  bool isDirty() const { return !requests_.empty(); }
  /// Ends the cycle `now`: earlier requests go first, those of one cycle in turn.
  void settle(uint64_t now, const Timing& timing);
  /// That were served so far.
  uint64_t requests() const { return served_; }

 private:
  struct Request {
    unsigned key;
    MemoryClient* client;
  };
  std::vector<Request> requests_;
  unsigned lastServed_ = 0;
  uint64_t freeFrom_ = 0;  ///< in bytes: at its rate, the way moves that many until it is free
  uint64_t served_ = 0;
};

/// A contiguous run of words that a channel moves, cut into requests.
class DdrRun {
 public:
  /// Forgets the run: what follows begins another.
  void end() { words_ = 0; }
  /// The channel uses the word there. True: that is the first of a request.
  bool begins(uint64_t address, const Timing& timing) {
    const bool goesOn = words_ != 0 && address == next_ && words_ * 4 < timing.ddrRequestBytes;
    words_ = goesOn ? words_ + 1 : 1;
    next_ = address + 4;
    return !goesOn;
  }

 private:
  uint64_t next_ = 0;   ///< address after the last word
  unsigned words_ = 0;  ///< of the request so far
};

}  // namespace airlite::npu::sim
