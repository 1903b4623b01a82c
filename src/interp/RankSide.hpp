// Ranks in several processes, as one of these processes sees them. The machine that runs the host's
// code starts a process for each instance of an air.rank; it has a copy of all that the host knows, in
// a machine of its own. What they see of each other lies on a board: memory that the host hands to the
// ranks, globals, the symmetric heap, and channels.
#pragma once

#include "Code.hpp"
#include "Machine.hpp"
#include "SharedStore.hpp"
#include "airlite/interp/RankTransport.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace airlite::interp {

/// One class: what starts ranks, waits for them and ends them keeps one list of those that run.
class RankSide {
 public:
  /// Of the machine that starts ranks. An error when there is no memory to share.
  static Result<std::unique_ptr<RankSide>> ofHost(Machine& machine, RankTransport& transport);

  /// The ranks of one air.rank: `scope` stays open until all have ended. `place` adds the instance of
  /// a rank to the machine that will run it.
  struct Start {
    Operation* op = nullptr;
    const Code* code = nullptr;
    uint32_t count = 0;
    Scope* scope = nullptr;
    std::function<void(Machine& machine, uint32_t rank)> place;
  };
  Step start(Run& run, const Start& start);
  /// Nothing can run here: waits for what the other processes do. False when the run is over.
  bool waitForOthers();
  /// One report at a time, of a machine that `waitForOthers` has left with waiting processes.
  void reportStuck();
  /// Ends what still runs, and gives the memory back that was handed to ranks.
  void close();

  SharedStore& store() { return store_; }
  Board& board() { return store_.board(); }
  /// Memory of the symmetric heap, number `number` of its op: the parts of all ranks.
  std::vector<std::shared_ptr<Memory>> symmetric(Operation* op, uint32_t number, uint32_t count,
                                                 const Memory& fresh) {
    return store_.symmetric(op, group_, number, count, fresh);
  }

 private:
  struct Child {
    uint32_t process = 0;      // its number in the transport
    uint32_t participant = 0;  // and on the board
    uint32_t rank = 0;
    Operation* op = nullptr;
    Scope* scope = nullptr;
  };

  RankSide(Machine& machine, SharedStore store) : machine_(machine), store_(std::move(store)) {}
  int runRank(const Start& start, uint32_t rank, uint32_t participant);
  Step startAll(Run& run, const Start& start);
  Step shareWhatIsSeen(Run& run, const Start& start);
  /// Of processes that were there before the run.
  Step startAlike(Run& run, const Start& start, const RankTransport::Alike& alike);
  [[noreturn]] void failAlike(const Start& start);
  void takeBack();
  /// True when one has ended.
  bool takeEnded();
  void finishChild(const Child& child, const RankEnd& end);
  void failChild(const Child& child, const RankEnd& end, const Participant& last);
  void endStuck();

  Machine& machine_;
  SharedStore store_;
  RankTransport* transport_ = nullptr;  // of the host
  uint32_t self_ = 0;
  uint64_t group_ = 0;  // which air.rank, counted in the order of their starts
  uint64_t seen_ = 0;   // changes
  std::vector<Child> children_;
};

}  // namespace airlite::interp
