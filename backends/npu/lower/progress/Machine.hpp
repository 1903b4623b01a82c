// A design that runs, seen from outside of its data: locks, streams and the tasks of DMA channels.
// Words have no values and nothing takes time, so all that can happen happens, in bulk.
//
// Why that decides: each lock is counted, each end of a stream has one reader, each channel works in
// order, so what moves first makes no difference to how far all get. docs/npu_progress.md says what
// is left out.
#pragma once

#include "airlite/dialect/Aie.hpp"

#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace airlite::npu::progress {

/// A port of a tile. Tiles whose place is open are told apart by their op.
struct PortKey {
  const Operation* openTile = nullptr;
  int64_t column = 0, row = 0;
  aie::Bundle bundle{};
  int64_t channel = 0;
  bool isSource = false;
  auto tied() const { return std::tuple(openTile, column, row, bundle, channel, isSource); }
  bool operator<(const PortKey& other) const { return tied() < other.tied(); }
  bool operator==(const PortKey& other) const { return tied() == other.tied(); }
};
PortKey portOf(aie::TileOp tile, aie::Bundle bundle, int64_t channel, bool isSource);
PortKey portOf(aie::TileOp tile, aie::Channel channel);

/// Who is woken when something changes.
using ProcessId = int;
inline constexpr ProcessId kNobody = -1;

/// Where streams end: words that have arrived and are not taken.
struct Sink {
  PortKey port;
  int64_t capacity = 0;  // words under way between the two ends
  int64_t stored = 0;
  int64_t asked = 0;                    // that the reader takes as soon as they come
  ProcessId reader = kNobody;           // waits for words
  int sender = -1;                      // the stream whose packet is under way
  std::vector<ProcessId> writers = {};  // wait for room
};

/// From one port to one or several; packets of one id are a stream of their own.
struct Stream {
  PortKey source;
  std::optional<int64_t> packet = std::nullopt;
  int64_t headerWords = 0;  // of each packet, that arrive with it
  std::vector<int> sinks = {};
};

struct LockState {
  int64_t value = 0;
  std::vector<ProcessId> waiting = {};
};

/// What a descriptor does: takes a lock, moves words, gives a lock.
struct Descriptor {
  Operation* op = nullptr;  // aie.dma_bd
  aie::UseLockOp acquire, release;
  int64_t words = 0;
  std::optional<int64_t> packet = std::nullopt;
  int next = -1;  // in the chain
};

/// A chain of descriptors that runs once or several times.
struct ChannelTask {
  std::vector<Descriptor> chain;
  int64_t runs = 1;
  bool isDone = false;
  std::vector<ProcessId> waiting = {};  // for its end
  Operation* op = nullptr;              // that starts it
};

/// Why something does not go on.
struct Wait {
  enum Kind : uint8_t { Nothing, Lock, Words, Room, TaskEnd, QueueRoom, NoTask, Ended };
  Kind kind = Nothing;
  Operation* at = nullptr;      // the op that waits
  Operation* lock = nullptr;    // Lock: aie.lock
  int64_t needs = 0;            // Lock: the value; Words: how many
  int sink = -1;                // Words, Room
  int channel = -1;             // TaskEnd, QueueRoom
  ChannelTask* task = nullptr;  // TaskEnd
};

/// Locks and streams, and who waits for them.
class Machine {
 public:
  /// What may still move, in the order in which it became so.
  std::deque<ProcessId> ready;
  /// The first of them; it may be woken again from now on.
  ProcessId takeReady();

  void wake(ProcessId process);
  void wakeAll(std::vector<ProcessId>& processes);

  LockState& lock(Operation& op) { return locks_[&op]; }
  /// Takes the lock if it can be taken; otherwise `process` waits for it.
  bool acquire(aie::UseLockOp use, int64_t value, ProcessId process);
  void release(aie::UseLockOp use, int64_t value);

  int sinkAt(const PortKey& port, int64_t capacity);
  Sink& sink(int number) { return sinks_[static_cast<size_t>(number)]; }
  int addStream(Stream stream);
  Stream& stream(int number) { return streams_[static_cast<size_t>(number)]; }
  const std::vector<Stream>& streams() const { return streams_; }
  /// The stream of a source, of its packets with that id; -1: none.
  int streamFrom(const PortKey& source, std::optional<int64_t> packet) const;
  int findSink(const PortKey& port) const;

  /// Sends up to `words`; returns how many went. The first of a packet takes the ends for it, the
  /// last (`isLast`: no more come after these) gives them back. Where `process` is left waiting,
  /// `blocking` is the end that has no room.
  int64_t send(int stream, int64_t words, bool isFirst, bool isLast, ProcessId process,
               int& blocking);
  /// Takes up to `words` that have arrived; `process` waits for the others.
  int64_t take(int sink, int64_t words, ProcessId process);

 private:
  std::map<Operation*, LockState> locks_;
  std::vector<Sink> sinks_;
  std::vector<Stream> streams_;
  std::map<PortKey, int> sinkNumbers_;
  std::map<std::pair<PortKey, std::optional<int64_t>>, int> streamNumbers_;
  std::vector<bool> isReady_;
};

}  // namespace airlite::npu::progress
