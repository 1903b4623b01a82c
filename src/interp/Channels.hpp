// Channels while a program runs: one lane for each place of a channel array, each a queue of
// transfers.
#pragma once

#include "Access.hpp"
#include "Board.hpp"
#include "airlite/dialect/Air.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace airlite::interp {

struct Transfer {
  Piece piece;
  uint64_t times = 1;    // that the piece is sent
  uint32_t readers = 0;  // destinations that have not taken all of it
  int64_t only = -1;     // of a packet: the one destination that takes it
};

/// Where a destination is in the stream of transfers.
struct Cursor {
  uint64_t transfer = 0;
  size_t byte = 0;
  bool operator==(const Cursor&) const = default;
};

struct ChannelLane {
  air::ChannelOp channel;
  std::vector<int64_t> index;
  uint64_t depth = 1;
  std::deque<Transfer> queue;
  uint64_t taken = 0;  // transfers that all destinations have taken
  uint64_t sent() const { return taken + queue.size(); }
  std::vector<Cursor> destinations;
  std::vector<Process*> waiters;
  /// What it is called on the board of ranks in several processes; else it is this one's alone.
  std::optional<BoardKey> shared;
};

struct ChannelState {
  air::ChannelOp channel;
  std::vector<int64_t> sizes;  // of the sending side
  std::vector<int64_t> shape;  // of the receiving side, as many dimensions
  std::vector<ChannelLane> lanes;
};

/// The channel that all share where no launch has its own.
ChannelState& channelOf(Machine& machine, air::ChannelOp channel, uint32_t launch = 0);

/// "@c[0, 1]".
std::string laneText(const ChannelLane& lane);

}  // namespace airlite::interp
