// Which copies become puts and gets, and in which nests their far halves are written.
#pragma once

#include "HoistedNest.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/analysis/CoreValues.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/RunOrder.hpp"

#include <deque>
#include <memory>
#include <set>

namespace airlite::air {

/// Far halves that are written as one nest.
struct NestPlan {
  std::vector<const Transfer*> transfers;  // in the order of the program
  std::vector<size_t> after;               // nests of the same op that have to be done before
};

/// All nests in front of one hierarchy op.
struct TopPlan {
  Operation* top = nullptr;
  std::vector<NestPlan> nests;
};

/// Who touches which buffer in a module: ops that do so themselves, not those around them.
class BufferUsers {
 public:
  struct User {
    Operation* op;
    analysis::AccessKind kind;
  };
  BufferUsers(Operation& module, analysis::AccessReader& reader)
      : module_(module), reader_(reader) {}
  const std::vector<User>& of(Value buffer);

 private:
  void collect();

  Operation& module_;
  analysis::AccessReader& reader_;
  bool isCollected_ = false;
  std::unordered_map<Value, std::vector<User>> users_;
};

/// What planning nests looks at beside the copies.
struct NestContext {
  analysis::AccessReader& reader;
  BufferUsers& users;
  RunOrder& order;
  PassContext& remarks;
};

/// Splits the copies under one `top` into nests, so that accesses of one buffer stay in order;
/// those that no nests keep in order are left out, with a remark.
TopPlan planNests(Operation& top, std::vector<Transfer*> transfers, NestContext context);

/// Whether a core of `herd` gets to `op` through the conditions around it; null when more than its
/// ids decides one of them.
std::optional<bool> reachesInHerd(Operation& op, HerdOp herd, analysis::CoreValues& at);

class TransferPlanner {
 public:
  /// `context` null: without remarks.
  TransferPlanner(Operation& module, PassContext* context)
      : module_(module), context_(context), users_(module, reader_), order_(reach_) {}
  /// Makes runs of copies and of the ops around them, that only lack a token for it, wait for each
  /// other, in functions where nothing else than that could need them side by side: where no
  /// channel is used. To be asked for a plan afterwards, another planner is needed.
  bool orderRuns();
  /// Looks at the module as it is; ops that were declined have their remarks.
  std::vector<TopPlan> plan();
  /// In the order of the program.
  std::deque<Transfer>& transfers() { return transfers_; }
  analysis::AccessReader& reader() { return reader_; }
  TokenReach& reach() { return reach_; }

 private:
  void collect();
  std::optional<Transfer> consider(Operation& dma);
  std::string_view classify(Transfer& transfer) const;
  std::string_view checkPlace(const Transfer& transfer);
  std::string_view checkAround(const Transfer& transfer);
  bool isOncePerLane(Operation& herd);
  std::string_view checkSharing(const Transfer& transfer) const;
  std::vector<Operation*> unordered(const Transfer& transfer);
  bool isSequential(Operation& op);
  void orderRuns(Operation& op);
  void remark(Operation& op, std::string_view message) {
    if (context_) context_->remark(op, message);
  }
  void findCores(Transfer& transfer, LiftCheck& lift);
  LiftCheck& liftOf(Operation& top);

  Operation& module_;
  PassContext* context_;
  analysis::AccessReader reader_;
  TokenReach reach_;
  BufferUsers users_;
  RunOrder order_;
  std::vector<Operation*> dmas_;
  std::set<std::string, std::less<>> called_;
  std::deque<Transfer> transfers_;
  std::unordered_map<Operation*, bool> sequential_;
  std::unordered_map<Operation*, bool> perLane_;
  std::unordered_map<Operation*, std::unique_ptr<LiftCheck>> lifts_;
};

}  // namespace airlite::air
