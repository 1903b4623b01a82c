// A herd whose cores exchange data becomes rounds with barriers between: in each round a core does
// what needs nothing that others do in the same round.
#pragma once

#include "ChannelEvents.hpp"

#include <string>

namespace airlite::air {

/// Plans first, so that a herd that cannot be divided stays as it is. One class: the round of each op follows from
/// the rounds of all that it waits for.
class HerdRounds {
 public:
  /// `exchanged`: channels with puts and gets in this herd. The reader has read them.
  HerdRounds(HerdOp herd, const std::vector<Operation*>& exchanged, EventReader& reader);

  /// False: `reason` says why not.
  bool plan();
  const std::string& reason() const { return reason_; }
  /// Writes the rounds. Puts and gets are still there, in new places.
  void write();

 private:
  struct Statement {
    Operation* op = nullptr;
    std::vector<bool> runs;       // on each core
    std::vector<unsigned> round;  // in which each core does it
  };
  struct Edge {
    size_t fromCore, from, toCore, to;  // core and statement
  };
  struct Group {
    std::vector<bool> cores;
    size_t first = 0, last = 0;  // statements
  };

  bool refuse(std::string reason);
  void flatten(Block& block, const std::vector<bool>& runs);
  bool isHoistable(Operation& op) const;
  size_t statementOf(Operation& op) const;
  bool addEdges();
  bool setRounds();
  bool valuesFit() const;
  bool isWhole(size_t statement) const;
  std::vector<Group> groupsOf(unsigned round) const;
  Value isIn(const std::vector<bool>& cores, Value core, Block& block, Operation& before) const;
  void dropOthers(Operation& original, Operation& clone, const std::vector<bool>& cores) const;

  HerdOp herd_;
  std::vector<Operation*> exchanged_;
  EventReader& reader_;
  size_t numCores_;
  std::vector<Statement> statements_;
  std::vector<Operation*> hoisted_;  // done by all cores, first
  std::vector<Edge> edges_;
  unsigned numRounds_ = 0;
  std::string reason_;
};

}  // namespace airlite::air
