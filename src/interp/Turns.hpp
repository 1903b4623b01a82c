// Cores of a herd that hand data to each other in L1 memory: who waits for whom.
// analysis/HandOver.hpp says what a turn is.
#pragma once

#include "Compiler.hpp"
#include "airlite/analysis/HandOver.hpp"

#include <map>
#include <memory>
#include <set>

namespace airlite::interp {

struct Process;

/// How many turns each core of a herd has had with a memory.
struct TurnCounts {
  using Cores = std::map<std::vector<int64_t>, uint64_t>;  // by id
  Cores written, read;
  std::vector<Process*> waiters;
};

/// The cores that take turns with a memory.
struct TurnTakers {
  Operation* herd = nullptr;
  std::set<std::vector<int64_t>> writers, readers;
};

/// The begin or the end of the turns of some cores.
struct TurnMark {
  std::shared_ptr<const TurnTakers> takers;
  Value memory;  // as the herd names it
  bool begins = false, writes = false;
  Operation* first = nullptr;  // the turn is over when what it started is done
  std::set<std::vector<int64_t>> cores = {};
};

/// Notes the turns of `herd` in `compiler`, before its body is compiled. Null: `body` gets an
/// instruction that fails where the cores cannot take turns.
void noteTurns(Builder& body, air::HerdOp herd);
/// Instructions in front of (`begins`) or after `op`.
void emitTurns(Builder& b, Operation& op, bool begins);

}  // namespace airlite::interp
