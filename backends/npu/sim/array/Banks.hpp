// The banks of a core tile's memory: who asked for which in this cycle, and who has to wait. All
// requests of a cycle are served at once, and the losers pay in the next cycles, so that the order
// in which tiles are stepped does not matter. Source: docs/hardware/timing.md (measured: round
// robin, a loser stalls one cycle).
#pragma once

#include "sim/array/MemoryClient.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace airlite::npu::sim {

class Banks {
 public:
  static constexpr unsigned count = 8;

  /// `key`: a number of its own for each client of the bank, the same in every run.
  void request(unsigned bank, unsigned key, MemoryClient& client) {
    requests_.push_back({bank, key, &client});
  }
  bool isDirty() const { return !requests_.empty(); }
  /// Ends the cycle `now`. A bank serves one request in a cycle: those of earlier cycles first, of
  /// one cycle the first after the last that was served. Who is served later stalls until then.
  void settle(uint64_t now);

 private:
  struct Request {
    unsigned bank;
    unsigned key;
    MemoryClient* client;
  };
  std::vector<Request> requests_;
  std::array<unsigned, count> lastServed_{};
  std::array<uint64_t, count> freeFrom_{};
};

}  // namespace airlite::npu::sim
