// Looks at the parts of an array after a cycle, and tells an observer what has changed.
#pragma once

#include "airlite/npu/sim/array/Observer.hpp"

#include <cstdint>
#include <vector>

namespace airlite::npu::sim {

struct ArrayState;
struct TileState;
class Channel;

class Sampler {
 public:
  Sampler(const ArrayState& array, Observer& observer);
  /// The cycle `now` is over.
  void sample(uint64_t now);

 private:
  struct SeenChannel {
    ChannelActivity activity = ChannelActivity::Idle;
    unsigned bd = 0;
    uint64_t words = 0;
  };
  struct SeenTile {
    CoreState core = CoreState::Disabled;
    uint64_t bankStalls = 0;
    std::vector<SeenChannel> channels;
    std::vector<uint8_t> locks;
  };
  void sampleTile(const TileState& tile, SeenTile& seen, uint64_t now);
  void sampleCore(const TileState& tile, SeenTile& seen, uint64_t now);
  void sampleChannel(const TileState& tile, const Channel& channel, SeenChannel& seen,
                     uint64_t now);
  void sampleLocks(const TileState& tile, SeenTile& seen, uint64_t now);

  const ArrayState& array_;
  Observer& observer_;
  std::vector<SeenTile> seen_;
};

}  // namespace airlite::npu::sim
