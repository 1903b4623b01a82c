// What can be watched of a run. The array looks at its parts after each cycle when it was given an
// observer, and tells what is different from the cycle before; without one it asks nothing.
//
//   class Starts : public Observer {
//     void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
//                  const Origin& origin) override;
//   };
#pragma once

#include "airlite/npu/device/Device.hpp"
#include "airlite/npu/device/StreamSwitch.hpp"
#include "airlite/npu/sim/CoreHost.hpp"

#include <cstdint>
#include <optional>
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

/// What the firmware does, which runs the runtime stream.
enum class StreamActivity : uint8_t {
  Idle,      ///< there is no stream
  Commands,  ///< it writes, and starts tasks
  Waiting,   ///< for a token, or for what it polls
};
constexpr unsigned streamActivityCount = unsigned(StreamActivity::Waiting) + 1;
/// "moving", "waits for a lock", ...: as reports say it.
std::string_view name(ChannelActivity activity);
std::string_view name(CoreState state);
std::string_view name(StreamActivity activity);
constexpr unsigned coreStateCount = unsigned(CoreState::Faulted) + 1;

/// The instruction, descriptor or operation that a wait or fault comes from, as far as it is known.
/// A map from words and instructions to source lines (image/LocationMap.hpp) gives its line.
struct Origin {
  std::optional<uint32_t> programCounter;  ///< of the tile's core, bytes
  std::optional<unsigned> bd;              ///< number of a descriptor of the tile
  /// Operation of the runtime stream: the one that runs, or that wrote the descriptor.
  std::optional<uint32_t> operation;
  friend auto operator<=>(const Origin&, const Origin&) = default;
};

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
  /// `origin` is the descriptor at work, and what wrote it; empty when there is none.
  virtual void channel(const ChannelPlace& place, uint64_t cycle, ChannelActivity activity,
                       const Origin& origin) = 0;
  virtual void lock(Tile tile, unsigned lock, uint64_t cycle, unsigned value) = 0;
  /// An operation of the runtime stream begins, which `origin` names; Idle: the stream has ended.
  virtual void stream(uint64_t cycle, StreamActivity activity, const Origin& origin) {
    static_cast<void>(cycle), static_cast<void>(activity), static_cast<void>(origin);
  }
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
