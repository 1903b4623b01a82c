// Which transfers are done in every run, whatever the rest of the program waits for.
#pragma once

#include "airlite/dialect/Air.hpp"

#include <span>
#include <unordered_map>
#include <unordered_set>

namespace airlite::air {

/// Knows the other end of each channel op that has only one. While it is in use a program may get
/// dependencies, but no other ops.
class TransferStart {
 public:
  void addPair(Operation& put, Operation& get) {
    partner_[&put] = &get;
    partner_[&get] = &put;
  }

  /// `op` and its other end begin once computations and such transfers are done, of which none is
  /// of `others`: to let one of `others` wait for it cannot make a program hang.
  bool isFreeOf(Operation& op, std::span<Operation* const> others);

 private:
  bool begins(Operation& op);
  bool areDone(OperandRange tokens);
  bool isDone(Value token);
  bool isTransferDone(Operation& op);
  bool areTransfersDone(Operation& loop);
  bool mayPassTo(Operation& op);

  std::unordered_map<Operation*, Operation*> partner_;
  std::unordered_set<Operation*> others_, done_, open_;  // of one question
  std::unordered_map<Block*, Operation*>
      stops_;  // the first op that control may wait at; null: none
};

}  // namespace airlite::air
