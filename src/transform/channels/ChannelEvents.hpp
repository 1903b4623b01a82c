// The transfers of channels within a launch, one by one, as ids and loops decide them.
#pragma once

#include "airlite/dialect/Air.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace airlite::air {

/// A core of a herd, or a segment or launch, whose body is one process as well.
struct Process {
  Operation* level = nullptr;
  size_t core = 0;  // row by row: x * sizeY + y
  bool operator==(const Process&) const = default;
};

/// One put or get of one core.
struct ChannelEvent {
  Operation* op = nullptr;
  Process core;
  std::vector<int64_t> runs;   // of the loops around it in the process, outermost first
  std::vector<int64_t> place;  // of the channel
  int64_t elements = 0;        // that it moves
  int64_t number = 0;          // of the transfers through this place, in order
  int64_t start = 0;           // of its elements among all that go through this place
};

/// What is read of one channel.
struct ChannelEvents {
  std::vector<ChannelEvent> puts, gets;
  int64_t most = 0;  // elements through one place
};

/// Cores of a herd in both dimensions; one of other levels.
std::optional<std::pair<int64_t, int64_t>> sizesOf(HierarchyOp level);
/// The innermost level around `op`.
Operation* levelAround(Operation& op);

/// Follows each process of some levels through the loops and conditions that hold transfers. The ids,
/// constants and numbers of loops have to decide all of them, at most 65,536 transfers.
class EventReader {
 public:
  /// `scope`, where there is one, holds all of them: one run of it is followed, not all of the process.
  explicit EventReader(const std::vector<Operation*>& accesses, Block* scope = nullptr);

  /// False: `reason` says why not, `place` at which op.
  bool read();
  ChannelEvents& of(Operation* channel) { return events_.at(channel); }
  const std::string& reason() const { return reason_; }
  Operation* place() const { return place_; }

  /// The number of `value` on the core that is followed, as far as it is known.
  std::optional<int64_t> operator()(Value value);
  /// Starts to follow a process.
  void enter(HierarchyOp level, size_t core);

 private:
  bool refuse(Operation& at, std::string reason);
  bool follow(Block& block);
  bool followLoop(Operation& op);
  bool record(Operation& op);
  bool number(ChannelOp channel, ChannelEvents& events);

  std::vector<Operation*> accesses_;
  Block* scope_;
  std::vector<Operation*> levels_;
  std::unordered_set<Operation*> around_;  // ops that hold an access
  std::map<Operation*, ChannelEvents> events_;
  std::unordered_map<Value, int64_t> known_;
  std::vector<int64_t> runs_;
  Process core_;
  size_t count_ = 0;
  std::string reason_;
  Operation* place_ = nullptr;
};

}  // namespace airlite::air
