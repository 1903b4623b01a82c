// What is known of each op before anything is unfolded: found out once per op.
#pragma once

#include "../support/FlatMap.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"

#include <deque>
#include <map>

namespace airlite::analysis {

enum class PlanKind : uint8_t {
  Nothing,   // no effects: its results are computed where they are asked for
  Plain,     // touches memory; all inside is one point
  Allocate,  // makes the buffers that its results are
  Execute,
  WaitAll,
  Dma,
  Channel,
  Hierarchy,
  TokenAlloc,
  TokenSelect,  // one of two tokens
  Barrier,
  Call,
  For,
  AffineFor,
  Parallel,
  Forall,
  AffineParallel,
  While,
  Region,   // runs its body once
  Branch,   // runs one of its regions
  Unknown,  // has asynchronous ops inside, but its control is not understood
};

struct OpPlan {
  PlanKind kind = PlanKind::Nothing;
  std::vector<BufferAccess> accesses;  // that are certain, to buffers that exist outside of the op
  std::vector<BufferAccess> maybes;    // that are not certain, or to buffers that cannot be told
  uint32_t numUncertain = 0;
  bool isAtomic = false;
  /// Operands, also of ops inside, that an execute may still have to produce.
  std::vector<Value> pending;
  /// Of a put or get.
  air::ChannelOp channel;
  bool isPerLaunch = false;
  bool isInOrder = false;  // it waits for its own run before
  bool isForOneOfSeveral = false;
};

class Plans {
 public:
  explicit Plans(Operation& module);
  const OpPlan& of(Operation& op);
  AccessReader& reader() { return reader_; }
  /// What `op` and all inside may write of buffers around it.
  const std::vector<BufferAccess>& writesOf(Operation& op);
  /// `op` or something inside takes part in asynchronous execution.
  bool isHolder(Operation& op) const { return holders_.find(&op) != nullptr; }
  /// Channels inside of `op` join it with what is outside, or with other runs of it.
  bool hasChannels(Operation& op) const { return channelHolders_.find(&op) != nullptr; }

 private:
  OpPlan make(Operation& op);
  PlanKind kindOf(Operation& op);
  void addAccesses(Operation& op, OpPlan& plan);
  void addPending(Operation& op, OpPlan& plan);
  void markHolders(Operation& module);
  void markUp(Operation& op);
  void addChannel(Operation& op, OpPlan& plan);

  void markChannelUses(Operation& use, Operation* launch);

  bool areNamed_ = false;  // destinations, by puts
  detail::FlatMap<Operation*, bool> holders_;
  detail::FlatMap<Operation*, bool> channelHolders_;
  detail::FlatMap<Operation*, OpPlan*> plans_;
  std::deque<OpPlan> storage_;
  std::map<Operation*, std::vector<BufferAccess>> writes_;
  detail::FlatMap<Operation*, Operation*> launchOf_;  // channel -> the one launch that uses it
  AccessReader reader_;
};

}  // namespace airlite::analysis
