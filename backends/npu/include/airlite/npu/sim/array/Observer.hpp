// What can be watched of a run. The array looks at its parts after each cycle when it was given an
// observer, and tells what is different from the cycle before; without one it asks nothing.
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/sim/CoreHost.hpp"

#include <cstdint>
#include <string_view>

namespace airlite::npu::sim {

/// What a DMA channel does in a cycle.
enum class ChannelActivity : uint8_t {
  Idle,             ///< no task
  Starting,         ///< a task or a descriptor is being set up
  Moving,           ///< a word moved, between memory and the FIFO of the channel
  StalledOnLock,    ///< its descriptor acquires
  StalledOnStream,  ///< no word comes, or none can leave
  StalledOnMemory,  ///< its bank serves another client
  SendingToken,
};
constexpr unsigned channelActivityCount = unsigned(ChannelActivity::SendingToken) + 1;
/// "moving", "waits for a lock", ...: as reports say it.
std::string_view name(ChannelActivity activity);
std::string_view name(CoreState state);
constexpr unsigned coreStateCount = unsigned(CoreState::Faulted) + 1;

struct ChannelPlace {
  Tile tile;
  DmaDirection direction = DmaDirection::S2mm;
  unsigned channel = 0;
  friend constexpr auto operator<=>(const ChannelPlace&, const ChannelPlace&) = default;
};

/// Told of changes, in the cycle from which on they hold. What was not told of is as it was: at
/// first cores are disabled, channels idle, locks 0.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void core(Tile tile, uint64_t cycle, CoreState state, uint32_t programCounter) = 0;
  /// `bd` is the descriptor at work; of no meaning when idle.
  virtual void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
                       unsigned bd) = 0;
  virtual void lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) = 0;
};

/// Words that left a master of a switch so far, or that a channel moved.
struct PortTraffic {
  Tile tile;
  Port port;  ///< a master
  uint64_t words = 0;
};
struct ChannelTraffic {
  ChannelPlace place;
  uint64_t words = 0;
};

}  // namespace airlite::npu::sim
