// What ranks in several processes see of each other, on a board: memory that the host hands to them,
// globals, the symmetric heap, and lanes of channels.
#pragma once

#include "Board.hpp"
#include "Channels.hpp"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace airlite::interp {

/// The outermost op around `op`, or itself.
Operation* moduleAround(Operation* op);

class SharedStore {
 public:
  explicit SharedStore(Board board) : board_(board) {}

  Board& board() { return board_; }
  /// Gives each op around and inside of the module of `op` the number that it has in each process.
  void numberOps(Operation* op);
  /// All see the memory from here on. False: memory that cannot be seen by several processes.
  bool share(const std::shared_ptr<Memory>& memory);
  /// All see the channel from here on.
  void share(ChannelState& channel);
  /// Memory of the symmetric heap, number `number` of its op in the air.rank `group`: the parts of
  /// all ranks.
  std::vector<std::shared_ptr<Memory>> symmetric(Operation* op, uint64_t group, uint32_t number,
                                                 uint32_t count, const Memory& fresh);
  /// All see that `op` has freed memory that they share.
  void noteFreed(Memory& memory, const Operation& op);
  /// Who has freed it; null: nobody.
  Operation* freedBy(const Memory& memory) const;
  /// What was handed out is this process's own again, as it is now.
  void takeBack();
  void takeBack(ChannelState& channel);

 private:
  void placeAt(Memory& memory, uint64_t offset, size_t bytes);

  Board board_;
  std::shared_ptr<std::unordered_map<const Operation*, uint64_t>> numbers_;
  std::vector<std::shared_ptr<Memory>> handedOut_;
  uint64_t epoch_ = 0;  // how often it was taken back: names are new ones after that
};

/// While this lives nobody else reads, modifies and writes memory that processes share.
class AtomicTurn {
 public:
  AtomicTurn(Run& run, const Memory& memory);

 private:
  std::optional<Board::Lock> lock_;
};

/// While this lives, a lane is for this process alone. One that processes share is as the last of
/// them has left it.
class LaneHold {
 public:
  LaneHold(Run& run, ChannelLane& lane);
  LaneHold(const LaneHold&) = delete;
  LaneHold& operator=(const LaneHold&) = delete;
  /// The others have to see what it holds now.
  void store();

 private:
  Board* board_ = nullptr;  // of a lane that is shared
  ChannelLane& lane_;
  std::optional<Board::Lock> lock_;
};

/// What a lane holds, as bytes.
std::vector<std::byte> bytesOfLane(const ChannelLane& lane);
void readLane(ChannelLane& lane, std::span<const std::byte> bytes);

}  // namespace airlite::interp
