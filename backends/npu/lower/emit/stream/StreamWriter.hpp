// The state while a runtime sequence becomes a stream, and its handlers: one function for each op,
// found in a table. The sequence is run once at compile time; loops are unrolled.
#pragma once

#include "DmaQueues.hpp"
#include "StreamValues.hpp"
#include "airlite/npu/lower/RuntimeStream.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::npu {

/// A chain of descriptors that has been written, for one channel.
struct RuntimeTask {
  Operation* op = nullptr;
  DmaPlace place;
  std::vector<unsigned> bds;  ///< in the order of the chain; held until the task is freed
  int64_t runs = 1;
  bool issuesToken = false;
  bool writesHost = false;
  bool isFreed = false;
  Location freedAt = {};
  unsigned waitsBefore = 0;  ///< waits in the stream when it was started last
};

struct SequenceState {
  SequenceState(const ArrayConfig& config, Operation& sequence);

  const ArrayConfig& config;
  Operation& sequence;
  RuntimeStream stream;
  SequenceValues values;
  std::vector<RuntimeTask> tasks;
  std::map<Tile, BdPool> pools;
  std::map<DmaPlace, ChannelQueue> queues;
  std::vector<DmaPlace> withController;  ///< channels whose tokens have been given their packet id
  unsigned waits = 0;
  unsigned depth = 0;  ///< sequences that run the one at hand

  void emit(TxnOp op, Operation& from);
};

using SequenceHandler = LogicalResult (*)(SequenceState&, Operation&);
struct SequenceRow {
  std::string_view op;
  SequenceHandler handler;
};

/// Ops that drive DMA channels (StreamTasks.cpp, StreamCopies.cpp), and those that write or wait directly
/// (StreamWrites.cpp).
std::span<const SequenceRow> taskRows();
std::span<const SequenceRow> copyRows();
std::span<const SequenceRow> writeRows();

/// Runs the ops of a block (StreamWriter.cpp).
LogicalResult runBlock(SequenceState& state, Block& block);

// -- What both kinds of ops do (StreamChannels.cpp) -----------------------------------------------------

/// Pushes a task into the queue of its channel; first waits for room when the queue may be full.
LogicalResult startTask(SequenceState& state, Operation& user, TaskId task, unsigned firstBd);
/// A token of each of the channels that `sync` names is taken.
void emitSync(SequenceState& state, Operation& user, const SyncOn& sync);
/// The address word of a shim descriptor becomes that of an argument.
LogicalResult emitPatch(SequenceState& state, Operation& user, uint32_t address, uint32_t argument,
                        uint64_t plus);
/// The channel that the name of a shim allocation means; reports at `user`.
const ShimChannel* shimChannelOf(const SequenceState& state, Operation& user,
                                 std::string_view attribute);
/// Takes descriptor `wanted`, or any that is free, for a task of this channel.
std::optional<unsigned> takeBd(SequenceState& state, Operation& user, const DmaPlace& place,
                               TaskId task, std::optional<int64_t> wanted);
/// The descriptors of a task may be used again.
void freeTask(SequenceState& state, TaskId task, Location where);

/// "MM2S 0 of (1,0)".
std::string text(const DmaPlace& place);

}  // namespace airlite::npu
