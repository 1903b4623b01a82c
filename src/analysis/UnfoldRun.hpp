// One run of the unfolder: what is known so far, and the functions that each handle one sort of op.
// Each takes the process that comes to the op and leaves it where the op ends.
#pragma once

#include "AssumedSources.hpp"
#include "UnfoldGraph.hpp"
#include "UnfoldPlans.hpp"
#include "UnfoldValues.hpp"

#include <functional>
#include <map>

namespace airlite::analysis::unfold {

using Flow = UnfoldFlow;
using Team = UnfoldTeam;

struct UnfoldRun {
  UnfoldRun(Plans& plans, const UnfoldOptions& options)
      : plans(plans), options(options), values(options), graph(options) {}

  Plans& plans;
  const UnfoldOptions& options;
  UnfoldValues values;
  UnfoldGraph graph;
  AssumedSources varies;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> copies;  // (buffer, core) -> its own
  std::map<std::pair<std::pair<Operation*, uint32_t>, std::vector<int64_t>>, uint32_t> lanes;
  std::map<std::pair<uint32_t, Operation*>, PointId> lastRuns;  // of a transfer in a process
  std::map<Operation*, std::vector<Value>> laneIds;             // of a herd
  uint32_t launches = 0, processes = 0;
  int64_t locks = 0;
};

struct Range {
  int64_t lower = 0, upper = 0, step = 1;
  /// INT64_MAX stands for more.
  int64_t count() const {
    if (lower >= upper) return 0;
    const uint64_t last = static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower) - 1;
    const uint64_t times = last / static_cast<uint64_t>(step);
    return times < INT64_MAX ? static_cast<int64_t>(times) + 1 : INT64_MAX;
  }
};

inline bool isToken(Value value) { return air::isTokenType(value.type()); }
inline bool isMemRef(Value value) {
  return value.type().isa<MemRefType>() || value.type().isa<UnrankedMemRefType>();
}

// -- Unfolding.cpp

/// Follows branches from block to block; the terminator that leaves the region, null when the
/// walk has stopped.
Operation* walk(UnfoldRun& run, Region& region, Flow& flow);
std::vector<PointId> tokenPoints(const UnfoldRun& run, OperandRange tokens);

// -- UnfoldMemory.cpp

uint32_t addBuffer(UnfoldRun& run, Value value);
void addTouches(UnfoldRun& run, PointId point, const OpPlan& plan, const Flow& flow);
/// Where a number that was assumed is among the `deciding` ones, `op` may run more often than it does
/// here: a point for all that it may write then.
void addOpenRuns(UnfoldRun& run, Operation& op, OperandRange deciding, Flow& flow);
/// What an execute produces has to be there.
void waitForOperands(UnfoldRun& run, Operation& op, const OpPlan& plan, Flow& flow);
/// The buffer that `value` is all of; kNone where it is a part or cannot be told.
uint32_t wholeBuffer(UnfoldRun& run, Value value);
/// What a value is, to be kept when the values that it comes from change.
Slot carried(UnfoldRun& run, Value value);
void bindResults(UnfoldRun& run, Operation& op, Operation& terminator);

// -- UnfoldDecisions.cpp: which way the program goes

/// A condition that the program does not fix has to change some time, or a loop had no end.
std::optional<unsigned> successorOf(UnfoldRun& run, Operation& end,
                                    std::map<Operation*, int64_t>& same);
std::optional<bool> decideWhile(UnfoldRun& run, Operation& loop, Value condition, int64_t turn);
/// How many of `count` runs are unfolded.
int64_t clipped(UnfoldRun& run, Operation& op, int64_t count);
using PointFn = std::function<void(const std::vector<int64_t>&)>;
/// Calls `each` with the indices of each iteration, in order.
void forEachPoint(UnfoldRun& run, Operation& op, const std::vector<Range>& ranges,
                  const PointFn& each);

// -- UnfoldChannels.cpp

void runTransfer(UnfoldRun& run, air::ChannelAccessOp op, const OpPlan& plan, Flow& flow);

// -- UnfoldHierarchy.cpp

void runInstances(UnfoldRun& run, air::HierarchyOp op, Flow& flow);
void visitBarrier(UnfoldRun& run, Operation& op, Flow& flow);

// -- UnfoldControl.cpp: calls, branches, loops in order

void visitCall(UnfoldRun& run, Operation& op, Flow& flow);
void visitBranch(UnfoldRun& run, Operation& op, Flow& flow);
/// Runs its body once.
void visitRegion(UnfoldRun& run, Operation& op, Flow& flow);
void visitFor(UnfoldRun& run, Operation& op, Flow& flow);
void visitAffineFor(UnfoldRun& run, Operation& op, Flow& flow);
/// Where the program does not fix the condition, a number of runs is tried.
void visitWhile(UnfoldRun& run, Operation& op, Flow& flow);

// -- UnfoldParallel.cpp

void visitForall(UnfoldRun& run, Operation& op, Flow& flow);
void visitAffineParallel(UnfoldRun& run, Operation& op, Flow& flow);
/// Without results the process waits for the bodies; with tokens the loop is asynchronous; one
/// that reduces numbers runs in order, and its tokens come when all is done that bodies started.
void visitParallel(UnfoldRun& run, Operation& op, Flow& flow);

}  // namespace airlite::analysis::unfold
