// Follows the control flow of a core or a runtime sequence, and stops at the ops that matter.
//
//   Walk walk(core.body().front(), isLockOp, parameters);
//   while (Operation* op = walk.next()) { act(*op, walk.number(op->operand(1))); walk.pass(); }
//   if (walk.obstacle()) giveUp(*walk.obstacle());
#pragma once

#include "airlite/dialect/IndexValues.hpp"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace airlite::npu::progress {

/// Words of memory that the host writes for cores to read, by buffer and index.
using Parameters = std::map<std::pair<Operation*, int64_t>, int64_t>;

/// One process of a design, as an IR program. Only control is executed: loops and branches that
/// hold no op of interest are skipped. Numbers come from constants, loops and parameters. Of a conditional on data any way is
/// followed where all of them have the same ops of interest.
class Walk {
 public:
  using IsOfInterest = bool (*)(const Operation&);

  Walk(Block& entry, IsOfInterest isOfInterest, const Parameters& parameters);

  /// The op of interest that is next; null at the end and at an obstacle.
  Operation* next();
  /// `next` is done.
  void pass() { at_ = at_->next(); }
  /// What `value` is now; nothing where that is not known, or takes too much to find out.
  std::optional<int64_t> number(Value value);
  /// Whether `op` is of interest, or holds or calls such an op.
  bool matters(Operation& op);
  /// What cannot be followed: control that depends on data, or a million steps in a row of no
  /// interest. Null when nothing is in the way.
  Operation* obstacle() const { return obstacle_; }
  /// Ops that were looked at.
  uint64_t steps() const { return steps_; }

 private:
  /// A loop or a call that is under way.
  struct Frame {
    Operation* op = nullptr;
    int64_t at = 0, end = 0, step = 1;
    bool isAnyWay = false;  // a conditional on data, whose ways ask for the same
  };

  void step();
  void terminate(Operation& op);
  void enter(Operation& op);
  void enterLoop(Operation& loop);
  void enterWhile(Operation& loop);
  void endTest(Operation& condition);
  void enterBranch(Operation& op);
  bool asksTheSame(Region& first, Region& second);
  bool asksTheSame(Operation& first, Operation& second);
  std::vector<Operation*> asking(Region& region);
  void enterCall(Operation& call, Operation& callee);
  void endRound(Operation& yield);
  void leave(Operation& op, OperandRange results);
  void go(Block& block, OperandRange values, unsigned firstArgument = 0);
  void assign(const std::vector<Value>& targets, OperandRange values);
  void stopAt(Operation& op) { obstacle_ = &op; }
  std::optional<int64_t> parameterAt(Operation& load);
  std::optional<int64_t> compute(Value value, unsigned& budget);

  IsOfInterest isOfInterest_;
  const Parameters& parameters_;
  Operation* at_ = nullptr;
  Operation* obstacle_ = nullptr;
  std::vector<Frame> frames_;
  std::unordered_map<Value, std::optional<int64_t>> carried_;
  std::unordered_map<const Operation*, bool> matters_;
  ElementOps elements_;
  uint64_t steps_ = 0;
};

}  // namespace airlite::npu::progress
