// Which copies become puts and gets, and in which nests their far halves are written.
#pragma once

#include "HoistedNest.hpp"
#include "TokenReach.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/pass/Pass.hpp"

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

class TransferPlanner {
 public:
  TransferPlanner(Operation& module, PassContext& context);
  /// Looks at the module as it is; ops that were declined have their remarks.
  std::vector<TopPlan> plan();
  /// In the order of the program.
  std::deque<Transfer>& transfers() { return transfers_; }
  analysis::AccessReader& reader() { return reader_; }
  TokenReach& reach() { return reach_; }

 private:
  void consider(Operation& dma);
  std::string_view classify(Transfer& transfer) const;
  std::string_view checkPlace(const Transfer& transfer);
  std::string_view checkAround(const Transfer& transfer) const;
  std::string_view checkRuns(const Transfer& transfer);
  bool isSequential(Operation& op);
  bool decideSequential(Operation& op);
  bool isCarried(Operation& op, Operation& loop);
  bool covers(Value token, Operation& op);
  void findBroadcast(Transfer& transfer, LiftCheck& lift);
  LiftCheck& liftOf(Operation& top);

  Operation& module_;
  PassContext& context_;
  analysis::AccessReader reader_;
  TokenReach reach_;
  std::set<std::string, std::less<>> called_;
  std::deque<Transfer> transfers_;
  std::unordered_map<Operation*, bool> sequential_;
  std::unordered_map<Operation*, std::unique_ptr<LiftCheck>> lifts_;
};

/// Splits the copies under one `top` into nests, so that accesses of one buffer stay in order; those
/// that no nests keep in order are left out, with a remark.
TopPlan planNests(Operation& top, std::vector<Transfer*> transfers, analysis::AccessReader& reader,
                  PassContext& context);

}  // namespace airlite::air
