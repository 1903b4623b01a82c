// Which packet channels route by header: classification by volume, and the chains that forward.
#pragma once

#include "airlite/dialect/Air.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace airlite {

/// How what a channel carries is spread over its destinations.
enum class PacketKind {
  Single,     // there is one
  Broadcast,  // each takes all of it
  Demux,      // they divide it
  Unknown,
};

struct PacketChannel {
  air::ChannelOp op;
  std::vector<Operation*> puts, gets;
  PacketKind kind = PacketKind::Unknown;
  unsigned destinations = 1;
  /// Channels that send on, unchanged, what a get of this one has received.
  std::vector<size_t> next;
  /// Of a demux: the channels that must let its ids pass, in the order that packets travel.
  std::vector<size_t> hops;
  /// Of a hop: its demux.
  std::optional<size_t> demux;

  bool namesDestination() const;
  std::vector<int64_t> packetIds() const;
};

/// The `dest` operand of a put; null when it has none.
Value destinationOf(Operation& put);

/// The channels of type npu_dma_packet of a module. Forwarding is found in program order: a get
/// into a buffer, then a put of it, and no other write in between.
class PacketRouting {
 public:
  explicit PacketRouting(Operation& module);
  std::vector<PacketChannel>& channels() { return channels_; }
  /// The channel of an access.
  const PacketChannel* find(Operation& access) const;
  /// The last op before `put`, in its block or in an execute there, that writes what it sends.
  Operation* payloadWriter(Operation& put) const;

 private:
  struct Write {
    size_t at;
    Operation* op;
    bool isGet;
  };
  void collect(Operation& module);
  void recordWrites(Operation& op, size_t at);
  void classify(PacketChannel& channel) const;
  void connect();
  void findHops(size_t demux);
  std::vector<std::pair<size_t, unsigned>> upstream(size_t demux, bool keepOnly) const;

  std::vector<PacketChannel> channels_;
  std::unordered_map<Operation*, size_t> byOp_;           // channel op
  std::unordered_map<Operation*, size_t> order_;          // in the program
  std::unordered_map<Value, std::vector<Write>> writes_;  // by buffer
};

}  // namespace airlite
